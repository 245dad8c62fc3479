import CoreDataClasses
import CoreDataModel

/// Swift sources with managed object classes: the declarations, and the generated and rewritten sources.
struct SwiftSourceKind: InputKind {
    let name = "swift"
    let form = MutationForm.text([
        "@NSManaged", "@objc", "@objc(Name)", "class", "extension", "struct", "enum", "protocol", "typealias", "func",
        "var", "let", "init",
        "#if", "#else", "#endif", "#keyPath(", "#selector(", "\"\"\"", "#\"", "\"#", "\\(", "/*", "*/", "//", "`", "<",
        ">", "->", "?", "!",
        "...", "&", "private(set)", "NSSet?", "[String: [Int]]?", "some", "any", "where", "{", "}", "(", ")", "/a(b/",
        "\u{FEFF}",
    ])

    func samples() throws -> [Data] {
        let text = ##"""
            import CoreData
            import Foundation

            #if os(Linux) && !DEBUG
            typealias Names = [String]
            #endif

            @objc(Song) public final class Song: NSManagedObject, Identifiable {
                @NSManaged public var title: String?
                @NSManaged private(set) var plays: Int64, rating: Double
                @NSManaged var artist: Artist!
                @NSManaged public var tags: [String: [Int]]?
                /* A comment /* in a comment */ */
                let key = #keyPath(Song.artist.name), raw = #"a "quoted" \#(1) text"#
                enum Kind: Int16 { case studio, live }
                @objc dynamic var shown: String { "\(title ?? "no \("title")") " }

                @nonobjc public class func fetchRequest() -> NSFetchRequest<Song> { NSFetchRequest<Song>(entityName: \##
            "Song") }
                override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
                    super.init(entity: entity, insertInto: context)
                }
            }

            // MARK: Generated accessors for songs
            extension Artist {
                @objc(addSongsObject:) @NSManaged public func addToSongs(_ value: Song)
                @objc(addSongs:) @NSManaged public func addToSongs(_ values: NSSet)
                @objc(insertObject:inOldAtIndex:) @NSManaged public func insertIntoOld(_ value: Song, at idx: Int)
                @NSManaged var primitiveName: String?
            }

            class Artist: NSManagedObject {
                @NSManaged var name: String
                @NSManaged public var songs: NSSet?
                @NSManaged var old: NSOrderedSet?
                static let text = """
                    several lines \(1 + (2))
                    """
            }
            """##
        return [Data(text.utf8)]
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let file = folder.appendingPathComponent("Mutant.swift")
        try mutant.write(to: file)
        guard let source = try read(naming: file, { try SwiftSource(contentsOf: file) }) else { return .refused }
        var isRefused = false
        func attempt(_ body: () throws -> Void) throws {
            do { try body() } catch let error as SourceDiagnostics {
                guard error.all.allSatisfy({ $0.path == file.path && $0.line > 0 && $0.column > 0 }) else {
                    throw Finding("a diagnostic without a place: \(error)")
                }
                isRefused = true
            }
        }
        try attempt { _ = try ModuleSources(module: "Mutants", compiled: [source]).generatedAccessors() }
        try attempt { _ = ModuleSources(module: "Mutants", compiled: [source]).registration() }
        try attempt { try rewrite(source) }
        return isRefused ? .refused : .accepted
    }

    /// The copy must have the lines of the original, for the line numbers of diagnostics.
    private func rewrite(_ source: SwiftSource) throws {
        for copy in try ModuleSources(module: "Mutants", compiled: [], rewritten: [source]).rewrittenCopies()
        where copy.text.isEmpty {
            throw Finding("a source was rewritten to nothing")
        }
    }
}
