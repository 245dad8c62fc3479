import Testing

@testable import CoreDataClasses

@Suite("Generated accessors of @NSManaged declarations")
struct AccessorGeneratorTests {
    private func supply(_ text: String, dependencies: [DependencySources] = []) throws -> String? {
        try ModuleSources(
            module: "App", compiled: [SwiftSource(path: "/a/Song.swift", text: text)], dependencies: dependencies
        ).generatedAccessors()?.text
    }

    private func errors(_ text: String) -> [String] {
        do {
            _ = try supply(text)
            return []
        } catch { return (error as? SourceDiagnostics)?.all.map(\.description) ?? ["\(error)"] }
    }

    @Test("a module without managed declarations needs nothing")
    func nothing() throws {
        let text = "import CoreData\nclass Song: NSManagedObject { var a = 1 }\n"
        try expectEqual(supply(text), nil)
        expectEqual(
            ModuleSources(module: "App", compiled: [SwiftSource(path: "a.swift", text: "struct A {}")]).registration(),
            nil)
    }

    @Test("all errors are reported, with file, line, column and remedy")
    func mistakes() {
        let found = errors(
            """
            class Song: NSManagedObject {
                @NSManaged var a: Unknown?
                @NSManaged var b: (Int, Int)
                @NSManaged func dance(_ a: Int)
                @NSManaged func addToList(_ a: Int)
                private struct Hidden {}
                @NSManaged private var c: Hidden
                @NSManaged var d
            }
            extension Nowhere { @NSManaged var e: Int }
            func f() { class Local: NSManagedObject { @NSManaged var g: Int } }
            class Generic<T>: NSManagedObject { @NSManaged var h: Int }
            """)
        expectEqual(found.count, 9, "\(found)")
        for (error, place) in zip(found, ["2:20", "3:20", "4:21", "5:21", "7:28", "8:20", "10:", "11:43", "12:"]) {
            expectTrue(error.hasPrefix("/a/Song.swift:\(place)"), "\(error)")
            expectContains(error, ": error: ", "\(error)")
        }
        expectContains(found[0], "Unknown")
        expectContains(found[0], "exclude:")
        expectContains(found[0], "ManagedProperty")
    }

    @Test("accessors have the conditions of their declarations and classes")
    func conditions() throws {
        let text = try requireValue(
            try supply(
                """
                #if os(Linux) && \\
                DEBUG
                #endif
                #if FIRST || SECOND
                class Song: NSManagedObject {
                    #if DEBUG
                    @NSManaged var a: Int
                    #elseif RELEASE
                    @NSManaged var b: Int
                    #else
                    @NSManaged var c: Int
                    #endif
                    #if canImport(ObjectiveC)
                    @objc(dd)
                    #endif
                    @NSManaged var d: Int
                }
                #endif
                """))
        let lines = text.split(separator: "\n").map(String.init)
        func conditions(before name: String) -> [String] {
            let index = lines.firstIndex { $0.contains("let App_Song_\(name) ") }!
            return lines[..<index].reversed().prefix { $0.hasPrefix("#if") }.reversed()
        }
        expectEqual(conditions(before: "a"), ["#if (FIRST || SECOND)", "#if (DEBUG)"])
        expectEqual(conditions(before: "b"), ["#if (FIRST || SECOND)", "#if !(DEBUG) && (RELEASE)"])
        expectEqual(conditions(before: "c"), ["#if (FIRST || SECOND)", "#if !(DEBUG) && !(RELEASE)"])
        expectEqual(conditions(before: "d"), ["#if (FIRST || SECOND)"])
    }

    @Test("types are found in dependencies, through aliases and module names")
    func dependencies() throws {
        let library = DependencySources(
            module: "Lib",
            sources: [
                SwiftSource(
                    path: "b.swift",
                    text: "public enum Kind: Int16 { case a }\npublic typealias Kinds = [Kind]\npublic struct Date {}")
            ])
        let text = try requireValue(
            try supply(
                """
                import Lib\nclass Song: NSManagedObject { @NSManaged var a: Kind; @NSManaged var b: Lib.Kinds?; \
                @NSManaged var c: Foundation.Date?; @NSManaged var d: Swift.String }
                """,
                dependencies: [library]))
        expectContains(text, "import Lib\n")
        expectTrue(
            generatedSymbols(text).isSuperset(of: [
                "$s3App4SongC1a3Lib4KindOvg", "$s3App4SongC1bSay3Lib4KindOGSgvg", "$s3App4SongC1dSSvg",
            ]))
        expectContains(text, "ManagedPropertyDeclaration<[Kind]?>")
    }

    @Test("the generated file has the imports of the sources")
    func imports() throws {
        try expectEqual(
            supply("public import CoreData\npublic class Song: NSManagedObject { @NSManaged public var a: Int }")?
                .contains("\npublic import CoreData\n"), true)
        try expectEqual(
            supply("internal import CoreData\nclass Song: NSManagedObject { @NSManaged var a: Int }")?.contains(
                "\ninternal import CoreData\n"), true)
        try expectEqual(
            supply("import OpenCoreData\nclass Song: NSManagedObject { @NSManaged var a: Int }")?.contains(
                "\nimport OpenCoreData\n"), true)
    }

