import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("Common fetches use the indexes of the model")
struct IndexUseTests {
    let library: Library

    init() throws {
        let model = LibraryModel.make()
        func index(_ entity: String, _ keys: String...) {
            let entity = model.entitiesByName[entity]!
            let elements = keys.map {
                NSFetchIndexElementDescription(property: entity.propertiesByName[$0]!, collationType: .binary)
            }
            entity.indexes.append(
                NSFetchIndexDescription(name: "by" + keys.joined(separator: "And"), elements: elements))
        }
        index("Artist", "name", "age")
        index("Artist", "age")
        index("Artist", "born")
        index("Artist", "ident")
        index("Band", "founded")
        index("Song", "title")
        index("Song", "seconds")
        index("Tag", "name")
        library = try Library(model: model)
        var random = SeededGenerator(seed: 5)
        try library.fill(&random)
    }

    /// The query plan of SQLite.
    private func steps(_ query: StoreQuery, selecting selection: SQLSelection = .identifiers) throws -> [String] {
        let plan = try library.translator.statement(query, selecting: selection)
        let statement = try library.connection.statement("EXPLAIN QUERY PLAN " + plan.text)
        defer { statement.reset() }
        try statement.bind(plan.bindings)
        var steps: [String] = []
        while try statement.step() { steps.append(statement.text(at: 3) ?? "") }
        return steps
    }

    private func expect(
        _ steps: [String], toHave parts: [String], allowing exceptions: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for part in parts {
            #expect(steps.contains { $0.contains(part) }, "no \(part) in \(steps)", sourceLocation: sourceLocation)
        }
        let scans = steps.filter { step in
            (step.hasPrefix("SCAN") && !step.contains("json_each") || step.contains("TEMP B-TREE")
                || step.contains("AUTOMATIC"))
                && !exceptions.contains { step.contains($0) }
        }
        #expect(scans == [], "\(steps)", sourceLocation: sourceLocation)
    }

    private static let date = Date(timeIntervalSinceReferenceDate: 86_400)

    @Test(
        "for comparisons of a key",
        arguments: [
            ("name == 'a'", "(ZNAME=?)"), ("age > 5", "(ZAGE>?)"), ("age >= 1 AND age < 5", "(ZAGE>? AND ZAGE<?)"),
            ("born BETWEEN {%@, %@}", "(ZBORN>? AND ZBORN<?)"), ("born > %@ AND born <= %@", "(ZBORN>? AND ZBORN<?)"),
            ("age IN {1, 2, 3}", "(ZAGE=?)"), ("name == nil", "(ZNAME=?)"),
            ("name BEGINSWITH 'ab'", "(ZNAME>? AND ZNAME<?)"),
            ("name == 'a' AND age > 3", "(ZNAME=? AND ZAGE>?)"), ("age == 1 OR age == 2", "(ZAGE=?)"),
            ("5 < age", "(ZAGE>?)"),
            ("name IN {'a', 'b'} AND age == 3", "(ZNAME=? AND ZAGE=?)"), ("idol == nil AND name == 'a'", "USING INDEX"),
            ("age + 0 == 1 AND born == %@", "(ZBORN=?)"), ("name == 'a' OR born == %@", "MULTI-INDEX OR"),
        ])
    func keys(format: String, part: String) throws {
        let predicate = try NSPredicate.parse(
            format, arguments: [Self.date, Self.date].prefix(format.components(separatedBy: "%@").count - 1).map { $0 })
        expect(try steps(library.query("Artist", predicate)), toHave: ["SEARCH t0", part])
    }

    @Test("for lists of 10,000 values of any type")
    func longLists() throws {
        let lists: [(String, [Any], String)] = [
            ("age", (0..<10_000).map { NSNumber(value: $0) }, "(ZAGE=?)"),
            ("name", (0..<10_000).map { "\($0)" }, "(ZNAME=?)"),
            ("born", (0..<10_000).map { Date(timeIntervalSinceReferenceDate: Double($0) / 3) }, "(ZBORN=?)"),
            ("ident", (0..<10_000).map { _ in UUID() }, "(ZIDENT=?)"),
        ]
        for (key, list, part) in lists {
            expect(
                try steps(library.query("Artist", .parse("%K IN %@", arguments: [key, list]))),
                toHave: ["SEARCH t0", part])
        }
    }

