import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("The text of statements")
struct StatementTextTests {
    let library = try! Library()

    private func plan(_ format: String, _ arguments: [Any] = [], entity: String = "Song") throws -> SQLStatement {
        try library.translator.statement(library.query(entity, NSPredicate.parse(format, arguments: arguments)))
    }

    /// The text after the table of the fetched entity.
    private func qualifier(_ format: String, _ arguments: [Any] = [], entity: String = "Song") throws -> String {
        let text = try plan(format, arguments, entity: entity).text
        let start = "SELECT t0.Z_PK, t0.Z_ENT FROM Z\(entity.uppercased()) t0"
        expectTrue(text.hasPrefix(start))
        return String(text.dropFirst(start.count))
    }

    @Test(
        "is what a programmer would write by hand",
        arguments: [
            ("title == 'a'", " WHERE t0.ZTITLE = ?"),
            ("title != 'a'", " WHERE t0.ZTITLE <> ?"), ("NOT title == 'a'", " WHERE t0.ZTITLE <> ?"),
            ("NOT title != 'a'", " WHERE t0.ZTITLE = ?"), ("title != nil", " WHERE t0.ZTITLE IS NOT NULL"),
            ("NOT title == nil", " WHERE t0.ZTITLE IS NOT NULL"),
            ("NOT rating IN {1, 2}", " WHERE NOT (t0.ZRATING IN (?, ?))"),
            ("NOT rating BETWEEN {1, 5}", " WHERE t0.ZRATING < ? OR t0.ZRATING > ?"),
            ("NOT title CONTAINS 'ab'", " WHERE instr(t0.ZTITLE, ?) <= ?"),
            (
                "NOT title CONTAINS[c] 'ab'",
                " WHERE t0.ZTITLE IS NOT NULL AND NOT NSCoreDataStringSearch(t0.ZTITLE, ?, ?, ?)"
            ),
            ("NOT (rating > 3 AND title == 'a')", " WHERE t0.ZRATING <= ? OR t0.ZTITLE <> ?"),
            ("title != artist.name", " JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK WHERE t0.ZTITLE <> t1.ZNAME"),
            ("title != 5", " WHERE t0.ZTITLE IS NOT NULL"), ("NOT title < nil", " WHERE 0"),
            ("rating > 3 AND title != nil", " WHERE t0.ZRATING > ? AND t0.ZTITLE IS NOT NULL"),
            (
                "NOT (rating > 3 OR title == nil)",
                " WHERE t0.ZRATING <= ? AND t0.ZTITLE IS NOT NULL"
            ),
            ("rating BETWEEN {1, 5}", " WHERE t0.ZRATING >= ? AND t0.ZRATING <= ?"),
            ("rating IN {1, 2}", " WHERE t0.ZRATING IN (?, ?)"), ("rating IN {1}", " WHERE t0.ZRATING = ?"),
            ("rating IN {}", " WHERE 0"), ("TRUEPREDICATE", ""), ("FALSEPREDICATE", " WHERE 0"),
            ("title == artist.name", " JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK WHERE t0.ZTITLE = t1.ZNAME"),
            ("artist == nil", " WHERE t0.ZARTIST IS NULL"),
            ("title BEGINSWITH 'ab'", " WHERE t0.ZTITLE >= ? AND t0.ZTITLE < ?"),
            ("title CONTAINS 'ab'", " WHERE instr(t0.ZTITLE, ?) > ?"),
            ("title BEGINSWITH[cd] 'ab'", " WHERE NSCoreDataStringSearch(t0.ZTITLE, ?, ?, ?)"),
            ("title LIKE 'a*'", " WHERE NSCoreDataLike(t0.ZTITLE, ?, ?)"),
            ("title MATCHES[c] 'a.*'", " WHERE NSCoreDataMatches(t0.ZTITLE, ?, ?)"),
            ("title == 5", " WHERE 0"),
            ("title ==[n] 'a'", " WHERE t0.ZTITLE = ?"), ("title ==[l] 'a'", " WHERE t0.ZTITLE = ?"),
            ("title < 'a'", " WHERE t0.ZTITLE < ?"),
            ("title < artist.name", " JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK WHERE t0.ZTITLE < t1.ZNAME"),
            ("title IN {'a', 'b'}", " WHERE t0.ZTITLE IN (?, ?)"),
            ("rating IN ({1} UNION {2})", " WHERE t0.ZRATING IN (?, ?)"),
            ("title BEGINSWITH ''", " WHERE t0.ZTITLE >= ?"),
            ("CAST(title, 'NSString') == 'a'", " WHERE t0.ZTITLE = ?"),
            ("CAST(rating, 'NSNumber') == 1", " WHERE t0.ZRATING = ?"),
            ("rating / 2 == 1", " WHERE (t0.ZRATING / ?) = ?"), ("floor(rating) == 1", " WHERE t0.ZRATING = ?"),
            ("seconds / 2.5 == 1", " WHERE (CAST(t0.ZSECONDS AS REAL) / ?) = ?"),
            ("abs(seconds) == 1", " WHERE abs(t0.ZSECONDS) = ?"),
            ("NOT abs(seconds) > 1", " WHERE abs(t0.ZSECONDS) <= ?"),
            ("'a' == 'b'", " WHERE 0"), ("2 > 1", ""), ("NOT nil < 1", " WHERE 0"),
            (
                "NOT tags.@count IN {1, 2}",
                """
                 WHERE ((SELECT COUNT(*) FROM Z_4TAGS t1 JOIN ZTAG t2 ON t2.Z_PK = t1.Z_5TAGS WHERE t1.Z_4SONGS = \
                t0.Z_PK) IN (?, ?)) IS NOT TRUE
                """
            ),
        ])
    func songs(format: String, expected: String) throws {
        try expectEqual(qualifier(format), expected)
    }

