// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A node of a statement that is true, false or unknown (NULL).
///
/// Unknown counts as false. Conditions are only joined by AND and OR, so an unknown part never makes the result true.
/// ``negated`` holds where a condition is false or unknown, ``refuted`` only where it is false.
package indirect enum SQLCondition: Equatable, Sendable {
    case constant(Bool)
    /// Unknown if one side is NULL.
    case comparison(SQLExpression, SQLComparison, SQLExpression)
    /// Equality in which two NULLs are equal (`IS NOT DISTINCT FROM`).
    case nullSafeEqual(SQLExpression, SQLExpression, isNegated: Bool)
    case isNull(SQLExpression, isNegated: Bool)
    /// The value equals an element of a list without NULL. Unknown if the value is NULL.
    case inValues(SQLExpression, [SQLValue])
    /// The value equals a key of the list that is bound at each run of the statement.
    case inKeys(SQLExpression)
    /// The value is in the only column of a select that returns no NULL.
    case inSelect(SQLExpression, SQLSelect)
    /// A test of two texts by the functions that evaluate in memory too. Never unknown.
    case text(SQLTextTest, SQLExpression, SQLExpression, NSComparisonPredicate.Options, isNegated: Bool)
    case exists(SQLSelect, isNegated: Bool)
    case and([SQLCondition])
    case or([SQLCondition])
    /// True where the other condition is false or unknown.
    case isNotTrue(SQLCondition)
    /// True where the other condition is false, and unknown where that is unknown.
    case not(SQLCondition)

    /// A conjunction, simplified: constants and nested conjunctions are removed.
    static func conjunction(_ conditions: [SQLCondition]) -> SQLCondition {
        var parts: [SQLCondition] = []
        for condition in conditions {
            switch condition {
            case .constant(true): continue
            case .constant(false): return .constant(false)
            case .and(let inner): parts.append(contentsOf: inner)
            default: parts.append(condition)
            }
        }
        if parts.isEmpty { return .constant(true) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    /// A disjunction, simplified: constants and nested disjunctions are removed.
    static func disjunction(_ conditions: [SQLCondition]) -> SQLCondition {
        var parts: [SQLCondition] = []
        for condition in conditions {
            switch condition {
            case .constant(false): continue
            case .constant(true): return .constant(true)
            case .or(let inner): parts.append(contentsOf: inner)
            default: parts.append(condition)
            }
        }
        if parts.isEmpty { return .constant(false) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }
}

/// A comparison operator.
package enum SQLComparison: String, Sendable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    var negated: SQLComparison {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        }
    }

    /// The operator for exchanged sides.
    var mirrored: SQLComparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// A test of two texts.
package enum SQLTextTest: Sendable {
    /// Two NULLs are equal.
    case equal
    case beginsWith, endsWith, contains, like, matches
}
