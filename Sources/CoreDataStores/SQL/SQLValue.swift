// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A value that a statement binds, or that a row contains; each engine converts it to its own types.
///
/// Each engine reads rows with separate readers. They return a value of this type outside hot loops only.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case text(String)
    case bytes(Data)
    case timestamp(Date)
    case uuid(UUID)
    /// A list of keys as one parameter, for engines that bind lists.
    case keys([Int64])
    /// A list of values of one type as one parameter, for engines that bind lists.
    case list([SQLValue])
    /// A value that each query of a compiled statement gives anew, and its value for one of them.
    /// ``SQLCompiledQueries`` replaces it before the statement runs.
    indirect case parameter(SQLQueryValue, SQLValue)
}

/// Which value of a query a parameter of a compiled statement gets.
package enum SQLQueryValue: Sendable, Hashable {
    /// The constant of the predicate with this number.
    case constant(Int)
    case limit
    case offset
}

extension SQLValue {
    /// Whether each engine considers another value equal: engines compare texts by their bytes.
    func isIdentical(to other: SQLValue) -> Bool {
        switch (self, other) {
        case (.text(let one), .text(let two)): ExactText(one) == ExactText(two)
        case (.list(let ones), .list(let twos)):
            ones.count == twos.count && zip(ones, twos).allSatisfy { $0.isIdentical(to: $1) }
        default: self == other
        }
    }
}

extension SQLValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: return "nil"
        case .integer(let value): return String(value)
        case .real(let value): return String(value)
        case .decimal(let value): return "\(value)"
        case .text(let value): return "\"\(value)\""
        case .bytes(let value): return "<\(Wording.count(value.count, "byte"))>"
        case .timestamp(let value): return "\(value)"
        case .uuid(let value): return value.uuidString
        case .keys(let keys): return "{" + keys.map(String.init).joined(separator: ", ") + "}"
        case .list(let values): return "{" + values.map(\.description).joined(separator: ", ") + "}"
        case .parameter(_, let value): return value.description
        }
    }
}
