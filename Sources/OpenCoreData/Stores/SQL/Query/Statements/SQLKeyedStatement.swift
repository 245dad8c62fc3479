import CoreDataPredicates

/// A statement that is made once and run for many objects, given by their primary keys.
package struct SQLKeyedStatement: Sendable, Equatable {
    package enum Keys: Sendable, Equatable {
        /// One key at a time.
        case one
        /// Any number of keys at once.
        case many
    }

    package let text: String
    package let keys: Keys
    private let parameterCount: Int
    private let dialect: any SQLDialect

    init(_ select: SQLSelect, keys: Keys, parameterCount: Int, dialect: any SQLDialect) {
        var generator = SQLGenerator(dialect: dialect)
        generator.append(select)
        text = generator.text
        self.keys = keys
        self.parameterCount = parameterCount
        self.dialect = dialect
    }

    /// The values to bind for one key.
    package func bindings(for key: Int64) -> [SQLValue] {
        keys == .one ? Array(repeating: .integer(key), count: parameterCount) : bindings(for: [key])
    }

    /// The values to bind for several keys; the statement must be one for many.
    package func bindings(for keys: [Int64]) -> [SQLValue] {
        precondition(self.keys == .many, "This statement takes one key at a time; ask for the one for many.")
        return Array(repeating: dialect.packed(keys: keys), count: parameterCount)
    }

    package static func == (one: SQLKeyedStatement, two: SQLKeyedStatement) -> Bool {
        one.text == two.text && one.keys == two.keys
    }
}
