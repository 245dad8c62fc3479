import Testing

@testable import CoreDataClasses

@Suite("Classes of models")
struct ClassGeneratorTests {
    private static let song = """
        <entity name="Song" representedClassName="Song" codeGenerationType="class">
            <attribute name="title" optional="YES" attributeType="String"/>
            <attribute name="duration" attributeType="Double" usesScalarValueType="YES"/>
            <relationship name="fans" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Song" \
        inverseName="fans"/>
        </entity>
        """

    @Test("A portable class is equal to Xcode's, with Objective-C names on Apple's platforms")
    func portable() throws {
        let model = try GeneratedModel(Self.song)
        try expectEqual(
            model.generator.files().map(\.name), ["Song+CoreDataClass.swift", "Song+CoreDataProperties.swift"])
        try expectEqual(
            model.text("Song+CoreDataClass.swift"),
            """
            //
            //  Song+CoreDataClass.swift
            //
            //  This file was automatically generated and should not be edited.
            //

            import Foundation
            import CoreData

            #if canImport(ObjectiveC)
            @objc(Song)
            #endif
            public class Song: NSManagedObject {

            }

            """)
        try expectEqual(
            model.text("Song+CoreDataProperties.swift"),
            """
            //
            //  Song+CoreDataProperties.swift
            //
            //  This file was automatically generated and should not be edited.
            //

            import Foundation
            import CoreData

            extension Song {

                @nonobjc public class func fetchRequest() -> NSFetchRequest<Song> {
                    return NSFetchRequest<Song>(entityName: "Song")
                }

                @NSManaged public var duration: Double
                @NSManaged public var title: String?
                @NSManaged public var fans: NSSet?

            }

            // MARK: Generated accessors for fans
            extension Song {

            #if canImport(ObjectiveC)
                @objc(addFansObject:)
            #endif
                @NSManaged public func addToFans(_ value: Song)

            #if canImport(ObjectiveC)
                @objc(removeFansObject:)
            #endif
                @NSManaged public func removeFromFans(_ value: Song)

            #if canImport(ObjectiveC)
                @objc(addFans:)
            #endif
                @NSManaged public func addToFans(_ values: NSSet)

            #if canImport(ObjectiveC)
                @objc(removeFans:)
            #endif
                @NSManaged public func removeFromFans(_ values: NSSet)

            }

            extension Song : Identifiable {

            }

            """)
    }

    @Test("A self-contained class has accessors with bodies")
    func selfContained() throws {
        let model = try GeneratedModel(Self.song, ClassGenerationOptions(style: .selfContained, access: .internal))
        expectTrue(
            try model.text("Song+CoreDataClass.swift").hasSuffix(
                "import CoreData\n\nnonisolated class Song: NSManagedObject {\n\n}\n"))
        let text = try model.text("Song+CoreDataProperties.swift")
        expectContains(text, "    static let title = ManagedPropertyDeclaration<String?>(\"title\")\n")
        expectContains(
            text,
            """
                var title: String? {
                    get { self[SongManagedProperties.title.property] }
                    set { self[SongManagedProperties.title.property] = newValue }
                }

            """)
        #expect(!text.contains("@"))
    }

    @Test(
        "Properties have the types of Xcode's classes",
        arguments: [
            ("int16", "Int16"), ("int32", "Int32"), ("int64", "Int64"), ("double", "Double"), ("float", "Float"),
            ("flag", "Bool"),
            ("number", "NSNumber?"), ("`switch`", "NSNumber?"), ("price", "NSDecimalNumber?"), ("`default`", "String?"),
            ("released", "Date?"),
            ("heard", "TimeInterval"), ("cover", "Data?"), ("id", "UUID?"), ("page", "URL?"),
            ("tags", "[String: Int]?"), ("blob", "NSObject?"),
            ("place", "[String: Any]?"), ("cached", "NSObject?"), ("shout", "String?"), ("artist", "Artist?"),
            ("owner", "NSManagedObject?"),
            ("others", "[Album]?"),
        ])
    func types(name: String, type: String) throws {
        let lines = try GeneratedModel(GeneratedModel.everything).lines(
            with: " var \(name):", in: "Album+CoreDataProperties.swift")
        expectEqual(lines, ["@NSManaged public var \(name): \(type)"])
    }

