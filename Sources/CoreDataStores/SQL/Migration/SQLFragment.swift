// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Text of a statement with the values that the statement binds at their places: `"Z_ENT = \(value: .integer(3))"`.
package struct SQLFragment: Sendable, Equatable {
    fileprivate enum Part: Sendable, Equatable {
        case text(String)
        case value(SQLValue)
    }

    private var parts: [Part]

    /// Fragments, one after the other.
    init(_ fragments: some Sequence<SQLFragment>, separator: String = "") {
        parts = []
        for (index, fragment) in fragments.enumerated() {
            if index > 0, !separator.isEmpty { parts.append(.text(separator)) }
            parts += fragment.parts
        }
    }

    /// The statement, with the placeholders of a dialect.
    package func statement(_ dialect: any SQLDialect) -> SQLStatement {
        var text = ""
        var values: [SQLValue] = []
        for part in parts {
            switch part {
            case .text(let part): text += part
            case .value(let value):
                values.append(value)
                text += dialect.placeholder(values.count)
            }
        }
        return SQLStatement(text: text, bindings: values)
    }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.text(literal)) }
        }
        package mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }
        package mutating func appendInterpolation(_ fragment: SQLFragment) { parts += fragment.parts }
        package mutating func appendInterpolation(value: SQLValue) { parts.append(.value(value)) }
        package mutating func appendInterpolation(number: Int) { parts.append(.value(.integer(Int64(number)))) }
    }

    package init(stringLiteral text: String) { parts = [.text(text)] }
    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }
}
