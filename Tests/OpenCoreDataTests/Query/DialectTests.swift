import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

/// The differences of another engine: numbered parameters, arrays, a type for conditions, dates.
struct NumberedDialect: SQLDialect {
    private let base = SQLiteDialect()

    func placeholder(_ number: Int) -> String { "$\(number)" }
    var canRepeatPlaceholders: Bool { true }
    var maximumParameterCount: Int { base.maximumParameterCount }
    var maximumListCount: Int { 2 }
    func list(_ values: [SQLValue]) -> SQLListParameter? {
        SQLListParameter(value: .text("\(values)")) { " = ANY (\($0))" }
    }
    func list(ofKeys keys: [Int64]) -> SQLValue { .text("\(keys)") }
    func keyMembership(_ placeholder: String) -> String { " = ANY (\(placeholder)::bigint[])" }
    func table(_ name: String) -> String { base.table(name) }
    func operation(_ symbol: SQLOperator) -> (infix: String, suffix: String) { base.operation(symbol) }
    var ordersDistinctRowsBySelectedValues: Bool { true }
    func constant(_ value: Bool) -> String { value ? "true" : "false" }
    var nullSafeEqualOperator: String { "IS NOT DISTINCT FROM" }
    var nullSafeNotEqualOperator: String { "IS DISTINCT FROM" }
    func nullOrder(isAscending: Bool) -> String { isAscending ? " NULLS FIRST" : " NULLS LAST" }
    var unlimited: String { "ALL" }
    func conversion(to type: SQLConversion) -> (prefix: String, suffix: String) {
        switch type {
        case .real, .wideReal: ("(", ")::double precision")
        case .wideInteger: ("(", ")::bigint")
        case .decimal: ("(", ")::numeric")
        case .seconds: ("seconds(", ")")
        case .date: ("date(", ")")
        }
    }
    func insertIfAbsent(into target: String, values: String) -> String {
        "INSERT INTO \(target) \(values) ON CONFLICT DO NOTHING"
    }
    func function(_ function: SQLFunction) -> (name: String, constants: [Int64])? { base.function(function) }
    func name(of aggregate: SQLAggregate) -> String? { base.name(of: aggregate) }
    func function(
        _ test: SQLTextTest, options: NSComparisonPredicate.Options
    ) -> (name: String, constants: [Int64])? { base.function(test, options: options) }
    func collation(forSelector selector: String) -> SQLCollation? { base.collation(forSelector: selector) }
}

@Suite("A dialect")
struct DialectTests {
    let library = try! Library()

    private func statement(_ query: StoreQuery) throws -> SQLStatement {
        try SQLQueryTranslator(schema: library.schema, dialect: NumberedDialect()) { _ in nil }.statement(query)
    }

    @Test(
        "writes parameters, constants, equality, lists and conversions",
        arguments: [
            ("rating > 3 AND title == 'a'", " WHERE t0.ZRATING > $1 AND t0.ZTITLE = $2"),
            ("rating IN {}", " WHERE false"), ("rating IN {1, 2}", " WHERE t0.ZRATING IN ($1, $2)"),
            ("rating IN {1, 2, 3}", " WHERE t0.ZRATING = ANY ($1)"),
            (
                "title == artist.name",
                " JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK WHERE t0.ZTITLE = t1.ZNAME"
            ),
            (
                "artist.born + 5 > CAST(7, 'NSDate')",
                """
                 LEFT OUTER JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK WHERE date((seconds(t1.ZBORN) + $1)) > $2
                """
            ),
            (
                "artist.born - artist.idol.born > 5",
                """
                 LEFT OUTER JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK LEFT OUTER JOIN ZARTIST t2 ON t1.ZIDOL = t2.Z_PK \
                WHERE (seconds(t1.ZBORN) - seconds(t2.ZBORN)) > $1
                """
            ),
        ])
    func conditions(format: String, expected: String) throws {
        let query = try library.query("Song", NSPredicate.parse(format, arguments: []))
        try expectEqual(statement(query).text, "SELECT t0.Z_PK, t0.Z_ENT FROM ZSONG t0" + expected)
    }

    @Test("writes the order of NULLs, and the limit that stands for none")
    func ordering() throws {
        var query = library.query("Song")
        query.sortDescriptors = [
            NSSortDescriptor(key: "rating", ascending: false), NSSortDescriptor(key: "title", ascending: true),
        ]
        query.offset = 5
        try expectEqual(
            statement(query).text,
            """
            SELECT t0.Z_PK, t0.Z_ENT FROM ZSONG t0 ORDER BY t0.ZRATING DESC NULLS LAST, t0.ZTITLE NULLS FIRST, \
            t0.Z_PK NULLS FIRST LIMIT ALL OFFSET $1
            """)
    }

    @Test("repeats the parameter of a keyed statement, or binds it once for each occurrence")
    func keyedStatements() throws {
        guard case .toMany(let friends)? = library.schema.entitiesByName["Artist"]?.properties["friends"] else {
            Issue.record("Artist has no relationship friends")
            return
        }
        let numbered = SQLKeyedStatements(dialect: NumberedDialect()).content(of: friends, keys: .many)
        expectEqual(numbered.text.components(separatedBy: "= ANY ($1::bigint[])").count, 3)
        expectEqual(numbered.bindings(for: [1, 2]), [.text("[1, 2]")])
        let unnumbered = SQLKeyedStatements(dialect: SQLiteDialect()).content(of: friends, keys: .many)
        expectEqual(unnumbered.bindings(for: [1, 2]), [.text("[1,2]"), .text("[1,2]")])
    }

    @Test("reads objects without DISTINCT, since a row includes its key")
    func distinctObjects() throws {
        var query = library.query("Song")
        query.returnsDistinctResults = true
        query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        try expectEqual(
            library.translator.statement(query).text,
            "SELECT t0.Z_PK, t0.Z_ENT FROM ZSONG t0 ORDER BY t0.ZTITLE, t0.Z_PK")
    }
}
