import CoreDataPredicates

/// A value as SQLite stores it, for binding and for reading outside hot loops.
package enum SQLiteValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

extension SQLiteValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: return "nil"
        case .integer(let value): return String(value)
        case .real(let value): return String(value)
        case .text(let value): return "\"\(value)\""
        case .blob(let value): return "<\(value.count) bytes>"
        }
    }
}
