import CoreDataModel
import Digests
import Testing

@Suite("Meaning of source models")
struct SourceMeaningTests {
    private func load(_ body: String) throws -> NSManagedObjectModel {
        let folder = try TemporaryFolder()
        return try ModelFile.load(at: folder.write("<model>\(body)</model>", to: "contents"))
    }

    private func attribute(_ attributes: String) throws -> NSAttributeDescription {
        let model = try load("<entity name=\"A\"><attribute name=\"x\" \(attributes)/></entity>")
        return try requireValue(model.entitiesByName["A"]?.attributesByName["x"])
    }

    @Test("Absent flags mean no: the attribute is required and stored")
    func absentFlags() throws {
        let x = try attribute("attributeType=\"String\"")
        expectFalse(x.isOptional)
        expectFalse(x.isTransient)
        expectFalse(x.allowsExternalBinaryDataStorage)
        #expect(x.defaultValue == nil)
    }

    @Test(
        "Numeric defaults are the leading number of the text",
        arguments: [
            ("12", 12), ("0.0", 0), ("-7.9", -7), ("NO", 0), ("", 0), ("1e3", 1000), ("99999999999999999999", Int.max),
        ])
    func integerDefault(text: String, value: Int) throws {
        expectEqual(
            (try attribute("attributeType=\"Integer 64\" defaultValueString=\"\(text)\"").defaultValue as? NSNumber)?
                .intValue, value)
    }

    @Test(
        "Boolean defaults are yes, true or a number but 0",
        arguments: [
            ("YES", true), ("NO", false), ("true", true), ("1", true), ("0", false), ("0.0", false), ("", false),
        ])
    func booleanDefault(text: String, value: Bool) throws {
        expectEqual(
            (try attribute("attributeType=\"Boolean\" defaultValueString=\"\(text)\"").defaultValue as? NSNumber)?
                .boolValue, value)
    }

