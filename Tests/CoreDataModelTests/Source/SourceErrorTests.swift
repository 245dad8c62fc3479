import CoreDataModel
import Testing

@Suite("Bad model files give errors that name file, entity and key")
struct SourceErrorTests {
    struct BadModel: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let entity: String?
        let key: String?
        let words: String
    }

    static let badModels = [
        BadModel(
            testDescription: "dangling destination",
            body: #"<entity name="A"><relationship name="b" destinationEntity="B"/></entity>"#, entity: "A", key: "b",
            words: "destination entity 'B'"),
        BadModel(
            testDescription: "dangling inverse",
            body:
                #"""
                <entity name="A"><relationship name="b" destinationEntity="A" inverseName="c" \#
                inverseEntity="A"/></entity>
                """#,
            entity: "A", key: "b", words: "inverse 'c'"),
        BadModel(
            testDescription: "inverse that is an attribute",
            body:
                #"""
                <entity name="A"><attribute name="c"/><relationship name="b" destinationEntity="A" inverseName="c" \#
                inverseEntity="A"/></entity>
                """#,
            entity: "A", key: "b", words: "is not a relationship"),
        BadModel(
            testDescription: "inverse of a stranger",
            body:
                #"""
                <entity name="A"><relationship name="b" destinationEntity="B" inverseName="c" \#
                inverseEntity="C"/></entity><entity name="B"/><entity name="C"><relationship name="c" \#
                destinationEntity="A"/></entity>
                """#,
            entity: "A", key: "b", words: "which is neither its destination nor related to it by inheritance: 'B'"),
        BadModel(
            testDescription: "dangling parent", body: #"<entity name="A" parentEntity="Z"/>"#, entity: "A",
            key: "parentEntity",
            words: "parent 'Z'"),
        BadModel(
            testDescription: "circular inheritance",
            body: #"<entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/>"#,
            entity: "A", key: "parentEntity", words: "inherits from itself"),
        BadModel(
            testDescription: "unknown configuration member",
            body: #"<configuration name="C"><memberEntity name="A"/></configuration>"#,
            entity: "A", key: "C", words: "configuration 'C'"),
        BadModel(
            testDescription: "two entities of one name", body: #"<entity name="A"/><entity name="A"/>"#, entity: "A",
            key: "name",
            words: "two entities"),
        BadModel(
            testDescription: "two properties of one name",
            body: #"<entity name="A"><attribute name="x"/><attribute name="x"/></entity>"#,
            entity: "A", key: "x", words: "two properties"),
        BadModel(
            testDescription: "entity without name", body: #"<entity/>"#, entity: nil, key: "name",
            words: "no attribute 'name'"),
        BadModel(
            testDescription: "unknown attribute type",
            body: #"<entity name="A"><attribute name="x" attributeType="Complex"/></entity>"#,
            entity: "A", key: "x", words: "unknown type 'Complex'"),
        BadModel(
            testDescription: "unknown deletion rule",
            body: #"<entity name="A"><relationship name="b" destinationEntity="A" deletionRule="Forget"/></entity>"#,
            entity: "A",
            key: "b", words: "'Forget'"),
        BadModel(
            testDescription: "count that is not a number",
            body:
                #"""
                <entity name="A"><relationship name="b" destinationEntity="A" \#
                maxCount="99999999999999999999"/></entity>
                """#,
            entity: "A", key: "b", words: "is not a number"),
        BadModel(
            testDescription: "constraint over nothing",
            body:
                #"""
                <entity name="A"><uniquenessConstraints><uniquenessConstraint><constraint \#
                value="x"/></uniquenessConstraint></uniquenessConstraints></entity>
                """#,
            entity: "A", key: "x", words: "uniqueness constraint"),
        BadModel(
            testDescription: "index over nothing",
            body: #"<entity name="A"><fetchIndex name="i"><fetchIndexElement property="x"/></fetchIndex></entity>"#,
            entity: "A",
            key: "x", words: "index"),
        BadModel(
            testDescription: "predicate that is none",
            body: #"<entity name="A"/><fetchRequest name="F" entity="A" predicateString="x == == 1"/>"#, entity: "A",
            key: "F",
            words: "predicate 'x == == 1'"),
        BadModel(
            testDescription: "fetch request of an unknown entity", body: #"<fetchRequest name="F" entity="A"/>"#,
            entity: "A", key: "F",
            words: "fetch request 'F'"),
        BadModel(
            testDescription: "composite that contains itself",
            body:
                #"""
                <entity name="A"><attribute name="c" attributeType="Composite" composite="C"/></entity><composite \#
                name="C"><attribute name="c" attributeType="Composite" composite="C"/></composite>
                """#,
            entity: "A", key: "c", words: "contains itself"),
        BadModel(
            testDescription: "unknown composite",
            body: #"<entity name="A"><attribute name="c" attributeType="Composite" composite="C"/></entity>"#,
            entity: "A", key: "c",
            words: "composite 'C'"),
    ]

    @Test("Missing parts are named", arguments: badModels)
    func badModel(_ bad: BadModel) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("<model>\(bad.body)</model>", to: "Bad.xcdatamodel/contents")
        let error = try #require(throws: CocoaError.self) {
            try ModelFile.load(at: folder.url.appendingPathComponent("Bad.xcdatamodel"))
        }
        expectEqual(error.code, .fileReadCorruptFile)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path)
        #expect(error.userInfo[ModelFileError.entityKey] as? String == bad.entity)
        #expect(error.userInfo[ModelFileError.keyKey] as? String == bad.key)
        let text = error.localizedDescription
        expectContains(text, bad.words, "\(text)")
        expectContains(text, file.path, "\(text)")
        expectEqual(NSManagedObjectModel(contentsOf: file), nil)
    }

    @Test("A redeclaration of another kind is reported with its line")
    func redeclared() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
              <entity name="A"><attribute name="x" attributeType="String"/></entity>
              <entity name="B" parentEntity="A">
                <attribute name="x" attributeType="Integer 16"/>
              </entity>
            </model>
            """, to: "contents")
        let text = try #require(throws: CocoaError.self) { try ModelFile.load(at: file) }.localizedDescription
        expectContains(text, "line 4", "\(text)")
        expectContains(text, "'x' of entity 'B'", "\(text)")
        expectContains(text, "another type", "\(text)")
    }

    @Test("The error of malformed XML has line and column")
    func malformed() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("<model>\n  <entity name=\"A\">\n</model>", to: "contents")
        let error = try #require(throws: CocoaError.self) { try ModelFile.load(at: file) }
        expectContains(error.localizedDescription, "line 3, column")
        expectContains(error.localizedDescription, file.path)
    }

    @Test(
        "Files that are not models are refused",
        arguments: [
            ("", "empty"), ("Hello", "neither XML nor"), ("<html/>", "root element is <html>"),
            ("bplist00", "can't be read"),
            ("bplist00garbage garbage garbage garbage garbage", "can't be read"),
            ("SQLite format 3\u{0}xxxx", "SQLite store"),
            ("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>", "can't be read"),
            ("\u{0}\u{1}\u{2}", "neither XML nor"),
        ])
    func noModel(content: String, words: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(content, to: "x.mom")
        let error = try #require(throws: CocoaError.self) { try ModelFile.load(at: file) }
        expectEqual(error.code, .fileReadCorruptFile)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path)
        expectContains(error.localizedDescription, words, "\(error.localizedDescription)")
    }

    @Test("A missing file, an empty folder and an ambiguous bundle are refused")
    func noFile() throws {
        let folder = try TemporaryFolder()
        let missing = try #require(throws: CocoaError.self) {
            try ModelFile.load(at: folder.url.appendingPathComponent("no.momd"))
        }
        expectEqual(missing.code, .fileReadNoSuchFile)
        #expect(missing.userInfo[NSFilePathErrorKey] as? String == folder.url.appendingPathComponent("no.momd").path)
        let empty = try #require(throws: CocoaError.self) { try ModelFile.load(at: folder.url) }
        expectEqual(empty.code, .fileReadCorruptFile)
        try folder.write("<model/>", to: "M.xcdatamodeld/A.xcdatamodel/contents")
        try folder.write("<model/>", to: "M.xcdatamodeld/B.xcdatamodel/contents")
        let bundle = folder.url.appendingPathComponent("M.xcdatamodeld")
        let ambiguous = try #require(throws: CocoaError.self) { try ModelFile.load(at: bundle) }
        expectContains(ambiguous.localizedDescription, "2 versions")
    }

    @Test("Deeply nested elements are refused without recursion")
    func deepNesting() throws {
        let folder = try TemporaryFolder()
        let depth = 20_000
        let text = String(repeating: "<model>", count: depth) + String(repeating: "</model>", count: depth)
        let file = try folder.write(text, to: "contents")
        #expect(throws: CocoaError.self) { try ModelFile.load(at: file) }
    }

    @Test("Random damage to a source model never stops the program")
    func randomDamage() throws {
        let folder = try TemporaryFolder()
        let sound = Array(FullSourceModel.xml.utf8)
        let seed = TestRun.seed(for: "Damaged source model")
        var random = SeededGenerator(seed: seed)
        for round in 0..<400 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 10 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
            let file = try folder.write(Data(bytes), to: "contents")
            do {
                _ = try ModelFile.load(at: file)
            } catch let error as CocoaError {
                #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path, "seed \(seed)")
            }
        }
    }
}