    @Test(
        "reads to-many relationships in inner selects",
        arguments: [
            (
                "ANY songs.title == 'a'",
                " WHERE EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK AND t1.ZTITLE = ?)"
            ),
            (
                "NONE songs.title == 'a'",
                " WHERE NOT EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK AND t1.ZTITLE = ?)"
            ),
            (
                "ALL songs.rating > 3",
                """
                 WHERE NOT EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK AND (t1.ZRATING <= ? OR \
                t1.ZRATING IS NULL))
                """
            ),
            (
                "ANY songs.tags.name == 'a'",
                """
                 WHERE EXISTS (SELECT 1 FROM ZSONG t1 JOIN Z_4TAGS t2 ON t2.Z_4SONGS = t1.Z_PK JOIN ZTAG t3 ON \
                t3.Z_PK = t2.Z_5TAGS WHERE t1.ZARTIST = t0.Z_PK AND t3.ZNAME = ?)
                """
            ),
            ("songs.@count == 0", " WHERE NOT EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK)"),
            ("songs.@count > 0", " WHERE EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK)"),
            ("songs.@count >= 1", " WHERE EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK)"),
            ("songs.@count < 1", " WHERE NOT EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK)"),
            ("songs.@count <= 0", " WHERE NOT EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK)"),
            ("ANY songs.title == 5", " WHERE 0"),
            ("ALL songs.title == 5", " WHERE NOT EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK)"),
            ("ANY songs != nil", " WHERE EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK)"),
            (
                "NOT 'a' IN songs.title",
                " WHERE NOT EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK AND t1.ZTITLE = ?)"
            ),
            ("songs.@count > 2", " WHERE (SELECT COUNT(*) FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK) > ?"),
            (
                "songs.@max.rating == 5",
                " WHERE (SELECT MAX(t1.ZRATING) FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK) = ?"
            ),
            (
                "SUBQUERY(songs, $s, $s.rating > 3).@count > 0",
                " WHERE EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK AND t1.ZRATING > ?)"
            ),
            (
                "ANY favourites.rating == 1",
                " WHERE EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.Z1FAVOURITES = t0.Z_PK AND t1.ZRATING = ?)"
            ),
            (
                "ANY friends.age == 1",
                """
                 WHERE EXISTS (SELECT 1 FROM ZARTIST t1 WHERE (t1.Z_PK IN (SELECT t2.REFLEXIVE FROM Z_1FRIENDS t2 \
                WHERE t2.Z_1FRIENDS = t0.Z_PK) OR t1.Z_PK IN (SELECT t3.Z_1FRIENDS FROM Z_1FRIENDS t3 WHERE \
                t3.REFLEXIVE = t0.Z_PK)) AND t1.ZAGE = ?)
                """
            ),
        ])
    func artists(format: String, expected: String) throws {
        try expectEqual(qualifier(format, entity: "Artist"), expected)
    }

