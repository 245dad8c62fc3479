import CoreDataClasses
import Testing

@Suite("Symbol names", .enabled(if: SwiftCompiler.isAvailable))
struct SymbolNameTests {
    @Test("names of accessors and methods are those of the compiler")
    func fixture() throws {
        let files = [
            "Song.swift": """
            import CoreData
            public typealias SongSet = NSSet
            public enum Kind: Int16 { case plain, live }
            open class Song: NSManagedObject {
                public enum Mood: String { case merry, sad }
                public class Part: NSManagedObject { @NSManaged public var partName: String; @NSManaged var whole: \
            Song? }
                @NSManaged public var title: String?
                @NSManaged open var subtitle: String!
                @NSManaged public var a: Int16, b: Int32, c: Int64, d: Int
                @NSManaged public private(set) var done: Bool
                @NSManaged private var primitiveTitle: String?
                @NSManaged fileprivate var secretFilePrivate: [String]?
                @NSManaged final var size: Double
                @NSManaged var weight: Float
                @NSManaged var date: Date?
                @NSManaged var data: Data?
                @NSManaged var uuid: UUID?
                @NSManaged var url: URL?
                @NSManaged var decimal: Decimal?
                @NSManaged var money: NSDecimalNumber?
                @NSManaged var number: NSNumber?
                @NSManaged var others: SongSet?
                @NSManaged var mutable: NSMutableSet
                @NSManaged var ordered: NSOrderedSet?
                @NSManaged var typed: Set<Song>
                @NSManaged var typed2: Set<Song.Part>?
                @NSManaged var words: [String]
                @NSManaged var counts: [String: Int]?
                @NSManaged var nested: [String: [Set<Date>]]?
                @NSManaged var kind: Kind
                @NSManaged var mood: Mood
                @NSManaged var any: Any?
                @NSManaged var object: AnyObject?
                @NSManaged var `default`: Interval
                typealias Interval = TimeInterval
                @NSManaged var locale: Locale
                @NSManaged var größe: Int64
                @NSManaged var `with space`: Int64
            }
            private class Hidden: NSManagedObject {
                @NSManaged var title: String?
                @NSManaged private var other: Hidden?
                @NSManaged public func addToOthers(_ value: Hidden)
                @NSManaged var sames: NSSet?
            }
            extension Song.Part { @NSManaged var extra: Song.Part?; enum Inner: Int { case x }; @NSManaged var inner: \
            Inner }
            """,
            "Song+Methods.swift": """
            import CoreData
            public extension Song {
                @NSManaged func addToOthers(_ value: Song)
                @NSManaged func addToOthers(_ values: NSSet)
                @NSManaged func removeFromOthers(_ values: Set<Song>)
                @NSManaged func insertIntoOrdered(_ value: Song, at idx: Int)
                @NSManaged func insertIntoOrdered(_ values: [Song], at indexes: NSIndexSet)
                @NSManaged func removeFromOrdered(at idx: Int)
                @NSManaged func replaceOrdered(at idx: Int, with value: Song)
                @NSManaged func replaceOrdered(at indexes: NSIndexSet, with values: [Song])
                @NSManaged func addOthersObject(_ value: Song)
                @NSManaged func addOthers(_ values: NSSet)
            }
            private extension Song { @NSManaged var veryPrivate: Int64 }
            extension NSManagedObject { @NSManaged var common: String?; @NSManaged fileprivate var commonSecret: \
            NSManagedObject? }
            extension Song { fileprivate class Deep: NSManagedObject { @NSManaged var deep: Deep? } }
            final class Solo: Song { @NSManaged override var title: String?; @NSManaged var `self`: Solo? }
            """,
        ]
        try withTemporaryFolder { folder in
            let wanted = try SwiftCompiler.managedSymbols(module: "App", files: files, in: folder)
            let sources = ModuleSources(
                module: "App",
                compiled: files.sorted { $0.key < $1.key }.map { SwiftSource(path: $0.key, text: $0.value) })
            let supply = try requireValue(try sources.generatedAccessors())
            let given = generatedSymbols(supply.text)
            expectEqual(given.subtracting(wanted).sorted(), [])
            expectEqual(wanted.subtracting(given).sorted(), [])
            #expect(given.count > 100)
            // The generated file compiles with the sources, without warnings.
            try Data(supply.text.utf8).write(to: folder.appendingPathComponent(supply.name))
            let (code, output) = try SwiftCompiler.run(
                ["-module-name", "App", "-typecheck"] + (files.keys + [supply.name]).sorted(), in: folder)
            expectEqual(code, 0, "\(output)")
            #expect(!output.contains("warning:"), "\(output)")
        }
    }

