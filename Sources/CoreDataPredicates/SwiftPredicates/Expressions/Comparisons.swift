// SPDX-License-Identifier: Apache-2.0

// Comparisons of two values, and ranges.

extension PredicateExpressions.Equal: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .predicate(try TranslatedEquality.predicate(lhs, rhs, by: translation))
    }
}

extension PredicateExpressions.NotEqual: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        if let order = try TranslatedEquality.order(lhs, rhs, by: translation) { return .predicate(order.negated) }
        if let equality = try translation.equality(lhs, rhs) { return .predicate(equality.negated) }
        let left = try translation.translate(lhs)
        let right = try translation.translate(rhs)
        if let condition = TranslatedEquality.condition(left, right) { return .predicate(condition.negated) }
        return .predicate(left.expression.compared(.notEqualTo, right.expression))
    }
}

/// The equality of two parts, which may be predicates.
private enum TranslatedEquality {
    static func predicate(
        _ left: any PredicateExpression, _ right: any PredicateExpression, by translation: PredicateTranslation
    ) throws -> NSPredicate {
        if let order = try order(left, right, by: translation) { return order }
        if let equality = try translation.equality(left, right) { return equality }
        let left = try translation.translate(left)
        let right = try translation.translate(right)
        return condition(left, right) ?? left.expression.compared(.equalTo, right.expression)
    }

    /// `one.caseInsensitiveCompare(other) == .orderedSame`
    static func order(
        _ left: any PredicateExpression, _ right: any PredicateExpression, by translation: PredicateTranslation
    ) throws -> NSPredicate? {
        if let comparison = left as? any StringOrderExpression,
            let order = right as? PredicateExpressions.Value<ComparisonResult>
        {
            return try comparison.predicate(for: order.value, by: translation)
        }
        if let comparison = right as? any StringOrderExpression,
            let order = left as? PredicateExpressions.Value<ComparisonResult>
        {
            return try comparison.predicate(for: order.value, by: translation)
        }
        return nil
    }

    /// The equality of a predicate and a constant Boolean or nil; nil for other parts.
    static func condition(_ left: TranslatedExpression, _ right: TranslatedExpression) -> NSPredicate? {
        if case .expression = left {
            if case .expression = right { return nil }
            return condition(right, left)
        }
        if let isTrue = right.constantBoolean {
            switch left {
            case .optionalPredicate(let predicate, let isPresent):
                return isPresent.and(isTrue ? predicate : predicate.negated)
            default: return isTrue ? left.predicate : left.predicate.negated
            }
        }
        guard right.isConstantNil else { return nil }
        if case .optionalPredicate(_, let isPresent) = left { return isPresent.negated }
        return NSPredicate(value: false)
    }
}

extension PredicateExpressions.Comparison: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        let type: NSComparisonPredicate.Operator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqualTo
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqualTo
            @unknown default: throw UntranslatableError("\(op)")
            }
        return .predicate(try translation.expression(lhs).compared(type, try translation.expression(rhs)))
    }
}

// MARK: Ranges

/// A range that gives the predicate that it contains an expression.
private protocol TranslatableRange {
    func contains(_ element: NSExpression, by translation: PredicateTranslation) throws -> NSPredicate
}

extension PredicateExpressions.Range: TranslatableRange {
    func contains(_ element: NSExpression, by translation: PredicateTranslation) throws -> NSPredicate {
        element.compared(.greaterThanOrEqualTo, try translation.expression(lower)).and(
            element.compared(.lessThan, try translation.expression(upper)))
    }
}

extension PredicateExpressions.ClosedRange: TranslatableRange {
    func contains(_ element: NSExpression, by translation: PredicateTranslation) throws -> NSPredicate {
        element.compared(
            .between,
            NSExpression(forAggregate: [try translation.expression(lower), try translation.expression(upper)]))
    }
}

extension PredicateExpressions.Value: TranslatableRange {
    func contains(_ element: NSExpression, by translation: PredicateTranslation) throws -> NSPredicate {
        guard let range = value as? any ConstantRange else { throw UntranslatableError("\(Output.self)") }
        return range.contains(element)
    }
}

/// A range with constant bounds.
private protocol ConstantRange {
    func contains(_ element: NSExpression) -> NSPredicate
}

private func compared(_ element: NSExpression, _ type: NSComparisonPredicate.Operator, _ bound: Any) -> NSPredicate {
    element.compared(type, NSExpression(forConstantValue: PredicateConstant.storedForm(bound)))
}

extension Range: ConstantRange {
    fileprivate func contains(_ element: NSExpression) -> NSPredicate {
        compared(element, .greaterThanOrEqualTo, lowerBound).and(compared(element, .lessThan, upperBound))
    }
}

extension ClosedRange: ConstantRange {
    fileprivate func contains(_ element: NSExpression) -> NSPredicate {
        let bounds = [lowerBound, upperBound].map { NSExpression(forConstantValue: PredicateConstant.storedForm($0)) }
        return element.compared(.between, NSExpression(forAggregate: bounds))
    }
}

extension PartialRangeFrom: ConstantRange {
    fileprivate func contains(_ element: NSExpression) -> NSPredicate {
        compared(element, .greaterThanOrEqualTo, lowerBound)
    }
}

extension PartialRangeThrough: ConstantRange {
    fileprivate func contains(_ element: NSExpression) -> NSPredicate {
        compared(element, .lessThanOrEqualTo, upperBound)
    }
}

extension PartialRangeUpTo: ConstantRange {
    fileprivate func contains(_ element: NSExpression) -> NSPredicate { compared(element, .lessThan, upperBound) }
}

extension PredicateExpressions.RangeExpressionContains: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        guard let range = range as? any TranslatableRange else { throw UntranslatableError("\(type(of: range))") }
        return .predicate(try range.contains(try translation.expression(element), by: translation))
    }
}
