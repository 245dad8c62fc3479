// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A statement that is written once and run for many objects, whose primary keys it binds.
package struct SQLKeyedStatement: Sendable, Equatable {
    /// The keys that one run of the statement binds.
    package enum Keys: Sendable, Equatable {
        /// One key.
        case one
        /// Any number of keys.
        case many
        /// All keys of a range.
        case range

        /// The form for a list of different keys: a range if the list has all keys from its least to its greatest.
        static func form(of keys: [Int64]) -> Keys {
            guard keys.count >= 8, let bounds = bounds(keys) else { return .many }
            return bounds.upper &- bounds.lower == Int64(keys.count - 1) ? .range : .many
        }

        fileprivate static func bounds(_ keys: [Int64]) -> (lower: Int64, upper: Int64)? {
            guard var lower = keys.first else { return nil }
            var upper = lower
            for key in keys {
                lower = min(lower, key)
                upper = max(upper, key)
            }
            return (lower, upper)
        }
    }

    package let text: String
    let keys: Keys
    private let parameterCount: Int
    private let dialect: any SQLDialect

    init(_ select: SQLSelect, keys: Keys, dialect: any SQLDialect) {
        var generator = SQLGenerator(dialect: dialect)
        generator.append(select)
        text = generator.text
        parameterCount = generator.keyParameterCount
        self.keys = keys
        self.dialect = dialect
    }

    /// The values to bind for one key.
    func bindings(for key: Int64) -> [SQLValue] {
        keys == .one ? Array(repeating: .integer(key), count: parameterCount) : bindings(for: [key])
    }

    /// The values to bind for several keys. The statement must be for many keys, or for a range.
    func bindings(for keys: [Int64]) -> [SQLValue] {
        precondition(self.keys != .one, "The statement binds one key at a time; request the statement for many keys.")
        if self.keys == .range, let bounds = Keys.bounds(keys) {
            return (0..<parameterCount).map { .integer($0 % 2 == 0 ? bounds.lower : bounds.upper) }
        }
        return Array(repeating: dialect.list(ofKeys: keys), count: parameterCount)
    }

    package static func == (one: SQLKeyedStatement, two: SQLKeyedStatement) -> Bool {
        one.text == two.text && one.keys == two.keys
    }
}
