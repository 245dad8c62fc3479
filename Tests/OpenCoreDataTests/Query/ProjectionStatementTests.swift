import CoreDataModel
import CoreDataPredicates
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("The text of statements for dictionaries")
struct ProjectionStatementTests {
    let library = try! Library()

    private func text(
        _ columns: [Any], group: [String] = [], having: String? = nil, sort: [NSSortDescriptor] = [],
        counting: Bool = false
    ) throws -> String {
        var description = FetchDescription()
        description.resultType = .dictionaryResultType
        description.propertiesToFetch = columns
        description.propertiesToGroupBy = group
        description.havingPredicate = try having.map { try NSPredicate.parse($0) }
        description.sortDescriptors = sort
        let query = library.query("Song")
        let found = try ProjectionBuilder.projection(of: description, layout: query.layout)
        let projection = try requireValue(found)
        return try library.translator.statement(
            query, selecting: counting ? .valueCount(projection) : .values(projection)
        ).text
    }

    private func column(_ name: String, _ format: String) throws -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = try NSExpression.parse(format)
        return description
    }

    @Test("one statement groups, filters, sorts and counts")
    func groups() throws {
        let count = try column("n", "count:(SELF)")
        let best = try column("best", "max:(rating)")
        try expectEqual(
            text(
                ["artist.name", count, best], group: ["artist.name"], having: "$n > 1",
                sort: [NSSortDescriptor(key: "n", ascending: false)]),
            """
            SELECT t1.ZNAME, COUNT(*), MAX(t0.ZRATING) FROM ZSONG t0 LEFT OUTER JOIN ZARTIST t1 ON t0.ZARTIST \
            = t1.Z_PK GROUP BY t1.ZNAME HAVING COUNT(*) > ? ORDER BY COUNT(*) DESC, t1.ZNAME
            """
        )
        try expectEqual(
            text([count], group: ["title"], counting: true),
            "SELECT COUNT(*) FROM (SELECT COUNT(*) FROM ZSONG t0 GROUP BY t0.ZTITLE ORDER BY t0.ZTITLE) c")
        try expectEqual(text([best]), "SELECT MAX(t0.ZRATING) FROM ZSONG t0")
    }

    @Test("an object is read as its key, and its entity number if the entity has subentities, without a join")
    func objects() throws {
        let objects = try text(["artist", "title"])
        expectTrue(objects.hasPrefix("SELECT t0.ZARTIST, t0.Z"), "\(objects)")
        expectTrue(objects.hasSuffix("_ARTIST, t0.ZTITLE FROM ZSONG t0"), "\(objects)")
        try expectEqual(text(["title"], counting: true), "SELECT COUNT(*) FROM ZSONG t0")
    }
}
