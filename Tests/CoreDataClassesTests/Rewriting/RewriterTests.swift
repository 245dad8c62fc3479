import Testing

@testable import CoreDataClasses
@testable import SwiftDeclarations

@Suite("Rewritten copies")
struct RewriterTests {
    /// The copy without the line of its location.
    private func rewritten(_ text: String, path: String = "/a/Song.swift") throws -> String {
        let copy = try requireValue(
            try ModuleSources(module: "App", compiled: [], rewritten: [SwiftSource(path: path, text: text)])
                .rewrittenCopies().first)
        expectEqual(copy.name, "Managed-Song.swift")
        let lines = copy.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        expectEqual(lines[0], "#sourceLocation(file: \"\(path)\", line: 1)")
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
        try expectEqual(rewritten(text), wanted + "\n")
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
        expectTrue(try rewritten(classes + "let a = " + text).hasSuffix("let a = \(wanted)\n"))
    }

    @Test(
        "selectors become strings with Objective-C names",
        arguments: [
            ("#selector(NSString.caseInsensitiveCompare(_:))", "caseInsensitiveCompare:"),
            ("#selector(stop)", "stop"), ("#selector(a.move(to:at:))", "moveTo:at:"),
            ("#selector(getter: Song.title)", "title"),
            ("#selector(setter: Song.title)", "setTitle:"),
            ("#selector(f(_:_:) as (Song) -> (Int) -> Void)", "f::"),
        ])
    func selectors(_ text: String, _ wanted: String) throws {
        expectTrue(try rewritten("import CoreData\nlet a = " + text).hasSuffix("let a = Selector(\"\(wanted)\")\n"))
    }

    @Test(
        "selectors of methods of the module call them",
        arguments: [
            (
                "#selector(Song.play)",
                "\"playWithSpeed:\", { (target: Song, argument: Int) in target.play(speed: argument) }"
            ),
            (
                "#selector(play(speed:))",
                "\"playWithSpeed:\", { (target: Song, argument: Int) in target.play(speed: argument) }"
            ),
            ("#selector(self.stop)", "\"stop\", { (target: Song) in _ = target.stop() }"),
            ("#selector(player.named(_:))", "\"other:\", { (target: Song, argument: Int) in target.named(argument) }"),
            (
                "#selector(show)",
                "\"show\", { (target: Song) in nonisolated(unsafe) let target = target; "
                    + "MainActor.assumeIsolated { target.show() } }"
            ),
        ])
    func callingSelectors(_ text: String, _ wanted: String) throws {
        let members = """
            func play(speed: Int) {}; @objc(other:) func named(_ a: Int) {}; func stop() -> Bool { true }; \
            @MainActor func show() {};
            """
        expectTrue(
            try rewritten("import CoreData\nclass Song: NSManagedObject { \(members) func a() { b(\(text)) } }")
                .hasSuffix(" func a() { b(Selector(\(wanted))) } }\n"))
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
        try expectEqual(
            rewritten("class Song: NSManagedObject { \(text) }"), "class Song: NSManagedObject { \(wanted) }\n")
    }

    @Test(
        "casts of fetch requests become calls",
        arguments: [
            (
                "B(fetchRequest: c as! NSFetchRequest<NSFetchRequestResult>)",
                "B(fetchRequest: NSFetchRequest<NSFetchRequestResult>.cast(c)!)"
            ),
            ("a.b(c)[1]!.d as? NSFetchRequest<Song>", "NSFetchRequest<Song>.cast(a.b(c)[1]!.d)"),
            ("try Song.fetchRequest() as! NSFetchRequest<Song>", "try NSFetchRequest<Song>.cast(Song.fetchRequest())!"),
            ("a ?? b as! NSFetchRequest<T>, d = e as! Song", "a ?? NSFetchRequest<T>.cast(b)!, d = e as! Song"),
            ("(a, b(c as! NSFetchRequest<T>))", "(a, b(NSFetchRequest<T>.cast(c)!))"),
            ("[1].map { $0 } as! NSFetchRequest<T>", "NSFetchRequest<T>.cast([1].map { $0 })!"),
            ("A<B>.make() as! NSFetchRequest<T>", "NSFetchRequest<T>.cast(A<B>.make())!"),
            ("a as NSFetchRequest<T>", "a as NSFetchRequest<T>"),
            ("a.b is NSFetchRequest<T>", "(NSFetchRequest<T>.cast(a.b) != nil)"),
            ("!(try a() is NSFetchRequest<T>) || b", "!(try (NSFetchRequest<T>.cast(a()) != nil)) || b"),
            ("a is Song ? b : c", "a is Song ? b : c"),
            ("a as? CoreData.NSFetchRequest<T>", "CoreData.NSFetchRequest<T>.cast(a)"),
        ])
    func casts(_ text: String, _ wanted: String) throws {
        try expectEqual(rewritten("import CoreData\nlet a = " + text), "import CoreData\nlet a = " + wanted + "\n")
    }