    @Test("A selector with another number of parameters gives no relationship method")
    func selectorWithOtherParameters() {
        #expect(RelationshipMethod(name: "insertIntoOld", labels: [nil], selector: "insertObject:inOldAtIndex:") == nil)
    }

    @Test(
        "a method's name gives relationship and operation",
        arguments: [
            ("addToSongs", [nil], "add songs"), ("removeFromSongs", [nil], "remove songs"),
            ("removeFromSongs", ["at"], "removeAt songs"),
            ("insertIntoSongs", [nil, "at"], "insertAt songs"), ("replaceSongs", ["at", "with"], "replaceAt songs"),
            ("addSongsObject", [nil], "add songs"),
            ("removeSongsObject", [nil], "remove songs"), ("addSongs", [nil], "add songs"),
            ("addTones", [nil], "add tones"), ("addToURLs", [nil], "add uRLs"),
            ("insertObject", [nil, "inSongsAtIndex"], "insertAt songs"),
            ("removeObjectFromSongsAtIndex", [nil], "removeAt songs"),
            ("replaceObjectInSongsAtIndex", [nil, "withObject"], "replaceAt songs"),
            ("removeSongsAtIndexes", [nil], "removeAt songs"),
            ("replaceSongsAtIndexes", [nil, "withSongs"], "replaceAt songs"), ("play", [nil], ""),
            ("addToSongs", [], ""), ("add", [nil], ""),
        ] as [(String, [String?], String)])
    func methodNames(_ name: String, _ labels: [String?], _ wanted: String) {
        let method = RelationshipMethod(name: name, labels: labels)
        expectEqual((method.map { "\($0.operation) \($0.key)" } ?? ""), wanted)
    }

    @Test("classes are registered by name, including nested and renamed classes, without private classes")
    func registration() throws {
        let source = SwiftSource(
            path: "a.swift",
            text: """
                import CoreData
                class Song: NSManagedObject { class Part: Song {} }
                @objc(OldName) class Artist: NSManagedObject {}
                private class Hidden: NSManagedObject {}
                class Other {}
                #if DEBUG
                class Tester: Artist {}
                #endif
                """)
        let text = try requireValue(
            ModuleSources(module: "App", compiled: [source]).registration(extra: ["Made", "Song"])
        )
        .text
        let registered = text.split(separator: "\n").filter {
            $0.contains("NSManagedObject.register") || $0.hasPrefix("    #")
        }.map { $0.trimmingPrefix("    ") }
        expectEqual(
            registered,
            [
                "NSManagedObject.register(Song.self)", "NSManagedObject.register(Song.Part.self)",
                "NSManagedObject.register(Artist.self, as: \"OldName\")",
                "#if (DEBUG)", "NSManagedObject.register(Tester.self)", "#endif", "NSManagedObject.register(Made.self)",
            ])
        expectContains(text, "@section(\".init_array\") @used")
    }

    @Test("methods of migration policies and managers that Objective-C sees are registered by their selectors")
    func migrationMethods() throws {
        let source = SwiftSource(
            path: "a.swift",
            text: """
                import CoreData
                class BasePolicy: NSEntityMigrationPolicy {
                    @objc func cents(forPrice price: NSNumber) -> NSNumber { price }
                    func hidden(_ value: Any) -> Any { value }
                    @objc private func own() {}
                    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}
                }
                @objcMembers final class PricePolicy: BasePolicy {
                    func reset() {}
                }
                extension PricePolicy {
                    @objc(convert:to:) func converted(_ price: Any?, _ currency: String) throws -> Any? { price }
                }
                #if DEBUG
                final class RateManager: NSMigrationManager {
                    @objc func rate(_ name: String) -> Double { 1 }
                }
                #endif
                class Other { @objc func other(_ value: Any) -> Any { value } }
                """)
        let text = try requireValue(ModuleSources(module: "App", compiled: [source]).registration()).text
        let registered = text.split(separator: "\n").filter { $0.contains(".register(") || $0.hasPrefix("    #") }
            .map { String($0.trimmingPrefix("    ")) }
        let argument = "NSMigrationManager.argument"
        expectEqual(
            registered,
            [
                "NSEntityMigrationPolicy.register(\"centsForPrice:\", of: BasePolicy.self) "
                    + "{ return try $0.cents(forPrice: \(argument)(0, of: $1)) }",
                "NSEntityMigrationPolicy.register(\"reset\", of: PricePolicy.self) { _ = $1; $0.reset(); return nil }",
                "NSEntityMigrationPolicy.register(\"convert:to:\", of: PricePolicy.self) "
                    + "{ return try $0.converted(\(argument)(0, of: $1), \(argument)(1, of: $1)) }",
                "#if (DEBUG)",
                "NSMigrationManager.register(\"rate:\", of: RateManager.self) "
                    + "{ return try $0.rate(\(argument)(0, of: $1)) }",
                "#endif",
            ])
    }
}