    @Test("The code generation setting selects the files; classes of manual entities are an option")
    func settings() throws {
        let names = try GeneratedModel(GeneratedModel.everything).generator.files().map(\.name)
        expectContains(names, "Person+CoreDataProperties.swift")
        #expect(!names.contains("Person+CoreDataClass.swift"))
        #expect(!names.contains { $0.hasPrefix("Manual") || $0.hasPrefix("Bare") || $0.hasPrefix("NSManagedObject") })
        let all = try GeneratedModel(GeneratedModel.everything, ClassGenerationOptions(includesManual: true)).generator
            .files().map(\.name)
        expectContains(all, "Manual+CoreDataClass.swift")
        expectContains(all, "Manual+CoreDataProperties.swift")
        #expect(!all.contains { $0.hasPrefix("Bare") })
    }

    @Test("The class of a subentity inherits from its parent's class, and has its own properties only")
    func inheritance() throws {
        let model = try GeneratedModel(GeneratedModel.everything)
        try expectEqual(
            model.lines(with: "class LiveAlbum", in: "LiveAlbum+CoreDataClass.swift"),
            [
                "public class LiveAlbum: Album {"
            ])
        try expectEqual(
            model.lines(with: "@NSManaged", in: "LiveAlbum+CoreDataProperties.swift"),
            [
                "@NSManaged public var town: String?"
            ])
        try expectEqual(
            model.lines(with: "entityName", in: "LiveAlbum+CoreDataProperties.swift"),
            ["return NSFetchRequest<LiveAlbum>(entityName: \"Live\")"])
        expectEmpty(try model.lines(with: "Identifiable", in: "LiveAlbum+CoreDataProperties.swift"))
    }

    @Test("Ordered relationships have Xcode's ten accessors")
    func ordered() throws {
        let model = try GeneratedModel(GeneratedModel.everything)
        try expectEqual(
            model.lines(with: "Albums", in: "Artist+CoreDataProperties.swift").filter { $0.hasPrefix("@NSManaged") },
            [
                "@NSManaged public func insertIntoAlbums(_ value: Album, at idx: Int)",
                "@NSManaged public func removeFromAlbums(at idx: Int)",
                "@NSManaged public func insertIntoAlbums(_ values: [Album], at indexes: NSIndexSet)",
                "@NSManaged public func removeFromAlbums(at indexes: NSIndexSet)",
                "@NSManaged public func replaceAlbums(at idx: Int, with value: Album)",
                "@NSManaged public func replaceAlbums(at indexes: NSIndexSet, with values: [Album])",
                "@NSManaged public func addToAlbums(_ value: Album)",
                "@NSManaged public func removeFromAlbums(_ value: Album)",
                "@NSManaged public func addToAlbums(_ values: NSOrderedSet)",
                "@NSManaged public func removeFromAlbums(_ values: NSOrderedSet)",
            ])
    }

    @Test("Classes of other modules have qualified names, and aren't generated")
    func modules() throws {
        let elements = """
            <entity name="Song" representedClassName="App.Song" codeGenerationType="class">
            <relationship name="artist" maxCount="1" deletionRule="Nullify" destinationEntity="Artist"/></entity>
            <entity name="Artist" representedClassName="Other.Artist" codeGenerationType="class"/>
            """
        let model = try GeneratedModel(elements, ClassGenerationOptions(module: "App"))
        func hasArtist(_ model: GeneratedModel) throws -> Bool {
            try model.generator.files().contains { $0.name.hasPrefix("Artist") }
        }
        expectFalse(try hasArtist(model))
        try expectEqual(
            model.lines(with: "var artist", in: "Song+CoreDataProperties.swift"),
            [
                "@NSManaged public var artist: Other.Artist?"
            ])
        expectEqual(model.generator.findings.map(\.severity), [.warning])
        expectTrue(try hasArtist(GeneratedModel(elements)))
    }

