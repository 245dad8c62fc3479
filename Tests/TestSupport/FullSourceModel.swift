/// A source model with all features, in the order in which it is written.
public enum FullSourceModel {
    public static let xml = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" \
        systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
        userDefinedModelVersionIdentifier="v7">
            <entity name="Base" representedClassName=".Base" isAbstract="YES" versionHashModifier="2" syncable="YES" \
        codeGenerationType="class">
                <attribute name="age" optional="YES" attributeType="Integer 16" minValueString="0" \
        maxValueString="150" defaultValueString="18" usesScalarValueType="YES"/>
                <attribute name="born" optional="YES" attributeType="Date" minDateTimeInterval="-3600.5" \
        maxDateTimeInterval="1000000" defaultDateTimeInterval="86400" usesScalarValueType="NO"/>
                <attribute name="code" attributeType="String" minValueString="2" maxValueString="8" \
        defaultValueString="" regularExpressionString="[A-Z]+&lt;\\d&quot;"/>
                <attribute name="flag" optional="YES" attributeType="Boolean" defaultValueString="YES" \
        usesScalarValueType="YES"/>
                <attribute name="helper" optional="YES" transient="YES"/>
                <attribute name="identifier" optional="YES" attributeType="UUID" usesScalarValueType="NO" \
        indexed="YES" elementID="oldIdentifier" preserveAfterDeletion="YES"/>
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" \
        allowsCloudEncryption="YES"/>
                <attribute name="place" optional="YES" attributeType="Composite" composite="Location"/>
                <attribute name="price" optional="YES" attributeType="Decimal" minValueString="0.5" \
        defaultValueString="1.25"/>
                <attribute name="ratio" optional="YES" attributeType="Float" defaultValueString="0.1" \
        usesScalarValueType="YES"/>
                <attribute name="tags" optional="YES" attributeType="Transformable" \
        valueTransformerName="NSSecureUnarchiveFromData" customClassName="[String]"/>
                <attribute name="total" optional="YES" attributeType="Integer 64" derived="YES" \
        derivationExpression="parts.@count" usesScalarValueType="NO">
                    <userInfo>
                        <entry key="a &amp; b" value="1&#10;2"/>
                    </userInfo>
                </attribute>
                <attribute name="weight" optional="YES" attributeType="Double" defaultValueString="72.5" \
        spotlightIndexingEnabled="YES" versionHashModifier="x"/>
                <relationship name="parts" optional="YES" toMany="YES" minCount="1" maxCount="20" \
        deletionRule="Cascade" ordered="YES" destinationEntity="Part" inverseName="owner" inverseEntity="Part"/>
                <compoundIndexes>
                    <compoundIndex>
                        <index value="code"/>
                        <index value="age"/>
                    </compoundIndex>
                </compoundIndexes>
                <fetchIndex name="byBorn">
                    <fetchIndexElement property="born" type="Binary" order="descending"/>
                    <fetchIndexElement property="age" type="Binary" order="ascending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="code"/>
                        <constraint value="age"/>
                    </uniquenessConstraint>
                    <uniquenessConstraint>
                        <constraint value="identifier"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
                <userInfo>
                    <entry key="IsPlaceholder" value="NO"/>
                </userInfo>
            </entity>
            <entity name="Child" representedClassName="Child" parentEntity="Base" elementID="OldChild" syncable="YES" \
        coreSpotlightDisplayNameExpression="code">
                <relationship name="friend" optional="YES" maxCount="1" deletionRule="Deny" destinationEntity="Child" \
        inverseName="friend" inverseEntity="Child"/>
                <fetchedProperty name="cheap" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Part" predicateString="number &lt; 3"/>
                </fetchedProperty>
            </entity>
            <entity name="Part" representedClassName="Part" syncable="YES">
                <attribute name="number" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Base" \
        inverseName="parts" inverseEntity="Base"/>
            </entity>
            <fetchRequest name="Numbered" entity="Part" predicateString="number == $NUMBER" fetchLimit="10" \
        fetchBatchSize="5" resultType="1" includeSubentities="NO" returnDistinctResults="YES"/>
            <configuration name="Cloud">
                <memberEntity name="Part"/>
            </configuration>
            <composite name="Inner">
                <attribute name="height" optional="YES" attributeType="Double" defaultValueString="0" \
        usesScalarValueType="YES"/>
            </composite>
            <composite name="Location">
                <attribute name="latitude" optional="YES" attributeType="Double" defaultValueString="0" \
        usesScalarValueType="YES"/>
                <attribute name="inner" optional="YES" attributeType="Composite" composite="Inner"/>
            </composite>
        </model>
        """
}
