import CoreDataPredicates

/// A statement that is written once and run for many objects, whose primary keys it binds.
package struct SQLKeyedStatement: Sendable, Equatable {
    /// The keys that one run of the statement binds.
    package enum Keys: Sendable, Equatable {
        /// One key.
        case one
        /// Any number of keys.
        case many
    }

    package let text: String
    package let keys: Keys
    private let parameterCount: Int
    private let dialect: any SQLDialect

    package init(_ select: SQLSelect, keys: Keys, dialect: any SQLDialect) {
        var generator = SQLGenerator(dialect: dialect)
        generator.append(select)
        text = generator.text
        parameterCount = generator.keyParameterCount
        self.keys = keys
        self.dialect = dialect
    }

    /// The values to bind for one key.
    package func bindings(for key: Int64) -> [SQLValue] {
        keys == .one ? Array(repeating: .integer(key), count: parameterCount) : bindings(for: [key])
    }

    /// The values to bind for several keys. The statement must be one for many keys.
    package func bindings(for keys: [Int64]) -> [SQLValue] {
        precondition(self.keys == .many, "The statement binds one key at a time; request the statement for many keys.")
        return Array(repeating: dialect.list(ofKeys: keys), count: parameterCount)
    }

    package static func == (one: SQLKeyedStatement, two: SQLKeyedStatement) -> Bool {
        one.text == two.text && one.keys == two.keys
    }
}
