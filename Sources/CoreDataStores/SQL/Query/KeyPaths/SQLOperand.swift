// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// A value of a row, as predicates and sort descriptors use it.
struct SQLOperand {
    let expression: SQLExpression
    let kind: SQLValueKind
    /// Whether the value may be missing: nil in memory.
    let isOptional: Bool
    /// The condition that the value is missing; nil where the value is missing if it is NULL.
    ///
    /// A NaN is a value in memory, and NULL in SQL.
    private let missing: SQLCondition?

    init(_ expression: SQLExpression, _ kind: SQLValueKind, isOptional: Bool = true) {
        self.expression = expression
        self.kind = kind
        self.isOptional = isOptional
        missing = nil
    }

    /// A value that may be NaN.
    init(_ expression: SQLExpression, _ kind: SQLValueKind, missingWhere missing: SQLCondition) {
        self.expression = expression
        self.kind = kind
        self.missing = missing
        isOptional = missing != .constant(false)
    }

    /// Whether the value may be NaN.
    var mayBeNaN: Bool { missing != nil }

    /// The value in the widest type of its kind, for calculations.
    var wide: SQLExpression {
        if case .value = expression { return expression }
        switch kind {
        case .integer: return .conversion(expression, to: .wideInteger)
        case .real: return .conversion(expression, to: .wideReal)
        default: return expression
        }
    }

    /// An aggregate of the values of rows.
    func aggregate(_ aggregate: SQLAggregate, isDistinct: Bool) -> SQLExpression {
        // A sum has the type of its values.
        .aggregate(aggregate, aggregate == .sum ? wide : expression, distinct: isDistinct)
    }

    /// The select whose rows the value counts; nil for other values. A comparison with zero doesn't need to count.
    var countedRows: SQLSelect? {
        guard case .select(let select) = expression, select.columns == [.countRows] else { return nil }
        return select
    }

    var isMissing: SQLCondition {
        missing ?? (isOptional ? .isNull(expression, isNegated: false) : .constant(false))
    }
    var isPresent: SQLCondition { isMissing.negated }
}

/// The kind of a value in comparisons. Values of different kinds are never equal, as in memory.
enum SQLValueKind {
    case integer, real, decimal
    case date, string, uri, uuid, data
    /// The key of an object of this entity.
    case object(SQLEntity)
    /// The number of an entity.
    case entity
    /// A value of any kind, in a column without type.
    case any
    /// A value that can only be compared with nil, for the given reason.
    case opaque(String)

    init(_ column: SQLColumn) {
        switch column.kind {
        case .boolean, .integer16, .integer32, .integer64, .primaryKey, .entityNumber, .version, .relationshipKey,
            .relationshipEntity, .orderKey:
            self = .integer
        case .double, .float: self = .real
        case .decimal: self = .decimal
        case .date: self = .date
        case .string: self = .string
        case .uri: self = .uri
        case .uuid: self = .uuid
        case .binary: self = .data
        case .undefined: self = .any
        case .objectID: self = .opaque("it contains an object ID")
        case .transformable: self = .opaque("its values are stored in transformed form")
        case .externalBinary: self = .opaque("its values may be stored outside of the database")
        }
    }

    /// Whether values of both kinds may be equal.
    func isComparable(with other: SQLValueKind) -> Bool {
        switch (self, other) {
        case (.integer, _), (.real, _), (.decimal, _), (.any, _):
            if case .opaque = other { false } else if case .any = self { true } else { other.isNumber }
        case (.date, .date), (.string, .string), (.uri, .uri), (.uuid, .uuid), (.data, .data), (.entity, .entity): true
        case (.object(let one), .object(let two)): one.table === two.table
        case (.opaque, _): false
        case (_, .any): true
        default: false
        }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .real, .decimal, .any: true
        default: false
        }
    }

    /// The kind of the result of arithmetic on numbers of both kinds.
    func promoted(with other: SQLValueKind) -> SQLValueKind {
        switch (self, other) {
        case (.integer, .integer): .integer
        case (.decimal, _), (_, .decimal): .decimal
        default: .real
        }
    }

    var isInteger: Bool { if case .integer = self { true } else { false } }
    var isDecimal: Bool { if case .decimal = self { true } else { false } }
    var isDate: Bool { if case .date = self { true } else { false } }

    /// Whether values of the kind are stored as text.
    var isText: Bool {
        switch self {
        case .string, .uri, .any: true
        default: false
        }
    }

    /// Whether values of the kind have an order.
    var isOrdered: Bool {
        switch self {
        case .object, .entity, .opaque: false
        default: true
        }
    }
}