    @Test(
        "a cast of a fetched results controller is an error, and so is a pattern",
        arguments: [
            ("let a = b as? NSFetchedResultsController<Song>", 11, "compare controllers by ==="),
            ("let a = b is NSFetchedResultsController<Song>", 11, "compare controllers by ==="),
            ("switch a { case let b as NSFetchRequest<Song>: b() }", 23, "NSFetchRequest<…>.cast(value)"),
            ("switch a { case is NSFetchRequest<Song>: b() }", 17, "NSFetchRequest<…>.cast(value)"),
            ("switch a { case is B, is NSFetchRequest<Song>: b() }", 23, "NSFetchRequest<…>.cast(value)"),
        ])
    func untranslatable(text: String, column: Int, remedy: String) throws {
        let error = try #require(throws: SourceDiagnostics.self) { try rewritten(text) }
        expectEqual(error.all.map(\.column), [column])
        expectEqual(error.all.first?.message.contains(remedy), true)
    }

    @Test(
        "the name of a class stays for its macros, in a form that the compiler accepts",
        arguments: [
            ("@objc(Song) @PersistentModel class Song {}", "@_objcRuntimeName(Song) @PersistentModel class Song {}"),
            (
                "@Kit.Model(1)\n@objc(Song)\nfinal class Song {}",
                "@Kit.Model(1)\n@_objcRuntimeName(Song)\nfinal class Song {}"
            ),
            ("@objc(Song) @MainActor class Song {}", "@MainActor class Song {}"),
            ("@objc @Model class Song {}", "@Model class Song {}"),
            ("@Model class Song { @objc(b) var a = 1 }", "@Model class Song { var a = 1 }"),
            ("@objc(Song) @Model protocol Song {}", "@Model protocol Song: AnyObject {}"),
        ])
    func macroNames(_ text: String, _ wanted: String) throws {
        try expectEqual(rewritten(text), wanted + "\n")
    }

    @Test(
        "optional methods of delegates are called without a question mark",
        arguments: [
            ("a?.controllerDidChangeContent?(b)", "a?.controllerDidChangeContent(b)"),
            ("a?.controller?(b, didChange: c)", "a?.controller(b, didChange: c)"),
            ("a.controller?(b)", "a.controller?(b)"), ("a.other?()", "a.other?()"),
            ("a?.listDidChange?(b)", "a?.listDidChange(b)"), ("a ? (b) : c", "a ? (b) : c"),
        ])
    func optionalCalls(_ text: String, _ wanted: String) throws {
        let declaration = "@objc protocol P { @objc optional func listDidChange(_ list: Int) }\n"
        try expectEqual(
            rewritten(declaration + "let x = " + text),
            "protocol P: AnyObject { func listDidChange(_ list: Int) }\nlet x = \(wanted)\n"
                + "extension P { func listDidChange(_ list: Int) {  } }\n")
    }

    @Test("optional members with an optional type have a default implementation")
    func optionalMembers() throws {
        try expectEqual(
            rewritten(
                "@objc public protocol P { @objc optional func title(of a: Int) -> String?\n"
                    + "@objc optional var name: String? { get } }"),
            "public protocol P: AnyObject { func title(of a: Int) -> String?\nvar name: String? { get } }\n"
                + "public extension P { func title(of a: Int) -> String? { nil } }\n"
                + "public extension P { var name: String? { nil } }\n")
    }

    @Test(
        "protocols that Objective-C sees are bound to classes, so that a delegate can be weak",
        arguments: [
            ("@objc protocol P {}", "protocol P: AnyObject {}"),
            ("@objc(Q) public protocol P: R, S {}", "public protocol P: AnyObject, R, S {}"),
            ("@objc protocol P: NSObjectProtocol {}", "protocol P: NSObjectProtocol {}"),
            ("@objc protocol P: AnyObject {}", "protocol P: AnyObject {}"),
        ])
    func classProtocols(_ text: String, _ wanted: String) throws {
        try expectEqual(rewritten(text), wanted + "\n")
    }

