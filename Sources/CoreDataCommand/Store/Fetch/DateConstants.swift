// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Dates that are written as texts in the predicate of an argument: `added >= "2026-11-17"`.
///
/// The predicate language has no literals for dates. A program passes dates as arguments, and a command line can't.
struct DateConstants {
    let entity: NSEntityDescription

    /// The predicate with dates in place of the texts that are compared with attributes of dates.
    func read(_ predicate: NSPredicate) throws -> NSPredicate {
        if let compound = predicate as? NSCompoundPredicate {
            let old = compound.subpredicates
            let new = try old.map(read)
            guard zip(old, new).contains(where: { $0 !== $1 }) else { return predicate }
            return NSCompoundPredicate(type: compound.compoundPredicateType, subpredicates: new)
        }
        guard let comparison = predicate as? NSComparisonPredicate else { return predicate }
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        let newLeft = try namesDate(right).map { try constant(left, $0) } ?? left
        let newRight = try namesDate(left).map { try constant(right, $0) } ?? right
        guard newLeft !== left || newRight !== right else { return predicate }
        return NSComparisonPredicate(
            leftExpression: newLeft, rightExpression: newRight, modifier: comparison.comparisonPredicateModifier,
            type: comparison.predicateOperatorType, options: comparison.options)
    }

    /// The key path of an attribute of dates; nil for another expression.
    private func namesDate(_ expression: NSExpression) -> String? {
        guard expression.expressionType == .keyPath,
            let property = try? KeyPathCheck(entity: entity).property(at: expression.keyPath),
            (property as? NSAttributeDescription)?.attributeType == .dateAttributeType
        else { return nil }
        return expression.keyPath
    }

    private func constant(_ expression: NSExpression, _ key: String) throws -> NSExpression {
        switch expression.expressionType {
        case .constantValue:
            guard let text = expression.constantValue as? String else { return expression }
            guard let date = DateText.date(text) else {
                throw CommandError(
                    """
                    '\(key)' is a date, and '\(text.prefix(100))' is none. Write "2026-11-17" or \
                    "2026-11-17T08:30:00Z", in UTC.
                    """)
            }
            return NSExpression(forConstantValue: date)
        case .aggregate:
            let members = (expression.collection as? [Any] ?? []).compactMap { $0 as? NSExpression }
            let read = try members.map { try constant($0, key) }
            return zip(members, read).contains { $0 !== $1 } ? NSExpression(forAggregate: read) : expression
        default: return expression
        }
    }
}
