import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

/// Statements of queries that are known by their shapes.
@Suite("A compiled query")
struct CompiledQueryTests {
    let library: Library
    let queries: SQLCompiledQueries

    init() throws {
        library = try Library()
        queries = SQLCompiledQueries(library.translator)
    }

    private func query(_ format: String, _ arguments: Any?...) throws -> StoreQuery {
        library.query("Artist", try NSPredicate.parse(format, arguments: arguments.map { $0 ?? NSNull() }))
    }

    /// A query is asked often enough that its statement is kept, and gets what the translator gives each time.
    private func check(
        _ query: StoreQuery, _ selection: SQLSelection = .identifiers, _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for _ in 0..<3 {
            #expect(
                try queries.statement(query, selecting: selection)
                    == library.translator.statement(query, selecting: selection), comment,
                sourceLocation: sourceLocation)
        }
    }

    @Test("is that of all queries that differ in their values")
    func values() throws {
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        for (age, name) in [(3, "a"), (-1, ""), (0, "it's"), (3, "3")] {
            let query = try query("age > %@ AND (name == %@ OR born < %@)", age, name, date)
            let statement = try queries.statement(query, selecting: .identifiers)
            expectEqual(statement, (try library.translator.statement(query, selecting: .identifiers)))
            expectEqual(statement.bindings.suffix(3), [.integer(Int64(age)), .text(name), .timestamp(date)])
        }
        expectEqual(queries.count, 1)
    }

    @Test("has the limit and the offset of each query")
    func limits() throws {
        for (limit, offset) in [(3, 7), (1, 1), (Int.max, 2)] {
            var query = try query("age > 3")
            query.limit = limit
            query.offset = offset
            try check(query)
        }
        expectEqual(queries.count, 1)
    }

    @Test("is another one for values of another type, and for nil")
    func types() throws {
        for value in [3, 2.5, "3", Decimal(3), UUID(), Date(), UInt64.max, Double.nan, nil, [1, 2]] as [Any?] {
            let query = try query("age == %@ OR name == %@", value, "a")
            try check(query)
        }
    }

    @Test("is another one for another entity, order, selection, operator, key path and side")
    func parts() throws {
        var all = try [
            query("age > 3"), query("age >= 3"), query("3 > age"), query("idol.age > 3"), query("NOT age > 3"),
            library.query("Band", .parse("age > 3", arguments: [])), query("score > 3"), library.query("Artist"),
            query("name == 'age'"), query("age > 3 AND age > 3"), query("age > 3 OR age > 3"),
        ]
        all += all.map { query in
            var query = query
            query.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
            return query
        }
        all += all.map { query in
            var query = query
            query.includesSubentities = false
            return query
        }
        for query in all {
            try check(query)
            try check(query, .count)
            let plan = try RowPlans(library).plan(query)
            try check(query, .columns(plan.columns))
        }
        expectEqual(queries.count, 3 * all.count)
    }

    /// The columns of the rows of a query.
    private struct RowPlans {
        private let plans: SQLPlans

        init(_ library: Library) {
            plans = SQLPlans(
                schema: library.schema, layouts: library.query("Artist").layout.model, dialect: SQLiteDialect(),
                location: "library")
        }

        func plan(_ query: StoreQuery) throws -> RowPlan {
            try plans.rowPlan(query.layout, includesSubentities: query.includesSubentities)
        }
    }

    @Test("doesn't exist where a value decides about the text")
    func valuesThatDecide() throws {
        for count in 0..<3 {
            let query = try query("songs.@count > %@ AND age > 3", count)
            try check(query)
        }
        for text in ["a", "ä"] {
            let query = try query("name ==[c] %@", text)
            try check(query)
        }
        expectEqual(queries.count, 0)
    }

    @Test("has a parameter for each value, equal ones too, of every type")
    func parameters() throws {
        let dialect = NumberedDialect()
        let translator = SQLQueryTranslator(schema: library.schema, dialect: dialect) { _ in nil }
        for value in [3, 2.5, "a", Date(), UUID()] as [Any] {
            for (key, isComparable) in [("age", value is NSNumber), ("name", value is String), ("born", value is Date)]
            where isComparable {
                let queries = SQLCompiledQueries(translator)
                let query = try query("\(key) > %@ OR \(key) < %@", value, value)
                for _ in 0..<2 { _ = try queries.statement(query, selecting: .identifiers) }
                let text = try queries.statement(query, selecting: .identifiers).text
                expectTrue(text.contains("> $1") && text.contains("< $2"), "\(text)")
            }
        }
    }

    @Test("isn't kept for each of a thousand shapes")
    func thousandShapes() throws {
        for number in 0..<1000 {
            let format = (0..<10).map { "age \(number >> $0 & 1 == 0 ? ">" : "<") \(number)" }
            let query = try query(format.joined(separator: " AND "))
            try check(query)
        }
        #expect(queries.count <= 256)
    }

    @Test("is what the translator gives, for random queries", arguments: 0..<4)
    func random(round: Int) throws {
        let seed = TestRun.seed(for: "random compiled queries")
        var source = ShapeSource(random: SeededGenerator(seed: seed))
        for _ in 0..<TestRun.quick(300, long: 3000) {
            let text = source.predicate(depth: 2)
            var query = library.query("Artist", try NSPredicate.parse(text.format, arguments: text.arguments))
            if source.random.chance(1, of: 3) { query.limit = Int.random(in: 0...9, using: &source.random) }
            if source.random.chance(1, of: 3) { query.offset = Int.random(in: 0...9, using: &source.random) }
            if source.random.chance(1, of: 3) {
                query.sortDescriptors = [NSSortDescriptor(key: "name", ascending: source.random.chance(1, of: 2))]
            }
            try check(query, .identifiers, "seed \(seed): \(text.format)")
        }
    }

    /// Makes random comparisons of key paths with values of all types.
    private struct ShapeSource {
        var random: SeededGenerator

        mutating func predicate(depth: Int) -> PredicateSource.Text {
            guard depth > 0, random.chance(1, of: 2) else { return comparison() }
            let word = [" AND ", " OR "].randomElement(using: &random)!
            return part(random.chance(1, of: 4) ? "NOT (" : "(", depth) + part("\(word)(", depth)
        }

        private mutating func part(_ begin: String, _ depth: Int) -> PredicateSource.Text {
            PredicateSource.Text(format: begin) + predicate(depth: depth - 1) + PredicateSource.Text(format: ")")
        }

        private mutating func comparison() -> PredicateSource.Text {
            let keys = [
                "age", "score", "isActive", "price", "name", "born", "ident", "link", "photo", "idol", "idol.age",
                "idol.idol.name", "founded", "songs.@count",
            ]
            let values: [Any] = [
                0, 1, -7, Int.max, 2.5, -0.0, Double.infinity, UInt64.max, true, Float(0.5), Decimal(7), "", "a", "ä",
                "5",
                Date(timeIntervalSinceReferenceDate: 0), Date.distantFuture, UUID(), Data([1]),
                URL(string: "https://example.com/a")!, NSNull(),
            ]
            let key = keys.randomElement(using: &random)!
            let symbol = ["==", "!=", "<", "<=", ">", ">="].randomElement(using: &random)!
            let format = random.chance(1, of: 4) ? "%@ \(symbol) \(key)" : "\(key) \(symbol) %@"
            return PredicateSource.Text(format: format, arguments: [values.randomElement(using: &random)!])
        }
    }
}