    @Test("an optional member with another type is an error")
    func requiredMembers() {
        #expect(throws: SourceDiagnostics.self) {
            try rewritten("@objc protocol P { @objc optional func count() -> Int }")
        }
    }

    @Test("overrides in extensions move into the class")
    func overrides() throws {
        try expectEqual(
            rewritten(
                """
                @objc(Song) public class Song: NSManagedObject {}
                extension Song {
                    public override func willSave() { super.willSave() }
                    override class func f(_ a: Int, b c: inout Int) throws -> Int { 1 }
                    override open var description: String { "song" }
                    override var title: String { get { "" } set {} }
                }
                """),
            """
            public class Song: NSManagedObject { public override func willSave() { _Song_willSave() };  \
            override class func f(_ a: Int, b c: inout Int) throws -> Int { try _Song_f(a, b: &c) };  \
            override open var description: String { _Song_description };  \
            override var title: String { get { _Song_title } set { _Song_title = newValue } }; }
            extension Song {
                public nonisolated func _Song_willSave() { super.willSave() }
                nonisolated class func _Song_f(_ a: Int, b c: inout Int) throws -> Int { 1 }
                nonisolated public var _Song_description: String { "song" }
                nonisolated var _Song_title: String { get { "" } set {} }
            }

            """)
    }

    @Test("an override that says where it is isolated stays there")
    func isolatedOverrides() throws {
        try expectEqual(
            rewritten(
                "class Song: NSManagedObject {}\nextension Song { @MainActor override func willSave() {} }"),
            "class Song: NSManagedObject { @MainActor override func willSave() { _Song_willSave() }; }\n"
                + "extension Song { @MainActor func _Song_willSave() {} }\n")
    }

    @Test("open members of extensions are public, since they can't be overridden")
    func openMembers() throws {
        try expectEqual(
            rewritten(
                "extension NSManagedObject { @objc open class var a: Int { 1 }; open func b() {} }\nopen class C {}"),
            "extension NSManagedObject { public class var a: Int { 1 }; public func b() {} }\nopen class C {}\n")
    }

    @Test("a method of an extension that a subclass overrides moves into its class")
    func overridden() throws {
        try expectEqual(
            rewritten(
                "class A: NSObject {}\nextension A { @objc func f() {} }\nclass B: A { override func f() {} }"),
            "class A: NSObject { func f() { _A_f() }; }\nextension A { func _A_f() {} }\n"
                + "class B: A { override func f() {} }\n")
    }

    @Test("an override in an extension of a class of another module is an error")
    func foreignOverrides() {
        #expect(throws: SourceDiagnostics.self) {
            try rewritten("extension Elsewhere { override func f() {} }")
        }
    }

    @Test("submodules of CoreData are not imported")
    func submodules() throws {
        try expectEqual(
            rewritten("import CoreData.CoreDataDefines\nimport class Foundation.NSObject"),
            "import CoreData\nimport class Foundation.NSObject\n")
    }

    @Test("a copy that needs CoreData imports it")
    func imports() throws {
        let copy = try requireValue(
            try ModuleSources(
                module: "App", compiled: [],
                rewritten: [
                    SwiftSource(path: "/a.swift", text: "import Foundation\nclass A: Foundation.ValueTransformer {}\n")
                ]
            ).rewrittenCopies().first)
        expectEqual(
            copy.text,
            "import CoreData\n#sourceLocation(file: \"/a.swift\", line: 1)\n"
                + "import Foundation\nclass A: ValueTransformer {}\n")
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
        expectEqual(lines.count, text.split(separator: "\n").count + 1)
        expectContains(
            lines[2],
            """
            public var title: String? { get { self[Self._managed_title.property] } \
            set { self[Self._managed_title.property] = newValue } };
            """)
        expectContains(lines[2], "; public var count: Int16 {")
        expectContains(lines[3], "private(set) var plays: Int64 {")
        expectContains(lines[3], "ManagedPropertyDeclaration<Optional<String>>(\"primitiveTitle\")")
        expectContains(lines[3], "withPrimitiveAccess")
        expectContains(lines[4], "func addToList(_ value0: Song) { self.add(value0, to:")
        expectContains(lines[4], "ManagedRelationship(\"songs\")")
        expectContains(lines[5], "ManagedPropertyDeclaration<Bool>(\"shown\")")
    }

    @Test(
        "a copy compiles without warnings, and errors have the line of the original",
        .enabled(if: SwiftCompiler.isAvailable))
    func compiles() throws {
        let text = """
            import Foundation; import Observation
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
            final class Final: Song { @NSManaged var more: Double }; @objc(Seen) @Observable class Seen { var a = 1 }
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
                expectEqual((code != 0), isWrong, "\(output)")
                #expect(!output.contains("warning:"), "\(output)")
                if isWrong { expectContains(output, "Song.swift:23:14: error:", "\(output)") }
            }
        }
    }
}
