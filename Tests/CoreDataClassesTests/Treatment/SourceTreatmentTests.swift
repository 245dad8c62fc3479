import Testing

@testable import CoreDataClasses
@testable import SwiftDeclarations

/// The treatment of a source, as text in a table.
private enum Expected: String {
    case translated
    /// The source is compiled and nothing is said, or it isn't compiled.
    case alone
    case error
    case warning
}

@Suite("The treatment of a target's sources")
struct SourceTreatmentTests {
    /// The treatments of a source that is compiled, and of the same source if the target excludes it.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        fileprivate let compiled: Expected
        fileprivate let excluded: Expected

        fileprivate init(_ text: String, _ compiled: Expected, _ excluded: Expected) {
            self.text = text
            self.compiled = compiled
            self.excluded = excluded
        }

        var testDescription: String { text }
    }

    static let cases: [Case] = [
        Case("struct A {}", .alone, .alone),
        Case("import Foundation\nclass A: NSObject {}", .alone, .alone),
        // Core Data.
        Case("import CoreData", .alone, .translated),
        Case("import OpenCoreData", .alone, .translated),
        Case("import CoreData.CoreDataDefines", .alone, .translated),
        Case("#if canImport(CoreData)\nimport CoreData\n#endif", .alone, .translated),
        Case("import App\nclass A: NSManagedObject { @NSManaged var b: Int }", .alone, .translated),
        Case("// import CoreData", .alone, .alone),
        // Objective-C.
        Case("@objc(B) class A: NSObject {}", .error, .translated),
        Case("@objcMembers class A: NSObject {}", .error, .translated),
        Case("class A: NSObject { @objc func b() {} }", .error, .translated),
        Case("let a = #keyPath(A.b)", .error, .translated),
        Case("let a = #selector(A.b)", .error, .translated),
        Case("let a = \"#keyPath(A.b)\"", .alone, .translated),
        Case("#if canImport(ObjectiveC)\n@objc(A)\n#endif\nclass A {}", .alone, .translated),
        // Foundation.
        Case("import Foundation\nclass A: Foundation.ValueTransformer {}", .error, .translated),
        Case("import Foundation\nlet a: Foundation.UndoManager? = nil", .error, .translated),
        Case("import class Foundation.UndoManager", .alone, .alone),
        Case("import Foundation\nlet a = Foundation.URL(fileURLWithPath: \"\")", .alone, .alone),
        // Casts.
        Case("let a = b as! NSFetchRequest<Song>", .warning, .translated),
        Case("let a = b as? NSFetchRequest<Song>", .warning, .translated),
        Case("let a = b is NSFetchRequest<Song>", .warning, .translated),
        Case("func a<T>(_ b: Any) -> NSFetchRequest<T> { b as! NSFetchRequest<T> }", .warning, .translated),
        Case("let a = b as! CoreData.NSFetchRequest<Song>", .warning, .translated),
        Case("let a = b as NSFetchRequest<Song>", .alone, .alone),
        Case("let a = b as? Song, c = d is Song", .alone, .alone),
        Case("switch a { case let b as NSFetchRequest<Song>: c(b) }", .warning, .translated),
        Case("switch a { case is NSFetchRequest<Song>: c() }", .warning, .translated),
        Case("let a = b as? NSFetchedResultsController<Song>", .warning, .translated),
        Case("let a = b is NSFetchedResultsController<Song>", .warning, .translated),
        Case("#if os(Linux)\nlet a = b as! NSFetchRequest<Song>\n#endif", .alone, .translated),
        // Overrides in extensions.
        Case("class A: B {}\nextension A { override func f() {} }", .error, .translated),
        Case("extension NSObject { override func f() {} }", .error, .translated),
        Case("#if canImport(ObjectiveC)\nextension A { override func f() {} }\n#endif", .alone, .translated),
    ]

    private func treatment(_ treatments: SourceTreatments, _ source: SwiftSource) -> Expected {
        switch treatments.treatment(of: source) {
        case .translated: .translated
        case .leftAlone: .alone
        case .reported(let reports): reports.contains { $0.severity == .error } ? .error : .warning
        }
    }

    @Test("a source that is compiled", arguments: cases)
    func compiled(_ row: Case) {
        let source = SwiftSource(path: "/t/A.swift", text: row.text)
        let treatments = SourceTreatments(module: "App", folder: "/t", compiled: [source], excluded: [])
        expectEqual(treatment(treatments, source), row.compiled)
    }

    @Test("a source that the target excludes", arguments: cases)
    func excluded(_ row: Case) {
        let source = SwiftSource(path: "/t/A.swift", text: row.text)
        let treatments = SourceTreatments(
            module: "App", folder: "/t", compiled: [SwiftSource(path: "/t/main.swift", text: "")], excluded: [source])
        expectEqual(treatment(treatments, source), row.excluded)
        expectEmpty(treatments.reports)
    }

    @Test(
        "an excluded source without any use is translated if its whole folder is excluded with a source that has one",
        arguments: [
            ("App/Plain.swift", "App/Song.swift", true), ("App/More/Plain.swift", "App/Song.swift", true),
            ("App/Plain.swift", "App/Model/Song.swift", true), ("Other/Plain.swift", "App/Song.swift", false),
            ("Plain.swift", "App/Song.swift", false), ("Main/Plain.swift", "Main/Song.swift", false),
        ])
    func folders(plain: String, needed: String, isTranslated: Bool) {
        let plain = SwiftSource(path: "/t/" + plain, text: "struct A {}")
        let treatments = SourceTreatments(
            module: "App", folder: "/t", compiled: [SwiftSource(path: "/t/Main/main.swift", text: "")],
            excluded: [plain, SwiftSource(path: "/t/" + needed, text: "import CoreData")])
        expectEqual((treatments.treatment(of: plain) == .translated), isTranslated)
    }

    @Test("a report has the line, and names what helps")
    func report() throws {
        let source = SwiftSource(
            path: "/t/A.swift", text: "import CoreData\nlet a = b as! NSFetchRequest<Song>\n@objc class A {}\n")
        let treatments = SourceTreatments(module: "App", folder: "/t", compiled: [source], excluded: [])
        let reports = treatments.reports.map(\.description)
        try #require(reports.count == 2)
        expectTrue(reports[0].hasPrefix("/t/A.swift:2:11: warning: this cast fails on Linux for a request of another"))
        expectContains(reports[0], "call cast(_:) of NSFetchRequest<…>, or list the file under 'exclude:'")
        expectTrue(reports[1].hasPrefix("/t/A.swift:3:1: error: the compiler on Linux refuses @objc: list the file"))
    }

    @Test(
        "an override in an extension of another module's class names what helps there",
        arguments: [
            ("class A: B {}\nextension A { override func f() {} }", "or move 'f()' into the body of the class"),
            ("extension NSObject { override func f() {} }", "Override 'f()' in a subclass, or put it between '#if"),
        ])
    func overrides(text: String, remedy: String) {
        let source = SwiftSource(path: "/t/A.swift", text: text)
        let treatments = SourceTreatments(module: "App", folder: "/t", compiled: [source], excluded: [])
        expectEqual(treatments.reports.count, 1)
        expectEqual(treatments.reports.first?.message.contains(remedy), true)
    }
}
