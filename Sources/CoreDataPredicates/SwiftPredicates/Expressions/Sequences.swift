// SPDX-License-Identifier: Apache-2.0

// Collections and conditions on their elements.

extension PredicateExpressions.SequenceContains: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        let sequence = try translation.expression(sequence)
        let element = try translation.expression(element)
        if LHS.Output.self == String.self || LHS.Output.self == Substring.self {
            return .predicate(sequence.compared(.contains, element))
        }
        let member = element.compared(.in, sequence)
        // In the format language, no collection contains nil.
        guard let elements = sequence.constantElements, elements.contains(where: { Values.unwrap($0) == nil }) else {
            return .predicate(member)
        }
        return .predicate(member.or(element.isMissing))
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        guard Base.Output.self is any StringProtocol.Type else {
            throw UntranslatableError("a part of \(Wording.withArticle(Base.Output.self))")
        }
        return .predicate(try translation.expression(base).compared(.contains, try translation.expression(other)))
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        guard Base.Output.self is any StringProtocol.Type else {
            throw UntranslatableError("the beginning of \(Wording.withArticle(Base.Output.self))")
        }
        return .predicate(try translation.expression(base).compared(.beginsWith, try translation.expression(prefix)))
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        let elements = try ElementTest(sequence, variable, test, by: translation)
        return .predicate(
            elements.constants?.reduce(NSPredicate(value: false)) { $0.alternative($1) }
                ?? elements.matching().hasElements)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        let elements = try ElementTest(sequence, variable, test, by: translation)
        return .predicate(
            elements.constants?.reduce(NSPredicate(value: true)) { $0.addition($1) }
                ?? elements.matching { $0.negated }.hasElements.negated)
    }
}

extension PredicateExpressions.Filter: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .expression(try ElementTest(sequence, variable, filter, by: translation, expandsConstants: false).matching())
    }
}

extension NSPredicate {
    /// `OR` in a reduction that starts with false.
    fileprivate func alternative(_ other: NSPredicate) -> NSPredicate {
        if case .constant(false) = kind { return other }
        return or(other)
    }

    /// `AND` in a reduction that starts with true.
    fileprivate func addition(_ other: NSPredicate) -> NSPredicate {
        if case .constant(true) = kind { return other }
        return and(other)
    }
}

extension NSExpression {
    fileprivate var constantElements: [Any]? { (node as? ConstantNode).flatMap { Values.elements(of: $0.value) } }

    /// True for a collection with elements.
    fileprivate var hasElements: NSPredicate {
        appendingKeyPath("@count").compared(.greaterThan, NSExpression(forConstantValue: NSNumber(value: 0)))
    }
}

/// A condition on each element of a collection.
private struct ElementTest {
    let collection: NSExpression
    let name: String
    let predicate: NSPredicate
    /// The condition of the collection itself, if it is a filtered one.
    let earlier: NSPredicate?
    /// The condition for each element of a constant collection.
    var constants: [NSPredicate]?

    init<Element>(
        _ sequence: any PredicateExpression, _ variable: PredicateExpressions.Variable<Element>,
        _ test: any PredicateExpression,
        by translation: PredicateTranslation, expandsConstants: Bool = true
    ) throws {
        let sequence = try translation.expression(sequence)
        if expandsConstants, let elements = sequence.constantElements {
            constants = try elements.map {
                translation.bind(variable, to: NSExpression(forConstantValue: $0))
                return try translation.predicate(test)
            }
        }
        if let inner = sequence.node as? SubqueryNode {
            collection = inner.collection
            name = inner.variable
            earlier = inner.predicate
        } else {
            collection = sequence
            name = translation.newVariableName()
            earlier = nil
        }
        translation.bind(variable, to: NSExpression(forVariable: name))
        predicate = try translation.predicate(test)
    }

    /// The elements for which the condition is true, or another condition derived from it.
    func matching(_ condition: (NSPredicate) -> NSPredicate = { $0 }) -> NSExpression {
        let condition = condition(predicate)
        return NSExpression(
            forSubquery: collection, usingIteratorVariable: name, predicate: earlier?.and(condition) ?? condition)
    }
}

// MARK: Single elements

extension PredicateExpressions.CollectionIndexSubscript: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        guard Index.Output.self == Int.self else {
            throw UntranslatableError("an element of \(Wording.withArticle(Wrapped.Output.self))")
        }
        return .function(
            "objectFrom:withIndex:", try translation.expression(wrapped), try translation.expression(index))
    }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .function("objectFrom:withIndex:", try translation.expression(wrapped), try translation.expression(key))
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        let value = NSExpression(
            forFunction: "objectFrom:withIndex:",
            arguments: [try translation.expression(wrapped), try translation.expression(key)])
        return .expression(
            NSExpression(
                forConditional: value.isPresent, trueExpression: value,
                falseExpression: try translation.expression(`default`)))
    }
}

extension PredicateExpressions.SequenceMaximum: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .function("max:", try translation.expression(elements))
    }
}

extension PredicateExpressions.SequenceMinimum: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .function("min:", try translation.expression(elements))
    }
}
