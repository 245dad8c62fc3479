// SPDX-License-Identifier: Apache-2.0

// Arithmetic becomes calls of library functions.

extension PredicateExpressions.Arithmetic: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        let name =
            switch op {
            case .add: "add:to:"
            case .subtract: "from:subtract:"
            case .multiply: "multiply:by:"
            @unknown default: throw UntranslatableError("\(op)")
            }
        return .function(name, try translation.expression(lhs), try translation.expression(rhs))
    }
}

extension PredicateExpressions.FloatDivision: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .function("divide:by:", try translation.expression(lhs), try translation.expression(rhs))
    }
}

extension PredicateExpressions.IntDivision: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .function("divide:by:", try translation.expression(lhs), try translation.expression(rhs))
    }
}

extension PredicateExpressions.IntRemainder: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .function("modulus:by:", try translation.expression(lhs), try translation.expression(rhs))
    }
}

extension PredicateExpressions.UnaryMinus: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .function(
            "from:subtract:", NSExpression(forConstantValue: NSNumber(value: 0)), try translation.expression(wrapped))
    }
}
