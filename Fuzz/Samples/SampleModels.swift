import CoreDataModel

/// Models that use all features of models.
enum SampleModels {
    /// A source model with all features of source models.
    static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift" \
        userDefinedModelVersionIdentifier="v7">
            <entity name="Base" representedClassName=".Base" isAbstract="YES" versionHashModifier="2" syncable="YES" \
        codeGenerationType="class">
                <attribute name="age" optional="YES" attributeType="Integer 16" minValueString="0" \
        maxValueString="150" defaultValueString="18" usesScalarValueType="YES"/>
                <attribute name="born" optional="YES" attributeType="Date" minDateTimeInterval="-3600.5" \
        maxDateTimeInterval="1000000" defaultDateTimeInterval="86400"/>
                <attribute name="code" attributeType="String" minValueString="2" maxValueString="8" \
        defaultValueString="" regularExpressionString="[A-Z]+&lt;\\d&quot;"/>
                <attribute name="flag" optional="YES" attributeType="Boolean" defaultValueString="YES" \
        usesScalarValueType="YES"/>
                <attribute name="helper" optional="YES" transient="YES"/>
                <attribute name="identifier" optional="YES" attributeType="UUID" indexed="YES" \
        elementID="oldIdentifier" preserveAfterDeletion="YES"/>
                <attribute name="link" optional="YES" attributeType="URI" \
        defaultValueString="https://example.org/a?b#c"/>
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
        derivationExpression="parts.@count">
                    <userInfo>
                        <entry key="a &amp; b" value="1&#10;2"/>
                    </userInfo>
                </attribute>
                <attribute name="weight" optional="YES" attributeType="Double" defaultValueString="72.5" \
        spotlightIndexingEnabled="YES"/>
                <relationship name="parts" optional="YES" toMany="YES" minCount="1" maxCount="20" \
        deletionRule="Cascade" ordered="YES" destinationEntity="Part" inverseName="owner" inverseEntity="Part"/>
                <compoundIndexes>
                    <compoundIndex>
                        <index value="code"/>
                        <index value="age"/>
                    </compoundIndex>
                </compoundIndexes>
                <fetchIndex name="byBorn" partialIndexPredicate="age &gt; 3">
                    <fetchIndexElement property="born" type="Binary" order="descending"/>
                    <fetchIndexElement expression="age + 1" expressionType="Integer 32" type="Binary" \
        order="ascending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="code"/>
                        <constraint value="age"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Child" representedClassName="Child" parentEntity="Base" elementID="OldChild" syncable="YES" \
        coreSpotlightDisplayNameExpression="code">
                <relationship name="friend" optional="YES" maxCount="1" deletionRule="Deny" destinationEntity="Child" \
        inverseName="friend" inverseEntity="Child"/>
                <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Child" inverseName="friends" inverseEntity="Child"/>
                <fetchedProperty name="cheap" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Part" predicateString="number &lt; 3 AND \
        owner == $FETCH_SOURCE"/>
                </fetchedProperty>
            </entity>
            <entity name="Part" representedClassName="Part" syncable="YES">
                <attribute name="number" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
                <attribute name="doubled" optional="YES" attributeType="Integer 32" derived="YES" \
        derivationExpression="owner.age"/>
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

    static func all() throws -> [NSManagedObjectModel] { [try read(), made()] }

    /// The model of `source`.
    static func read() throws -> NSManagedObjectModel {
        let url = URL(fileURLWithPath: "/Sample.xcdatamodel/contents")
        return try SourceModelReader.read(try SourceXMLReader.read(Data(source.utf8), from: url), from: url)
    }

    /// A model with features that source models don't have: values of many classes, sort descriptors, predicates of all
    /// kinds.
    static func made() -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        let thing = NSEntityDescription()
        thing.name = "Thing"
        thing.userInfo = [
            "number": NSNumber(value: 3), "date": Date(timeIntervalSinceReferenceDate: 1), "list": ["a", ["b", "c"]],
            "dictionary": ["k": UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF") as Any],
            "set": NSSet(array: ["x", "y"]),
            "ordered": NSOrderedSet(array: ["x", "y"]),
            "link": URL(string: "b", relativeTo: URL(string: "https://example.org/a/")) as Any,
            "decimal": NSDecimalNumber(string: "-12.5"),
        ]
        let price = attribute("price", .decimalAttributeType, NSDecimalNumber(string: "-12345678901234567890.125"))
        price.setValidation(
            predicates: ["SELF >= 0", "SELF IN {1, 2, 3}", "NOT (SELF BETWEEN {5, 6}) OR TRUEPREDICATE"].map {
                NSPredicate(format: $0)
            },
            warnings: [NSNumber(value: 1620), "not one of three", "odd"])
        let things = relationship("things", to: thing, many: true)
        let owner = relationship("owner", to: item, many: false)
        things.inverseRelationship = owner
        owner.inverseRelationship = things
        item.properties = [
            price, attribute("cover", .binaryDataAttributeType, Data([1, 2])),
            attribute("stock", .integer64AttributeType, NSNumber(value: Int64.min)), things,
        ]
        thing.properties = [
            attribute("name", .stringAttributeType, "$null"),
            attribute("key", .UUIDAttributeType, UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")), owner,
        ]
        item.subentities = [thing]
        let model = NSManagedObjectModel()
        model.entities = [item, thing]
        model.versionIdentifiers = ["2.0", NSNumber(value: 3)]
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = item
        request.predicate = NSPredicate(
            format: """
                SUBQUERY(things, $t, ANY $t.name BEGINSWITH[cd] 'a').@count > 0 AND FUNCTION(self, 'valueForKey:', \
                'price') > sum({1, price})
                """
        )
        request.sortDescriptors = [
            NSSortDescriptor(key: "price", ascending: false), NSSortDescriptor(key: "things.@count", ascending: true),
        ]
        request.propertiesToFetch = ["price"]
        request.relationshipKeyPathsForPrefetching = ["things"]
        model.setFetchRequestTemplate(request, forName: "dear")
        return model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType, _ value: Any?) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.defaultValue = value
        return attribute
    }

    private static func relationship(_ name: String, to entity: NSEntityDescription, many: Bool)
        -> NSRelationshipDescription
    {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.maxCount = many ? 0 : 1
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }
}