    @Test("Defaults of the other types are values of those types")
    func otherDefaults() throws {
        #expect(try attribute("attributeType=\"String\" defaultValueString=\"\"").defaultValue as? String == "")
        #expect(
            try attribute("attributeType=\"Decimal\" defaultValueString=\"1.10\"").defaultValue as? NSDecimalNumber
                == NSDecimalNumber(string: "1.1"))
        expectEqual(
            (try attribute("attributeType=\"Float\" defaultValueString=\"0.1\"").defaultValue as? NSNumber)?.floatValue,
            0.1)
        #expect(
            try attribute("attributeType=\"Date\" defaultDateTimeInterval=\"10\" defaultValueString=\"x\"").defaultValue
                as? Date
                == Date(timeIntervalSinceReferenceDate: 10))
        #expect(try attribute("attributeType=\"Date\" defaultValueString=\"2001\"").defaultValue == nil)
        #expect(
            try attribute("attributeType=\"URI\" defaultValueString=\"https://a.b\"").defaultValue as? URL
                == URL(string: "https://a.b"))
        let uuid = UUID()
        #expect(
            try attribute("attributeType=\"UUID\" defaultValueString=\"\(uuid.uuidString)\"").defaultValue as? UUID
                == uuid)
    }

    @Test("Limits become predicates, with error codes as warnings")
    func limits() throws {
        let number = try attribute("attributeType=\"Integer 32\" minValueString=\"1\" maxValueString=\"9\"")
        expectEqual(number.validationPredicates.map(\.predicateText), ["SELF >= 1", "SELF <= 9"])
        expectEqual(number.validationWarnings.compactMap { ($0 as? NSNumber)?.intValue }, [1620, 1610])
        expectTrue(number.validationPredicates[1].evaluate(with: NSNumber(value: 9)))
        expectFalse(number.validationPredicates[1].evaluate(with: NSNumber(value: 10)))
        let text = try attribute("attributeType=\"String\" minValueString=\"2\" regularExpressionString=\"a+\"")
        expectEqual(text.validationPredicates.map(\.predicateText), ["length >= 2", "SELF MATCHES \"a+\""])
        expectEqual(text.validationWarnings.compactMap { ($0 as? NSNumber)?.intValue }, [1670, 1680])
        expectFalse(text.validationPredicates[1].evaluate(with: "ab"))
        let decimal = try attribute("attributeType=\"Decimal\" maxValueString=\"0.5\"")
        expectFalse(decimal.validationPredicates[0].evaluate(with: NSDecimalNumber(string: "0.6")))
        expectTrue(decimal.validationPredicates[0].evaluate(with: NSDecimalNumber(string: "0.4")))
    }

    @Test("The maximum count determines whether a relationship is to-many")
    func counts() throws {
        let model = try load(
            """
            <entity name="A"><relationship name="one" maxCount="1" destinationEntity="A"/>
            <relationship name="plain" destinationEntity="A"/>
            <relationship name="many" toMany="YES" destinationEntity="A" deletionRule="No Action"/>
            <relationship name="some" toMany="YES" minCount="2" maxCount="5" destinationEntity="A" \
            deletionRule="Cascade"/></entity>
            """)
        let relationships = try requireValue(model.entitiesByName["A"]?.relationshipsByName)
        expectEqual(relationships["one"]?.isToMany, false)
        expectEqual(relationships["plain"]?.isToMany, false)
        expectEqual(relationships["many"]?.isToMany, true)
        expectEqual(relationships["many"]?.deleteRule, .noActionDeleteRule)
        expectEqual(relationships["some"]?.minCount, 2)
        expectEqual(relationships["some"]?.maxCount, 5)
        expectEqual(relationships["plain"]?.deleteRule, .nullifyDeleteRule)
    }

    @Test(
        """
        Old index flags and lists become fetch indexes when the model is used, and fetch indexes their old forms \
        when it is read
        """
    )
    func indexes() throws {
        let model = try load(
            """
            <entity name="A"><attribute name="x" attributeType="String" indexed="YES"/><attribute name="y" \
            attributeType="String"/>
            <compoundIndexes><compoundIndex><index value="x"/><index value="y"/></compoundIndex></compoundIndexes>
            <fetchIndex name="byY"><fetchIndexElement property="y" type="Binary" \
            order="ascending"/></fetchIndex></entity>
            """)
        let entity = try requireValue(model.entitiesByName["A"])
        expectEqual(entity.attributesByName["y"]?.hasLegacyIndex, true)
        model.freeze()
        expectEqual(Set(entity.indexes.map(\.name)), ["x", "byY", "y", "x_y"])
    }

    @Test("Derivations are read into the expressions that version hashes need")
    func derivations() throws {
        func hash(_ text: String) throws -> Data {
            try attribute("attributeType=\"String\" derived=\"YES\" derivationExpression=\"\(text)\"").versionHash
        }
        try expectEqual(hash("pages.@count"), Data(SHA256.hash("count:(pages)".utf8)))
        try expectEqual(hash("chat.serverId"), Data(SHA256.hash("chat.serverId".utf8)))
        try expectEqual(hash("canonical:(name)"), Data(SHA256.hash("canonical:(name)".utf8)))
        try expectEqual(hash("now()"), Data(SHA256.hash("now()".utf8)))
    }

    @Test("The current version of a bundle is the named one, or the only one")
    func currentVersion() throws {
        let folder = try TemporaryFolder()
        try folder.write("<model><entity name=\"Old\"/></model>", to: "M.xcdatamodeld/M.xcdatamodel/contents")
        let bundle = folder.url.appendingPathComponent("M.xcdatamodeld")
        try expectEqual(ModelFile.load(at: bundle).entities.map(\.name), ["Old"])
        try folder.write("<model><entity name=\"New\"/></model>", to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
        try folder.write("<model/>", to: "M.xcdatamodeld/M 10.xcdatamodel/contents")
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>M 2.xcdatamodel</string></dict></plist>
            """, to: "M.xcdatamodeld/.xccurrentversion")
        try expectEqual(ModelFile.load(at: bundle).entities.map(\.name), ["New"])
        try expectEqual(SourceModelBundle(at: bundle).versions.map(\.name), ["M", "M 2", "M 10"])
        try expectEqual(
            NSManagedObjectModel.checksumsForVersionedModel(at: bundle).keys.sorted(), ["M", "M 10", "M 2"])
    }

    @Test("Unknown elements and attributes are ignored")
    func unknownParts() throws {
        let model = try load(
            "<future/><entity name=\"A\" colour=\"red\"><spell/><attribute name=\"x\" magic=\"1\"/></entity>")
        expectEqual(model.entitiesByName["A"]?.properties.map(\.name), ["x"])
    }
}
