/// Models with an element of each kind, and with many entities.
enum FullModel {
    static let xml = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        userDefinedModelVersionIdentifier="">
            <entity name="Base" representedClassName=".Base" isAbstract="YES" syncable="YES">
                <attribute name="born" optional="YES" attributeType="Date" defaultDateTimeInterval="86400" \
        usesScalarValueType="NO"/>
                <attribute name="code" attributeType="String" minValueString="2" regularExpressionString="[A-Z]+&lt;"/>
                <attribute name="flag" optional="YES" attributeType="Boolean" usesScalarValueType="YES"/>
                <attribute name="helper" optional="YES" transient="YES"/>
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="place" optional="YES" attributeType="Composite" composite="Location"/>
                <attribute name="tags" optional="YES" attributeType="Transformable" customClassName="[String]"/>
                <attribute name="total" optional="YES" attributeType="Integer 64" derived="YES" \
        derivationExpression="parts.@count"/>
                <relationship name="parts" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" \
        destinationEntity="Part" inverseName="owner" inverseEntity="Part"/>
                <fetchedProperty name="cheap" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Part" predicateString="number &lt; 3"/>
                </fetchedProperty>
                <fetchIndex name="byCode">
                    <fetchIndexElement property="code" type="Binary" order="descending"/>
                </fetchIndex>
            </entity>
            <entity name="Part" representedClassName="Part" parentEntity="Base" syncable="YES">
                <attribute name="number" attributeType="Integer 32" defaultValueString="0"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Base" \
        inverseName="parts" inverseEntity="Base"/>
            </entity>
            <fetchRequest name="Numbered" entity="Part" predicateString="number == $NUMBER"/>
            <configuration name="Cloud">
                <memberEntity name="Part"/>
            </configuration>
            <composite name="Location">
                <attribute name="latitude" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
            </composite>
        </model>
        """

    static let paths = [
        "", "entity:Base", "entity:Base/attribute:born", "entity:Base/attribute:code", "entity:Base/attribute:flag",
        "entity:Base/attribute:helper", "entity:Base/attribute:photo", "entity:Base/attribute:place",
        "entity:Base/attribute:tags", "entity:Base/attribute:total", "entity:Base/relationship:parts",
        "entity:Base/fetchedProperty:cheap", "entity:Base/fetchIndex:byCode", "entity:Part", "fetchRequest:Numbered",
        "configuration:Cloud", "composite:Location", "composite:Location/attribute:latitude",
    ]

    static func large(entities: Int) -> String {
        let elements = (0..<entities).map { index in
            """
                <entity name="E\(index)" representedClassName="E\(index)" syncable="YES">
                    <attribute name="a" optional="YES" attributeType="String"/>
                    <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="E\((index + 1) % entities)" inverseName="former" \
            inverseEntity="E\((index + 1) % entities)"/>
                    <relationship name="former" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="E\((index + entities - 1) % entities)" inverseName="next" \
            inverseEntity="E\((index + entities - 1) % entities)"/>
                </entity>
            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
            userDefinedModelVersionIdentifier="">
            \(elements.joined(separator: "\n"))
            </model>
            """
    }
}
