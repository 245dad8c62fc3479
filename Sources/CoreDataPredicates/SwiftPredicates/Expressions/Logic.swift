// SPDX-License-Identifier: Apache-2.0

// Logical operators, conditionals, optionals and casts.

extension PredicateExpressions.Conjunction: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .predicate(try translation.predicate(lhs).and(try translation.predicate(rhs)))
    }
}

extension PredicateExpressions.Disjunction: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .predicate(try translation.predicate(lhs).or(try translation.predicate(rhs)))
    }
}

extension PredicateExpressions.Negation: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .predicate(try translation.predicate(wrapped).negated)
    }
}

extension PredicateExpressions.Conditional: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        let test = try translation.predicate(test)
        let whenTrue = try translation.translate(trueBranch)
        let whenFalse = try translation.translate(falseBranch)
        if If.Output.self == Bool.self {
            return .predicate(test.and(whenTrue.predicate).or(test.negated.and(whenFalse.predicate)))
        }
        return .expression(
            NSExpression(
                forConditional: test, trueExpression: whenTrue.expression, falseExpression: whenFalse.expression))
    }
}

extension PredicateExpressions.NilCoalesce: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        Self.coalesced(try translation.translate(lhs), try translation.translate(rhs))
    }
}

extension PredicateExpressions.NilCoalesce {
    private static func coalesced(_ value: TranslatedExpression, _ other: TranslatedExpression) -> TranslatedExpression
    {
        if RHS.Output.self == Bool.self {
            // A condition on nil is false.
            if other.constantBoolean == false { return .predicate(value.predicate) }
            let isPresent: NSPredicate
            switch value {
            case .predicate: return value
            case .optionalPredicate(_, let condition): isPresent = condition
            case .expression(let expression): isPresent = expression.isPresent
            }
            if other.constantBoolean == true { return .predicate(isPresent.negated.or(value.predicate)) }
            return .predicate(value.predicate.or(isPresent.negated.and(other.predicate)))
        }
        return .expression(value.expression.coalesced(other.expression))
    }
}

extension NSExpression {
    /// This value, or another one if it is nil.
    fileprivate func coalesced(_ other: NSExpression) -> NSExpression {
        NSExpression(forConditional: isPresent, trueExpression: self, falseExpression: other)
    }
}

extension PredicateExpressions.OptionalFlatMap: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        let value = try translation.expression(wrapped)
        // A cast to a subclass is a conditional expression. Its condition says whether the value is present.
        let cast = value.objectOfCast
        let wrapped = cast?.object ?? value
        let isPresent =
            translation.types?.isAlwaysPresent(Wrapped.self) == true
            ? NSPredicate(value: true) : cast?.condition ?? wrapped.isPresent
        translation.bind(variable, to: wrapped)
        switch try translation.translate(transform) {
        case .predicate(let predicate):
            return .optionalPredicate(predicate, isPresent: isPresent)
        case .optionalPredicate(let predicate, let isInnerPresent):
            return .optionalPredicate(predicate, isPresent: isPresent.and(isInnerPresent))
        case .expression(let expression):
            // The count of nil is 0, not nil.
            if cast == nil, expression.isMissing(with: wrapped) { return .expression(expression) }
            return .expression(
                NSExpression(
                    forConditional: isPresent, trueExpression: expression,
                    falseExpression: NSExpression(forConstantValue: nil)))
        }
    }
}

extension NSExpression {
    /// The object and the condition of a cast to a subclass.
    fileprivate var objectOfCast: (object: NSExpression, condition: NSPredicate)? {
        guard expressionType == .conditional, let nothing = self.false.node as? ConstantNode, nothing.value == nil
        else { return nil }
        return (self.true, predicate)
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatablePredicateExpression {
    // A nil stops a Swift predicate. Here it gives nil, as along key paths.
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        try translation.translate(inner)
    }
}

// MARK: Casts

/// Casts. The format language has none, so only casts that change nothing can be translated.
private enum TranslatedCast {
    static func check<Input, Desired>(_ input: Input.Type, _ desired: Desired.Type) throws {
        if input == desired || Optional<Input>.self == desired || input == Optional<Desired>.self { return }
        // A property that the object's class doesn't have gives nil.
        if input is NSObject.Type, desired is NSObject.Type { return }
        throw UntranslatableError("a cast of \(input) to \(desired)")
    }
}

extension PredicateExpressions.ForceCast: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        try TranslatedCast.check(Input.Output.self, Desired.self)
        return try translation.translate(input)
    }
}

extension PredicateExpressions.ConditionalCast: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        if let types = translation.types {
            let object = try translation.expression(input)
            if let condition = try types.isOfClass(object, Desired.self) {
                return .expression(
                    NSExpression(
                        forConditional: condition, trueExpression: object,
                        falseExpression: NSExpression(forConstantValue: nil)))
            }
        }
        guard Input.Output.self == Desired.self || Input.Output.self == Optional<Desired>.self else {
            throw UntranslatableError("a cast of \(Input.Output.self) to \(Desired.self)")
        }
        return try translation.translate(input)
    }
}

extension PredicateExpressions.TypeCheck: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        if Input.Output.self == Desired.self { return .constant(true) }
        if Input.Output.self == Optional<Desired>.self {
            return .predicate(try translation.expression(input).isPresent)
        }
        if let types = translation.types,
            let condition = try types.isOfClass(translation.expression(input), Desired.self)
        {
            return .predicate(condition)
        }
        throw UntranslatableError(
            "whether \(Wording.withArticle(Input.Output.self)) is \(Wording.withArticle(Desired.self))")
    }
}
