// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The objects that key paths and variables refer to in a part of a predicate.
struct SQLPredicateScope {
    /// `SELF`, and the start of key paths.
    let object: SQLPathObject
    /// The elements of the enclosing subqueries, by the names of their variables.
    var variables: [String: SQLPathObject] = [:]
    /// Whether functions such as `max:` aggregate the rows of a group, as in dictionary fetches.
    var aggregatesRows = false
}

/// Translates the predicates of one statement into conditions.
final class SQLQualifier {
    let constants: SQLConstants
    let dialect: any SQLDialect
    private var depth = 0
    /// Prevents a stack overflow by predicates that a program nested or a file contains.
    private static let maximumDepth = 450

    init(constants: SQLConstants, dialect: any SQLDialect) {
        self.constants = constants
        self.dialect = dialect
    }

    /// The condition under which a predicate holds or, if it is negated, under which it is false and not unknown.
    ///
    /// NOT goes down to the comparisons: each of them defines its result for a missing value.
    ///
    /// - Throws: `NSCoreDataError` (134060), naming the part, for parts that SQL can't express.
    func condition(_ predicate: NSPredicate, in scope: SQLPredicateScope, isNegated: Bool = false) throws
        -> SQLCondition
    {
        try nested {
            switch predicate.kind {
            case .constant(let value):
                return .constant(value != isNegated)
            case .comparison(let comparison):
                return try condition(comparison, in: scope, isNegated: isNegated)
            case .compound(.not, let predicates):
                // NOT has one predicate: Foundation makes none without.
                guard let part = predicates.first else { return .constant(!isNegated) }
                return try condition(part, in: scope, isNegated: !isNegated)
            case .compound(let type, let predicates):
                let parts = try Self.flattened(type, predicates).map {
                    try condition($0, in: scope, isNegated: isNegated)
                }
                return (type == .and) != isNegated ? .conjunction(parts) : .disjunction(parts)
            case .block:
                if let range = predicate as? KeyRangePredicate {
                    let condition = SQLCondition.comparison(
                        scope.object.key, range.isAscending ? .greater : .less, .value(.integer(range.key)))
                    return isNegated ? condition.refuted : condition
                }
                throw SQLQueryError.unsupported(
                    "a block predicate", because: "only code can evaluate it; filter the results instead")
            }
        }
    }

    /// The members of nested compounds of one type, in order.
    ///
    /// Programs often add conditions one after another, each in a new compound around the last one.
    private static func flattened(_ type: NSCompoundPredicate.LogicalType, _ predicates: [NSPredicate]) -> [NSPredicate]
    {
        var members: [NSPredicate] = []
        var rest = Array(predicates.reversed())
        while let next = rest.popLast() {
            if case .compound(type, let inner) = next.kind {
                rest.append(contentsOf: inner.reversed())
            } else {
                members.append(next)
            }
        }
        return members
    }

    /// Counts a level of nesting.
    func nested<Result>(_ body: () throws -> Result) throws -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw SQLQueryError.unsupported(
                "the predicate", because: "it is nested more than \(Self.maximumDepth) levels deep")
        }
        return try body()
    }
}
