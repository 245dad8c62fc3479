import CoreData
import Testing

/// A fetch request on the realm and what it finds.
///
/// Clauses with semicolons between, an arrow, and the result: `where year > 1990; sort -year name; limit 2 -> Grass
/// Echo`. The clauses are `where` and a predicate, `sort` and keys (`-` for descending, `/` and a selector), `limit`,
/// `offset`, `exact` (no subentities), `stored` (no unsaved changes), `distinct`, `fetch` and columns with commas
/// between (`name` or `name := expression`), `group` and `having`.
struct FetchRow: Sendable, CustomTestStringConvertible {
    let entity: String
    let text: String
    let answer: String
    let clauses: [String: String]

    init(_ entity: String, _ line: String) {
        guard let arrow = line.range(of: " ->", options: .backwards) else {
            preconditionFailure("A row without arrow: \(line)")
        }
        self.entity = entity
        text = line[..<arrow.lowerBound].trimmingCharacters(in: .whitespaces)
        answer = line[arrow.upperBound...].trimmingCharacters(in: .whitespaces)
        clauses = text.components(separatedBy: "; ").reduce(into: [:]) { clauses, clause in
            let words = clause.split(separator: " ", maxSplits: 1)
            clauses[String(words[0])] = words.count > 1 ? String(words[1]) : ""
        }
    }

    static func table(_ entity: String, _ text: String) -> [FetchRow] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.hasPrefix("//") }.map {
            FetchRow(entity, $0)
        }
    }

    var testDescription: String { "\(entity): \(text)" }

    /// The names of the objects, in order if the request has one.
    var names: [String] {
        let names = answer.split(separator: " ").map(String.init)
        return isSorted ? names : names.sorted()
    }

    /// The dictionaries as texts, in order if the request has one.
    var dictionaries: [String] {
        let rows = answer.components(separatedBy: " | ").map { $0 == "()" ? "" : $0 }
        return isSorted ? rows : rows.sorted()
    }

    var isSorted: Bool { clauses["sort"] != nil }

    func apply<Result: NSFetchRequestResult>(to request: NSFetchRequest<Result>) {
        request.predicate = clauses["where"].map { NSPredicate(format: $0, argumentArray: nil) }
        request.sortDescriptors = clauses["sort"]?.split(separator: " ").map { Self.descriptor(String($0)) }
        request.fetchLimit = clauses["limit"].flatMap(Int.init) ?? 0
        request.fetchOffset = clauses["offset"].flatMap(Int.init) ?? 0
        request.includesSubentities = clauses["exact"] == nil
        request.includesPendingChanges = clauses["stored"] == nil
        request.returnsDistinctResults = clauses["distinct"] != nil
        guard let columns = clauses["fetch"] else { return }
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = Self.list(columns).map { text -> Any in
            let parts = text.components(separatedBy: " := ")
            return parts.count == 1 ? text : column(parts[0], NSExpression(format: parts[1], argumentArray: []))
        }
        request.propertiesToGroupBy = clauses["group"].map(Self.list)
        request.havingPredicate = clauses["having"].map { NSPredicate(format: $0, argumentArray: nil) }
    }

    func request<Result: NSFetchRequestResult>(_ type: Result.Type = NSManagedObject.self) -> NSFetchRequest<Result> {
        let request = NSFetchRequest<Result>(entityName: entity)
        apply(to: request)
        return request
    }

    /// The parts between commas that no parentheses enclose.
    private static func list(_ text: String) -> [String] {
        var depth = 0
        return text.split { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return character == "," && depth == 0
        }.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func descriptor(_ text: String) -> NSSortDescriptor {
        let parts = text.drop { $0 == "-" }.split(separator: "/").map(String.init)
        let ascending = !text.hasPrefix("-")
        guard parts.count == 2 else { return NSSortDescriptor(key: parts[0], ascending: ascending) }
        return NSSortDescriptor(key: parts[0], ascending: ascending, selector: NSSelectorFromString(parts[1]))
    }

    /// Names in the order of the result.
    func arranged(_ names: [String]) -> [String] { isSorted ? names : names.sorted() }
}
