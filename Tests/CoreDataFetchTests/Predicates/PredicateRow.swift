import CoreData
import Testing

/// A predicate on an entity of the realm and what it finds.
struct PredicateRow: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable, Equatable {
        /// The names of the objects, sorted.
        case names([String])
        case count(Int)
        /// All objects but those.
        case except([String])
    }

    /// How a predicate can be asked.
    struct Ways: OptionSet, Sendable {
        let rawValue: Int
        /// By evaluating it on the fetched objects.
        static let objects = Ways(rawValue: 1)
        /// By a fetch.
        static let stores = Ways(rawValue: 2)
        /// By a fetch from SQLite too.
        static let sql = Ways(rawValue: 4)
        /// Its text can be parsed again.
        static let text = Ways(rawValue: 8)
        /// A fetch from SQLite may also be refused.
        static let mayRefuse = Ways(rawValue: 16)
        static let refusable: Ways = [.all, .mayRefuse]
        static let all: Ways = [.objects, .stores, .sql, .text]
        /// Values in it have no text that the language knows: objects, IDs, data, entities, blocks.
        static let withoutText: Ways = [.objects, .stores, .sql]
        /// Keys that only some subentities have: an object of another one doesn't know them.
        static let fetchOnly: Ways = [.stores, .sql, .text]
    }

    let entity: String
    let testDescription: String
    let expected: Expected
    /// The result in SQL, where missing values mean something else.
    let expectedInSQL: Expected
    let ways: Ways
    let predicate: @Sendable (Realm) -> NSPredicate

    /// A format with arguments, and what it finds: names with spaces between, `#` and a count, `all`, or `but` and
    /// names.
    /// - Parameter note: says what the arguments are, where the format alone would name several rows.
    init(
        _ entity: String, _ format: String, note: String? = nil, _ found: String, ways: Ways = .all,
        _ arguments: (@Sendable (Realm) -> [Any])? = nil
    ) {
        self.entity = entity
        testDescription = "\(entity): \(format)" + (note.map { " (\($0))" } ?? "")
        (expected, expectedInSQL) = Self.expectations(found)
        self.ways = ways
        predicate = { NSPredicate(format: format, argumentArray: arguments?($0)) }
    }

    /// A predicate built by code.
    init(
        _ entity: String, code: String, _ found: String, ways: Ways = .all,
        _ predicate: @escaping @Sendable (Realm) -> NSPredicate
    ) {
        self.entity = entity
        testDescription = "\(entity): \(code)"
        (expected, expectedInSQL) = Self.expectations(found)
        self.ways = ways
        self.predicate = predicate
    }

    /// The results in memory and, after a semicolon, in SQL.
    private static func expectations(_ found: String) -> (Expected, Expected) {
        let parts = found.split(separator: ";", omittingEmptySubsequences: false).map { expected(String($0)) }
        return (parts[0], parts[parts.count - 1])
    }

    private static func expected(_ found: String) -> Expected {
        let words = found.split(separator: " ").map(String.init)
        switch words.first {
        case "all": return .except([])
        case "but": return .except(Array(words.dropFirst()))
        case let word? where word.hasPrefix("#"): return .count(Int(word.dropFirst())!)
        default: return .names(words.sorted())
        }
    }

    /// Whether the names are what was expected, if the entity has objects of all those names.
    func isExpected(_ found: [String], of all: [String], inSQL: Bool = false) -> Bool {
        switch inSQL ? expectedInSQL : expected {
        case .names(let names): found == names
        case .count(let count): found.count == count
        case .except(let names): found == all.filter { !names.contains($0) } && Set(names).isSubset(of: all)
        }
    }
}

extension [PredicateRow] {
    /// A table: a row in each line, the format, an arrow and what it finds. Lines that begin with `//` explain.
    init(_ entity: String, ways: PredicateRow.Ways = .all, _ text: String) {
        self = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.hasPrefix("//")
        }.map { line in
            guard let arrow = line.range(of: " ->", options: .backwards) else {
                preconditionFailure("A row without arrow: \(line)")
            }
            return PredicateRow(
                entity, line[..<arrow.lowerBound].trimmingCharacters(in: .whitespaces),
                String(line[arrow.upperBound...]), ways: ways)
        }
    }
}
