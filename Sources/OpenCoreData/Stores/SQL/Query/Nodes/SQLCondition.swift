import CoreDataPredicates

/// A part of a statement that holds or doesn't.
///
/// Where a value is missing, a condition may also be unknown (NULL), which counts as not holding: conditions are only
/// joined by AND and OR, so an unknown one never makes a whole hold. What negates is ``negated``, which is exact.
package indirect enum SQLCondition: Equatable, Sendable {
    case constant(Bool)
    /// Unknown if one side is missing.
    case comparison(SQLExpression, SQLComparison, SQLExpression)
    /// Equality in which two missing values are equal.
    case same(SQLExpression, SQLExpression, isNegated: Bool)
    case missing(SQLExpression, isNegated: Bool)
    /// The value is one of these, none of which is NULL. Unknown if it is missing.
    case member(SQLExpression, [SQLValue])
    /// The value is one of the keys that are given whenever the statement runs.
    case memberOfKeys(SQLExpression)
    /// The value is in the only column of a select that gives no NULL.
    case memberOfSelect(SQLExpression, SQLSelect)
    /// A test of two texts by the functions that also evaluate in memory; never unknown.
    case text(SQLTextTest, SQLExpression, SQLExpression, NSComparisonPredicate.Options, isNegated: Bool)
    case exists(SQLSelect, isNegated: Bool)
    case all([SQLCondition])
    case any([SQLCondition])
    /// Holds where the other doesn't or is unknown.
    case fails(SQLCondition)

    /// A conjunction without what is known already.
    static func conjunction(_ conditions: [SQLCondition]) -> SQLCondition {
        var parts: [SQLCondition] = []
        for condition in conditions {
            switch condition {
            case .constant(true): continue
            case .constant(false): return .constant(false)
            case .all(let inner): parts.append(contentsOf: inner)
            default: parts.append(condition)
            }
        }
        if parts.isEmpty { return .constant(true) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// A disjunction without what is known already.
    static func disjunction(_ conditions: [SQLCondition]) -> SQLCondition {
        var parts: [SQLCondition] = []
        for condition in conditions {
            switch condition {
            case .constant(false): continue
            case .constant(true): return .constant(true)
            case .any(let inner): parts.append(contentsOf: inner)
            default: parts.append(condition)
            }
        }
        if parts.isEmpty { return .constant(false) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }
}

/// How two values are compared.
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

    /// The same comparison with the sides exchanged.
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

/// Tests of two texts.
package enum SQLTextTest: Sendable {
    /// Two missing texts are equal.
    case equal
    case beginsWith, endsWith, contains, like, matches
}
