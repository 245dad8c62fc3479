import Testing

@testable import CoreDataClasses

@Suite("Rewritten copies")
struct RewriterTests {
    /// The copy without its first line.
    private func rewritten(_ text: String, path: String = "/a/Song.swift") throws -> String {
        let copy = try #require(
            try ModuleSources(module: "App", compiled: [], rewritten: [SwiftSource(path: path, text: text)])
                .rewrittenCopies().first)
        #expect(copy.name == "Managed-Song.swift")
        let lines = copy.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        #expect(lines[0] == "#sourceLocation(file: \"\(path)\", line: 1)")
        return String(lines[1])
    }

    @Test(
        "attributes of Objective-C are removed, also in conditions and with names",
        arguments: [
            ("@objc(Song)\nclass Song {}", "\nclass Song {}"),
            ("@objcMembers class A { @objc func b() {} }", "class A { func b() {} }"),
            (
                "#if canImport(ObjectiveC)\n@objc(Song)\n#endif\nclass Song {}",
                "#if canImport(ObjectiveC)\n\n#endif\nclass Song {}"
            ),
            ("@nonobjc class func a() {}", "@nonobjc class func a() {}"),
            ("let a = \"@objc(b)\" // @objc", "let a = \"@objc(b)\" // @objc"),
        ])
    func attributes(_ text: String, _ wanted: String) throws {
        #expect(try rewritten(text) == wanted + "\n")
    }

    @Test(
        "key paths become strings without the type",
        arguments: [
            ("#keyPath(Song.title)", "\"title\""), ("#keyPath(Song.artist.name)", "\"artist.name\""),
            ("#keyPath(title)", "\"title\""),
            ("#keyPath(artist.name)", "\"artist.name\""),
            ("\"\\(#keyPath(Song.title)) == 1\"", "\"\\(\"title\") == 1\""),
            ("#keyPath(Other.Inner.title)", "\"Inner.title\""),
            ("#keyPath(Song.Inner.title)", "\"title\""), ("#keyPath(Song.`default`)", "\"default\""),
            ("#keyPath(Song.renamed.x)", "\"other.x\""),
        ])
    func keyPaths(_ text: String, _ wanted: String) throws {
        let classes = "class Song: NSManagedObject { class Inner {}; @objc(other) var renamed = 1 }\n"
        #expect(try rewritten(classes + "let a = " + text).hasSuffix("let a = \(wanted)\n"))
    }

    @Test(
        "selectors become strings with Objective-C names",
        arguments: [
            ("#selector(NSString.caseInsensitiveCompare(_:))", "caseInsensitiveCompare:"),
            ("#selector(Song.play)", "playWithSpeed:"), ("#selector(stop)", "stop"),
            ("#selector(Song.play(speed:))", "playWithSpeed:"), ("#selector(a.move(to:at:))", "moveTo:at:"),
            ("#selector(getter: Song.title)", "title"),
            ("#selector(setter: Song.title)", "setTitle:"), ("#selector(named(_:))", "other:"),
            ("#selector(f(_:_:) as (Song) -> (Int) -> Void)", "f::"),
        ])
    func selectors(_ text: String, _ wanted: String) throws {
        let classes =
            "class Song: NSManagedObject { func play(speed: Int) {}; @objc(other:) func named(_ a: Int) {} }\n"
        #expect(try rewritten(classes + "let a = " + text).hasSuffix("let a = Selector(\"\(wanted)\")\n"))
    }

    @Test(
        "initializers that the framework requires become required",
        arguments: [
            (
                "override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}",
                "required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}"
            ),
            (
                "@objc private override init(entity e: NSEntityDescription, insertInto c: NSManagedObjectContext?) {}",
                "required init(entity e: NSEntityDescription, insertInto c: NSManagedObjectContext?) {}"
            ),
            (
                "required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}",
                "required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}"
            ),
            (
                "public convenience init(context moc: NSManagedObjectContext) {}",
                "public convenience required init(context moc: NSManagedObjectContext) {}"
            ),
            (
                "convenience init(context: NSManagedObjectContext, name: String) {}",
                "convenience init(context: NSManagedObjectContext, name: String) {}"
            ),
        ])
    func initializers(_ text: String, _ wanted: String) throws {
        #expect(
            try rewritten("class Song: NSManagedObject { \(text) }") == "class Song: NSManagedObject { \(wanted) }\n")
    }

    @Test("casts of requests that always fail on Linux are removed")
    func casts() throws {
        #expect(
            try rewritten("let a = B(fetchRequest: c as! NSFetchRequest<NSFetchRequestResult>)")
                == "let a = B(fetchRequest: c )\n")
        #expect(
            try rewritten("let a = c as! NSFetchRequest<any NSFetchRequestResult>, d = e as! Song")
                == "let a = c , d = e as! Song\n")
    }

    @Test("properties and methods have their bodies in the same lines")
    func managed() throws {
        let text = """
            class Song: NSManagedObject {
                @NSManaged
                public var title: String?, count: Int16
                @NSManaged private(set) var plays: Int64; @NSManaged var primitiveTitle: String!
                @objc(addSongsObject:) @NSManaged func addToList(_: Song)
                @objc(shown) @NSManaged var isShown: Bool
            }
            """
        let lines = try rewritten(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count == text.split(separator: "\n").count + 1)
        #expect(
            lines[2].contains(
                """
                public var title: String? { get { self[Self._managed_title] } set { self[Self._managed_title] = \
                newValue } };
                """
            ))
        #expect(lines[2].contains("; public var count: Int16 {"))
        #expect(
            lines[3].contains("private(set) var plays: Int64 {")
                && lines[3].contains("ManagedProperty<Optional<String>>(\"primitiveTitle\")")
                && lines[3].contains("withPrimitiveAccess"))
        #expect(
            lines[4].contains("func addToList(_ value0: Song) { self.add(value0, to:")
                && lines[4].contains("ManagedRelationship(\"songs\")"))
        #expect(lines[5].contains("ManagedProperty<Bool>(\"shown\")"))
    }

    @Test(
        "a copy compiles without warnings, and errors have the line of the original",
        .enabled(if: SwiftCompiler.isAvailable))
    func compiles() throws {
        let text = """
            import Foundation
            import CoreData
            @objc(Song)
            public class Song: NSManagedObject {
                private enum Mood: Int16 { case merry }
                private struct Secret: Hashable { var a = 1 }
                @NSManaged private var mood: Mood
                @NSManaged private var secrets: [Secret]?
                @NSManaged public var title: String!, list: NSSet?
                @NSManaged public var `default`: Int64
                @objc override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) { \
            super.init(entity: entity, insertInto: context) }
                convenience init(context: NSManagedObjectContext) { self.init(entity: Song.entity(), insertInto: \
            context) }
                func a() -> String { #keyPath(Song.title) }
                func b() -> Selector { #selector(NSString.localizedStandardCompare(_:)) }
            }
            private class Part: NSManagedObject { @NSManaged var whole: Song?; @NSManaged var parts: Set<Part>; \
            @NSManaged func addToParts(_ part: Part) }
            extension Song {
                @nonobjc public class func fetchRequest() -> NSFetchRequest<Song> { NSFetchRequest<Song>(entityName: \
            "Song") }
                @objc(addListObject:) @NSManaged public func addToList(_ value: Song)
                @objc(addList:) @NSManaged public func addToList(_ values: NSSet)
            }
            final class Final: Song { @NSManaged var more: Double }
            """
        let variants = [("", false), ("\nlet x: Int = \"a\"", true)]
        for (extra, isWrong) in TestRun.isLong ? variants : [variants[0]] {
            try withTemporaryFolder { folder in
                let source = SwiftSource(path: folder.appendingPathComponent("Song.swift").path, text: text + extra)
                try Data(source.text.utf8).write(to: URL(fileURLWithPath: source.path))
                let module = ModuleSources(module: "App", compiled: [], rewritten: [source])
                let files = try [module.registration()].compactMap { $0 } + module.rewrittenCopies()
                for file in files { try Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name)) }
                let (code, output) = try SwiftCompiler.run(
                    ["-module-name", "App", "-parse-as-library", "-typecheck"] + files.map(\.name), in: folder)
                #expect((code != 0) == isWrong && !output.contains("warning:"), "\(output)")
                if isWrong { #expect(output.contains("Song.swift:23:14: error:"), "\(output)") }
            }
        }
    }
}
