// SPDX-License-Identifier: Apache-2.0

/// Finds default values that are read as another value, and default values that validation refuses.
enum DefaultValueCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.flatMapOwnProperties { (entity, attribute: NSAttributeDescription) in
            if let problem = problem(attribute) {
                return [ModelFinding(.warning, .defaultValue, entity, attribute, problem)]
            }
            guard let value = attribute.defaultValue, !(value is NSNull) else { return [] }
            if attribute is NSDerivedAttributeDescription {
                return [
                    ModelFinding(
                        .warning, .defaultValue, entity, attribute, "is derived, so its default value is never used")
                ]
            }
            let refused = attribute.validationPredicates.contains { predicate in
                isLimit(predicate, of: attribute.attributeType) && !predicate.evaluate(with: value)
            }
            return refused
                ? [
                    ModelFinding(
                        .warning, .defaultValue, entity, attribute,
                        "has the default value \(formatted(value)), which its own limits forbid")
                ] : []
        }
    }

    /// Only limits are evaluated. Another predicate can read an unknown key of the value, which stops the program.
    private static func isLimit(_ predicate: NSPredicate, of type: NSAttributeType) -> Bool {
        guard let comparison = predicate as? NSComparisonPredicate, comparison.comparisonPredicateModifier == .direct,
            comparison.rightExpression.expressionType == .constantValue,
            let limit = comparison.rightExpression.constantValue
        else { return false }
        let left = comparison.leftExpression
        switch comparison.predicateOperatorType {
        case .matches: return left.expressionType == .evaluatedObject && type == .stringAttributeType && limit is String
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo:
            if left.expressionType == .keyPath {
                return left.keyPath == "length" && type == .stringAttributeType && limit is NSNumber
            }
            return left.expressionType == .evaluatedObject && type.accepts(limit)
        default: return false
        }
    }

    private static func problem(_ attribute: NSAttributeDescription) -> String? {
        let type = attribute.attributeType
        if let text = attribute.sourceAttributes["defaultValueString"], !text.isEmpty {
            if type.isNumber || type == .booleanAttributeType {
                return SourceText.problem(text, type).map { "has the default value '\(text)', which \($0)" }
            }
            switch type {
            case .UUIDAttributeType where UUID(uuidString: text) == nil:
                return "has the default value '\(text)', which is not a UUID and is ignored"
            case .URIAttributeType where URL(string: text) == nil:
                return "has the default value '\(text)', which is not a URI and is ignored"
            case .binaryDataAttributeType, .transformableAttributeType, .compositeAttributeType:
                return
                    """
                    has the default value '\(text)', which attributes of type \(SourceSpelling.name(of: type)) \
                    can't have
                    """
            default: return nil
            }
        }
        // In a model made in code the value can be an object of any class.
        guard type.isInteger, let number = attribute.defaultValue as? NSNumber else { return nil }
        return SourceText.problem(number.stringValue, type).map {
            "has the default value \(number.stringValue), which \($0)"
        }
    }

    private static func formatted(_ value: Any) -> String {
        (value as? NSNumber)?.stringValue ?? (value as? String).map { "'\($0)'" } ?? String(describing: value)
    }
}