    @Test("binds constants with the type of their attribute")
    func constants() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5.5)
        let uuid = UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F")!
        let url = URL(string: "http://a.example/")!
        try expectEqual(
            plan(
                "born == %@ AND ident == %@ AND link == %@ AND photo == %@ AND isActive == YES AND price == %@",
                [date, uuid, url, Data([1]), NSDecimalNumber(string: "2.5")], entity: "Artist"
            ).bindings,
            [
                .timestamp(date), .uuid(uuid), .text("http://a.example/"), .bytes(Data([1])), .integer(1),
                .decimal(Decimal(string: "2.5")!),
            ])
    }

    @Test("compares objects by key, and finds none for a pending object or one of another store")
    func objects() throws {
        let artist = LibraryObject(library.entity("Band"), key: 7)
        let saved = try plan("artist == %@", [artist])
        expectTrue(saved.text.hasSuffix("WHERE t0.ZARTIST = ?"))
        expectEqual(saved.bindings, [.integer(7)])
        let unsaved = LibraryObject(library.entity("Band"), key: -1)
        try expectEqual(qualifier("artist == %@", [unsaved]), " WHERE 0")
        try expectEqual(qualifier("artist != %@", [unsaved]), " WHERE t0.ZARTIST IS NOT NULL")
        try expectEqual(qualifier("artist == %@", [LibraryObject(library.entity("Tag"), key: 7)]), " WHERE 0")
        try expectEqual(qualifier("artist IN %@", [[artist, unsaved]]), " WHERE t0.ZARTIST = ?")
        try expectEqual(
            qualifier("SELF IN %@", [Set([LibraryObject(library.entity("Song"), key: 2)])]), " WHERE t0.Z_PK = ?")
    }

    @Test("compares entities by number, and resolves key paths of subqueries")
    func entityKeys() throws {
        let band = library.entity("Band")
        try expectEqual(qualifier("entity == %@", [band], entity: "Artist"), " WHERE t0.Z_ENT = ?")
        try expectEqual(
            qualifier("artist.entity IN %@", [[band, library.entity("Duo")]]),
            " JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK WHERE t1.Z_ENT IN (?, ?)")
        try expectEqual(
            qualifier("ANY SUBQUERY(songs, $s, $s.rating > 1).title == 'a'", entity: "Artist"),
            """
             WHERE EXISTS (SELECT 1 FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK AND t1.ZRATING > ? AND t1.ZTITLE \
            = ?)
            """
        )
    }

    @Test(
        "compares values in which nil equals nil, and values that are never nil by =",
        arguments: [
            ("age == idol.age", " LEFT OUTER JOIN ZARTIST t1 ON t0.ZIDOL = t1.Z_PK WHERE t0.ZAGE IS t1.ZAGE"),
            ("songs.@count == age", " WHERE (SELECT COUNT(*) FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK) = t0.ZAGE"),
            ("age == songs.@count", " WHERE t0.ZAGE = (SELECT COUNT(*) FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK)"),
            (
                "age == songs.@count + 1",
                " WHERE t0.ZAGE = ((SELECT COUNT(*) FROM ZSONG t1 WHERE t1.ZARTIST = t0.Z_PK) + ?)"
            ),
            ("age == random()", " WHERE t0.ZAGE = NSCoreDataRandom()"),
        ])
    func differentMissingValues(format: String, expected: String) throws {
        let predicate = try NSPredicate.parse(format)
        (predicate as? NSComparisonPredicate)?.missingValues = .different
        try expectEqual(
            library.translator.statement(library.query("Artist", predicate)).text,
            "SELECT t0.Z_PK, t0.Z_ENT FROM ZARTIST t0" + expected)
    }

    @Test("selects the keys on one side of a key, for the pages of a table")
    func keyRanges() throws {
        func text(_ isAscending: Bool, isNegated: Bool = false) throws -> String {
            let range = KeyRangePredicate(after: 5, isAscending: isAscending)
            let predicate = isNegated ? NSCompoundPredicate(notPredicateWithSubpredicate: range) : range
            return try library.translator.statement(library.query("Song", predicate)).text
        }
        let start = "SELECT t0.Z_PK, t0.Z_ENT FROM ZSONG t0 WHERE t0.Z_PK "
        try expectEqual(text(true), start + "> ?")
        try expectEqual(text(false), start + "< ?")
        try expectEqual(text(true, isNegated: true), start + "<= ?")
    }

    @Test("may use properties of a subentity")
    func subentityAttributes() throws {
        try expectEqual(qualifier("founded > 3", entity: "Artist"), " WHERE t0.ZFOUNDED > ?")
        try expectEqual(
            qualifier("artist.founded > 3"),
            " JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK WHERE t1.ZFOUNDED > ?")
    }

    @Test("tests the entity number only if other entities share the table")
    func entities() throws {
        func text(_ entity: String, subentities: Bool) throws -> String {
            var query = library.query(entity)
            query.includesSubentities = subentities
            return try library.translator.statement(query).text
        }
        try expectEqual(text("Song", subentities: false), "SELECT t0.Z_PK, t0.Z_ENT FROM ZSONG t0")
        try expectEqual(text("Artist", subentities: true), "SELECT t0.Z_PK, t0.Z_ENT FROM ZARTIST t0")
        try expectEqual(
            text("Artist", subentities: false), "SELECT t0.Z_PK, t0.Z_ENT FROM ZARTIST t0 WHERE t0.Z_ENT = ?")
        try expectEqual(
            text("Band", subentities: true), "SELECT t0.Z_PK, t0.Z_ENT FROM ZARTIST t0 WHERE t0.Z_ENT IN (?, ?)")
        try expectEqual(text("Duo", subentities: true), "SELECT t0.Z_PK, t0.Z_ENT FROM ZARTIST t0 WHERE t0.Z_ENT = ?")
    }

    @Test("selects columns after key and version, in the requested order")
    func columns() throws {
        let song = library.schema.entitiesByName["Song"]!
        let columns = SQLSelection.columns([song.column("title")!, song.column("artist")!])
        try expectEqual(
            library.translator.statement(library.query("Song"), selecting: columns).text,
            "SELECT t0.Z_PK, t0.Z_OPT, t0.ZTITLE, t0.ZARTIST FROM ZSONG t0")
    }

    @Test("selects the entity number of rows of a table with several entities")
    func entityNumbers() throws {
        let columns = SQLSelection.columns([library.schema.entitiesByName["Band"]!.column("name")!])
        expectTrue(
            try library.translator.statement(library.query("Band"), selecting: columns).text.hasPrefix(
                "SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZNAME FROM ZARTIST t0"))
    }

    @Test("sorts, limits and skips rows in the engine; equal rows are in the order of keys")
    func ordering() throws {
        var query = library.query("Song")
        query.sortDescriptors = [
            NSSortDescriptor(key: "artist.name", ascending: true, selector: "localizedStandardCompare:"),
            NSSortDescriptor(key: "rating", ascending: false), NSSortDescriptor(key: "tags.@count", ascending: true),
        ]
        query.limit = 10
        query.offset = 5
        let plan = try library.translator.statement(query)
        expectEqual(
            plan.text,
            """
            SELECT t0.Z_PK, t0.Z_ENT FROM ZSONG t0 LEFT OUTER JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK ORDER BY \
            t1.ZNAME COLLATE NSCollateFinderlike, t0.ZRATING DESC, (SELECT COUNT(*) FROM Z_4TAGS t2 JOIN ZTAG \
            t3 ON t3.Z_PK = t2.Z_5TAGS WHERE t2.Z_4SONGS = t0.Z_PK), t0.Z_PK LIMIT ? OFFSET ?
            """
        )
        expectEqual(plan.bindings, [.integer(10), .integer(5)])
    }

    @Test("counts the rows within limit and offset")
    func counting() throws {
        var query = library.query("Song")
        query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        try expectEqual(
            library.translator.statement(query, selecting: .count).text, "SELECT COUNT(*) FROM ZSONG t0")
        query.offset = 3
        try expectEqual(
            library.translator.statement(query, selecting: .count).text,
            "SELECT COUNT(*) FROM (SELECT t0.Z_PK FROM ZSONG t0 LIMIT -1 OFFSET ?) c")
    }
}