    @Test("If a class hides a standard type, accessors use qualified names")
    func hiding() throws {
        let model = try GeneratedModel(
            """
            <entity name="Data" representedClassName="Data" codeGenerationType="class"><attribute name="bytes" \
            attributeType="Binary"/></entity>
            """)
        try expectEqual(
            model.lines(with: "bytes", in: "Data+CoreDataProperties.swift"),
            [
                "@NSManaged public var bytes: Foundation.Data?"
            ])
    }

    @Test("A class of an entity and its subentity is generated once, with the properties of both")
    func sharedClass() throws {
        let model = try GeneratedModel(
            """
            <entity name="A" representedClassName="Thing" codeGenerationType="class"><attribute name="a" \
            attributeType="String"/></entity>
            <entity name="B" parentEntity="A" representedClassName="Thing" codeGenerationType="class"><attribute \
            name="b" attributeType="String"/></entity>
            """)
        try expectEqual(
            model.lines(with: "@NSManaged", in: "Thing+CoreDataProperties.swift"),
            ["@NSManaged public var a: String?", "@NSManaged public var b: String?"])
        try expectEqual(
            model.lines(with: "class Thing", in: "Thing+CoreDataClass.swift"),
            [
                "public class Thing: NSManagedObject {"
            ])
        try expectEqual(
            model.lines(with: "entityName", in: "Thing+CoreDataProperties.swift").first?.contains("\"A\""), true)
    }

    @Test(
        "Each name and type that Swift doesn't allow is an error with entity and key",
        arguments: [
            ("representedClassName=\"My Song\"", "", nil), ("representedClassName=\"A.B.C\"", "", nil),
            ("representedClassName=\"class\"", "", nil),
            (
                "representedClassName=\"Song\"", "<attribute name=\"first name\" attributeType=\"String\"/>",
                "first name"
            ),
            (
                "representedClassName=\"Song\"",
                "<attribute name=\"x\" attributeType=\"Transformable\" customClassName=\"Int { evil() }\"/>", "x"
            ),
            (
                "representedClassName=\"Song\"",
                "<attribute name=\"x\" attributeType=\"Transformable\" customClassName=\"[String\"/>", "x"
            ),
        ])
    func illegal(entity: String, properties: String, key: String?) throws {
        let model = try GeneratedModel(
            "<entity name=\"Song\" \(entity) codeGenerationType=\"class\">\(properties)</entity>")
        expectEqual(model.generator.findings.map(\.severity), [.error])
        expectEqual(model.generator.findings.map(\.entity), ["Song"])
        expectEqual(model.generator.findings.map(\.key), [key])
        let error = #expect(throws: CocoaError.self) { try model.generator.files() }
        #expect(error?.userInfo["entity"] as? String == "Song")
    }

    @Test(
        "Value classes may be any type",
        arguments: [
            "NSArray", "[String]", "Set<Int>", "My.Color", "[String: [Int]]", "(any)", "any Shape", "Array<My.Thing?>",
            "String?",
        ])
    func valueClasses(name: String) throws {
        let escaped = name.replacingOccurrences(of: "<", with: "&lt;")
        let model = try GeneratedModel(
            """
            <entity name="Song" representedClassName="Song" codeGenerationType="class"><attribute name="x" \
            attributeType="Transformable" customClassName="\(escaped)"/></entity>
            """)
        if name == "(any)" {
            expectEqual(model.generator.findings.count, 1)
        } else {
            let type = name == "any Shape" ? "(any Shape)?" : name.hasSuffix("?") ? name : name + "?"
            try expectEqual(
                model.lines(with: "var x", in: "Song+CoreDataProperties.swift"),
                [
                    "@NSManaged public var x: \(type)"
                ])
        }
    }

    @Test("A class whose id isn't hashable isn't Identifiable")
    func identifiable() throws {
        let model = try GeneratedModel(
            """
            <entity name="Song" representedClassName="Song" codeGenerationType="class"><attribute name="id" \
            attributeType="Transformable" customClassName="Key"/></entity>
            """)
        expectEmpty(try model.lines(with: "Identifiable", in: "Song+CoreDataProperties.swift"))
    }
}