    @Test("another module is optimized against public accessors", .enabled(if: TestRun.isLong))
    func optimized() throws {
        let library = SwiftSource(
            path: "Media.swift",
            text: """
                import CoreData
                open class Media: NSManagedObject {
                    @NSManaged open var title: String?
                    @NSManaged public internal(set) var rating: Int16
                    @NSManaged public func addToOthers(_ value: Media)
                    public func rate() { rating += 1 }
                }
                """)
        let program = """
            import CoreData
            import Lib
            public final class Film: Media {}
            public func test(_ film: Film) -> Int16 { film.title = film.title.map { $0 + "!" }; \
            film.addToOthers(film); film.rate(); return film.rating }
            """
        try withTemporaryFolder { folder in
            let supply = try requireValue(try ModuleSources(module: "Lib", compiled: [library]).generatedAccessors())
            for (name, text) in [(library.path, library.text), (supply.name, supply.text), ("Film.swift", program)] {
                try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            }
            let options = ["-parse-as-library", "-O", "-whole-module-optimization", "-enable-default-cmo", "-c"]
            let first = try SwiftCompiler.run(
                options + ["-module-name", "Lib", "-emit-module", "-o", "Lib.o", library.path, supply.name], in: folder)
            expectEqual(first.code, 0, "\(first.output)")
            #expect(!first.output.contains("warning:"), "\(first.output)")
            let second = try SwiftCompiler.run(
                options + ["-I", ".", "-module-name", "App", "-o", "App.o", "Film.swift"], in: folder)
            expectEqual(second.code, 0, "\(second.output)")
            #expect(!second.output.contains("warning:"), "\(second.output)")
        }
    }

    @Test("names of random classes, properties and labels are those of the compiler", .enabled(if: TestRun.isLong))
    func random() throws {
        let seed = TestRun.seed(for: "symbol names")
        var generator = RandomSources(seed: seed)
        let module = generator.name(capital: true)
        let files = [
            "\(generator.name(capital: true)).swift": generator.file(),
            "\(generator.name(capital: true))+Ärger.swift": generator.file(),
        ]
        try withTemporaryFolder { folder in
            let wanted = try SwiftCompiler.managedSymbols(module: module, files: files, in: folder)
            let sources = ModuleSources(
                module: module,
                compiled: files.sorted { $0.key < $1.key }.map { SwiftSource(path: $0.key, text: $0.value) })
            let given = generatedSymbols(try requireValue(try sources.generatedAccessors()).text)
            expectEqual(given.subtracting(wanted).sorted(), [], "seed \(seed)")
            expectEqual(wanted.subtracting(given).sorted(), [], "seed \(seed)")
        }
    }
}

/// Sources whose names use the compiler's substitutions: shared words, digits, underscores and non-ASCII letters.
struct RandomSources {
    private var generator: SeededGenerator
    private var used: Set<String> = []
    private var classes: [String] = []
    private static let words = [
        "Song", "song", "Artist", "title", "Set", "X", "URL", "to", "NSSet", "a1", "_", "9", "Über", "名", "managed",
        "App", "Song2", "in", "é",
    ]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func name(capital: Bool) -> String {
        while true {
            var text = capital ? "C" : "p"
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                text += Self.words.randomElement(using: &generator)!
            }
            if used.insert(text).inserted { return text }
        }
    }

    mutating func type(depth: Int = 0) -> String {
        let plain = [
            "String", "Int16", "Int32", "Int64", "Int", "Bool", "Double", "Float", "Date", "Data", "UUID", "URL",
            "Decimal", "NSNumber",
            "NSDecimalNumber", "NSSet", "NSOrderedSet", "NSObject",
        ]
        let roll = Int.random(in: 0..<(depth > 2 ? 6 : 11), using: &generator)
        switch roll {
        case 0..<4: return plain.randomElement(using: &generator)!
        case 4..<6: return classes.randomElement(using: &generator) ?? "String"
        case 6: return "\(type(depth: depth + 1))?"
        case 7: return "[\(type(depth: depth + 1))]"
        case 8:
            let elements = ["String", "Int64", "Date", classes.randomElement(using: &generator) ?? "UUID"]
            return "Set<\(elements.randomElement(using: &generator)!)>"
        case 9: return "[\(["String", "Int64"].randomElement(using: &generator)!): \(type(depth: depth + 1))]"
        default: return "\(type(depth: depth + 1))?"
        }
    }

    mutating func file() -> String {
        var text = "import CoreData\n"
        for _ in 0..<4 {
            let name = name(capital: true)
            let inner = self.name(capital: true)
            text +=
                """
                class \(name): NSManagedObject {\n    class \(inner): NSManagedObject { @NSManaged var \
                \(self.name(capital: false)): \(name)? }\n
                """
            classes += [name, "\(name).\(inner)"]
            text += members(of: name, count: 15) + "}\nextension \(name) {\n" + members(of: name, count: 10) + "}\n"
        }
        return text
    }

    private mutating func members(of owner: String, count: Int) -> String {
        var text = ""
        for _ in 0..<count {
            let access = ["", "", "public ", "private ", "fileprivate "].randomElement(using: &generator)!
            if Int.random(in: 0..<4, using: &generator) == 0 {
                let key = "X" + name(capital: true)
                let form = [
                    "addTo\(key)(_ value: \(owner))", "removeFrom\(key)(_ values: NSSet)",
                    "insertInto\(key)(_ value: \(owner), at index: Int)",
                    "replace\(key)(at index: NSIndexSet, with values: [\(owner)])", "removeFrom\(key)(at index: Int)",
                ].randomElement(using: &generator)!
                text += "    @NSManaged \(access)func \(form)\n"
            } else {
                text += "    @NSManaged \(access)var \(name(capital: false)): \(type())\n"
            }
        }
        return text
    }
}
