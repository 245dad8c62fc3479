import CoreData

/// The type of an attribute in a filter.
enum FilterField: Sendable {
    case text
    case boolean
    case integer
    case date
}

/// The wishes of a client for a list, from the items of the URL's query:
///
///     ?priority.ge=3&title.contains=report&isDone.eq=false&order=due,-priority&limit=20&offset=40
///
/// Only known attributes, operators and forms of values are accepted. Values become constants of expressions: no text
/// of a client is part of a format.
struct ListQuery: Sendable {
    /// Why a query is refused.
    struct Problem: Error {
        let message: String
    }

    private struct Comparison: Sendable {
        let field: String
        let type: NSComparisonPredicate.Operator
        let value: Value
        let isCaseInsensitive: Bool
    }

    private enum Value: Sendable {
        case text(String)
        case boolean(Bool)
        case integer(Int64)
        case date(Date)

        var object: NSObject {
            switch self {
            case .text(let text): text as NSString
            case .boolean(let flag): NSNumber(value: flag)
            case .integer(let number): NSNumber(value: number)
            case .date(let date): date as NSDate
            }
        }
    }

    private static let comparisonLimit = 8
    private static let orderLimit = 4
    private static let textLimit = 200
    static let greatestPage = 100
    static let greatestOffset = 10_000

    private var comparisons: [Comparison] = []
    private var order: [(field: String, isAscending: Bool)] = []
    private(set) var limit = 20
    private(set) var offset = 0

    init(_ items: [(name: String, value: String)], _ fields: [String: FilterField]) throws {
        for (name, value) in items {
            switch name {
            case "limit": limit = try Self.number(value, name, 1...Self.greatestPage)
            // A page reads all rows before it. Instead of a larger offset a client adds a condition on the last value.
            case "offset": offset = try Self.number(value, name, 0...Self.greatestOffset)
            case "order": order = try Self.order(value, fields)
            default: comparisons.append(try Self.comparison(name, value, fields))
            }
        }
        guard comparisons.count <= Self.comparisonLimit else {
            throw Problem(message: "A list has at most \(Self.comparisonLimit) conditions.")
        }
    }

    private static func number(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw Problem(message: "\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func order(
        _ text: String, _ fields: [String: FilterField]
    ) throws -> [(field: String, isAscending: Bool)] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= orderLimit else { throw Problem(message: "A list has at most \(orderLimit) orders.") }
        return try parts.map { part in
            let isAscending = !part.hasPrefix("-")
            let field = String(isAscending ? part : part.dropFirst())
            guard fields[field] != nil else { throw unknown(fields) }
            return (field, isAscending)
        }
    }

    private static func comparison(
        _ name: String, _ text: String, _ fields: [String: FilterField]
    ) throws -> Comparison {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let field = fields[parts[0]] else { throw unknown(fields) }
        let value = try value(text, field, name)
        let isText = if case .text = field { true } else { false }
        let isOrdered = if case .boolean = field { false } else { true }
        let type: NSComparisonPredicate.Operator
        switch parts[1] {
        case "eq": type = .equalTo
        case "ne": type = .notEqualTo
        case "lt" where isOrdered: type = .lessThan
        case "le" where isOrdered: type = .lessThanOrEqualTo
        case "gt" where isOrdered: type = .greaterThan
        case "ge" where isOrdered: type = .greaterThanOrEqualTo
        case "contains" where isText: type = .contains
        case "begins" where isText: type = .beginsWith
        default: throw Problem(message: "\(parts[0]) can't be compared in this way.")
        }
        let isCaseInsensitive = type == .contains || type == .beginsWith
        return Comparison(field: parts[0], type: type, value: value, isCaseInsensitive: isCaseInsensitive)
    }

    private static func value(_ text: String, _ field: FilterField, _ name: String) throws -> Value {
        switch field {
        case .text:
            guard text.count <= textLimit, !text.contains("\0") else { break }
            return .text(text)
        case .boolean:
            guard let flag = Bool(text) else { break }
            return .boolean(flag)
        case .integer:
            guard let number = Int64(text) else { break }
            return .integer(number)
        case .date:
            let style = Date.ISO8601FormatStyle()
            // Foundation takes 30 February for 2 March.
            let clock = "\(text.prefix(19))Z"
            guard let date = try? style.parse(text), TeamModel.dates.contains(date),
                let local = try? style.parse(clock), style.format(local) == clock
            else { break }
            return .date(date)
        }
        throw Problem(message: "The value of \(name) has not the form of the attribute.")
    }

    private static func unknown(_ fields: [String: FilterField]) -> Problem {
        Problem(message: "The attributes of the list are \(fields.keys.sorted().joined(separator: ", ")).")
    }

    // MARK: Requests

    /// The condition of the list, for a team.
    func predicate(_ resource: Resource, _ team: String) -> NSPredicate {
        NSCompoundPredicate(
            andPredicateWithSubpredicates: [resource.predicate(team)]
                + comparisons.map { comparison in
                    NSComparisonPredicate(
                        leftExpression: NSExpression(forKeyPath: comparison.field),
                        rightExpression: NSExpression(forConstantValue: comparison.value.object), modifier: .direct,
                        type: comparison.type, options: comparison.isCaseInsensitive ? .caseInsensitive : [])
                })
    }

    /// The order of the list. The key makes it one order, so that pages don't overlap.
    var sortDescriptors: [NSSortDescriptor] {
        order.map { NSSortDescriptor(key: $0.field, ascending: $0.isAscending) }
            + [NSSortDescriptor(key: "key", ascending: true)]
    }
}