    @Test(
        "for objects and keys across relationships",
        arguments: [
            ("Song", "artist == %@", ["SEARCH t0 USING INDEX ZSONG_ZARTIST_INDEX"]),
            ("Song", "artist IN {%@, %@}", ["ZSONG_ZARTIST_INDEX"]),
            ("Artist", "objectID == %@", ["SEARCH t0 USING INTEGER PRIMARY KEY"]),
            ("Artist", "SELF IN {%@, %@}", ["SEARCH t0 USING INTEGER PRIMARY KEY"]),
            ("Song", "artist.name == 'a'", ["SEARCH t1", "(ZNAME=?)", "ZSONG_ZARTIST_INDEX"]),
            (
                "Song", "artist.idol.name == 'a'",
                ["SEARCH t2", "(ZNAME=?)", "ZARTIST_ZIDOL_INDEX", "ZSONG_ZARTIST_INDEX"]
            ),
            ("Artist", "ANY songs.title == 'a'", ["SEARCH t0 USING INTEGER PRIMARY KEY", "(ZTITLE=?)"]),
            ("Artist", "ANY songs.tags.name == 'a'", ["SEARCH t0 USING INTEGER PRIMARY KEY", "(ZNAME=?)"]),
            ("Artist", "ANY songs.title IN {'a', 'b'} AND age > 1", ["(ZTITLE=?)"]),
            ("Artist", "SUBQUERY(songs, $s, $s.title == 'a' AND $s.rating > 1).@count > 0", ["SEARCH t1"]),
            ("Band", "founded == 3", ["SEARCH t0", "(ZFOUNDED=?)"]),
            ("Band", "name == 'a'", ["SEARCH t0", "(ZNAME=?)"]),
        ])
    func relationships(entity: String, format: String, parts: [String]) throws {
        let artists = Array(library.artists.prefix(format.components(separatedBy: "%@").count - 1))
        let steps = try steps(library.query(entity, .parse(format, arguments: artists)))
        // A counted subquery reads the elements of each owner.
        expect(steps, toHave: parts, allowing: format.hasPrefix("SUBQUERY") ? ["SCAN t0"] : [])
    }

    @Test("for the members of each owner that a predicate only counts")
    func counts() throws {
        for format in ["songs.@count > 0", "songs.@count == 3", "tags.@count > 0"] {
            let entity = format.hasPrefix("tags") ? "Song" : "Artist"
            expect(try steps(library.query(entity, .parse(format))), toHave: ["SEARCH t1"], allowing: ["SCAN t0"])
        }
    }

    @Test("to sort by a key, and by a key of a to-one relationship")
    func sorting() throws {
        var query = library.query("Song")
        query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        query.limit = 10
        expect(try steps(query), toHave: ["USING INDEX"], allowing: ["SCAN t0 USING INDEX"])
        let rating = SQLSelection.columns([library.schema.entitiesByName["Song"]!.column("rating")!])
        expect(try steps(query, selecting: rating), toHave: ["USING INDEX"], allowing: ["SCAN t0 USING INDEX"])
        query.sortDescriptors = [NSSortDescriptor(key: "artist.name", ascending: true)]
        expect(
            try steps(query, selecting: rating), toHave: ["SEARCH t1 USING INTEGER PRIMARY KEY"],
            allowing: ["SCAN t0", "TEMP B-TREE FOR ORDER BY"])
    }

    @Test(
        "and find the same objects as in memory",
        arguments: [
            "ANY songs.title == 'a'", "NONE songs.title == 'a'", "ALL songs.title == 'ab'",
            "ANY songs.tags.name == 'a'", "NOT ANY songs.tags.name IN {'a', ''}",
            "ANY tracks.title == ''", "ANY favourites.title IN {'a', 'A', 'abba'}", "NOT (ANY fans.songs.title == 'a')",
            "ANY songs.title == name",
            "ANY songs.seconds == 0 OR NONE songs.seconds == 2", "ANY friends.name == 'a'",
            "ANY idol.songs.title == 'Abba'",
        ])
    func agreement(format: String) throws {
        let predicate = try NSPredicate.parse(format)
        let expected = library.artists.filter { predicate.asInSQL.evaluate(with: $0) }.map(\.key)
        try expectEqual(library.keys(library.query("Artist", predicate)).sorted(), expected)
    }
}
