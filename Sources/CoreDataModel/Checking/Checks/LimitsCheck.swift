// SPDX-License-Identifier: Apache-2.0

/// Finds limits that no value can satisfy.
enum LimitsCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.flatMapOwnProperties { (entity, property: NSPropertyDescription) in
            switch property {
            case let relationship as NSRelationshipDescription: return counts(entity, relationship)
            case let attribute as NSAttributeDescription: return values(entity, attribute)
            default: return []
            }
        }
    }

    private static func counts(_ entity: NSEntityDescription, _ relationship: NSRelationshipDescription)
        -> [ModelFinding]
    {
        var findings: [ModelFinding] = []
        if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
            findings.append(
                ModelFinding(
                    .warning, .limits, entity, relationship,
                    """
                    has a minimum count (\(relationship.minCount)) greater than its maximum count \
                    (\(relationship.maxCount))
                    """
                ))
        }
        if relationship.isOrdered && !relationship.isToMany {
            findings.append(
                ModelFinding(.warning, .limits, entity, relationship, "is ordered, but is a to-one relationship"))
        }
        return findings
    }

    private static func values(_ entity: NSEntityDescription, _ attribute: NSAttributeDescription) -> [ModelFinding] {
        let least = bound(of: attribute, .greaterThanOrEqualTo)
        let greatest = bound(of: attribute, .lessThanOrEqualTo)
        var findings: [ModelFinding] = []
        if let least, let greatest, Self.compare(least, greatest) == .orderedDescending {
            let kind = attribute.attributeType == .stringAttributeType ? "length" : "value"
            findings.append(
                ModelFinding(
                    .warning, .limits, entity, attribute,
                    "has a minimum \(kind) (\(text(least))) greater than its maximum \(kind) (\(text(greatest)))"))
        }
        for name in ["minValueString", "maxValueString"] {
            guard attribute.attributeType.isNumber, let text = attribute.sourceAttributes[name], !text.isEmpty,
                SourceText.problem(text, attribute.attributeType) != nil
            else { continue }
            findings.append(
                ModelFinding(
                    .warning, .limits, entity, attribute, "has the limit '\(text)', which is not a number of its type"))
        }
        if let pattern = pattern(of: attribute), (try? NSRegularExpression(pattern: pattern)) == nil {
            findings.append(
                ModelFinding(
                    .warning, .limits, entity, attribute,
                    "has the pattern '\(pattern)', which is not a regular expression"
                ))
        }
        return findings
    }

    private static func bound(of attribute: NSAttributeDescription, _ order: NSComparisonPredicate.Operator) -> Any? {
        constants(of: attribute, order).first
    }

    private static func pattern(of attribute: NSAttributeDescription) -> String? {
        constants(of: attribute, .matches).lazy.compactMap { $0 as? String }.first
    }

    private static func constants(of attribute: NSAttributeDescription, _ order: NSComparisonPredicate.Operator)
        -> [Any]
    {
        attribute.validationPredicates.compactMap { predicate in
            guard case .comparison(let comparison) = predicate.kind, comparison.predicateOperatorType == order,
                comparison.rightExpression.expressionType == .constantValue
            else { return nil }
            return comparison.rightExpression.constantValue
        }
    }

    private static func compare(_ left: Any, _ right: Any) -> ComparisonResult? {
        if let left = left as? Date, let right = right as? Date { return left.compare(right) }
        if let left = left as? NSNumber, let right = right as? NSNumber { return left.compare(right) }
        return nil
    }

    private static func text(_ value: Any) -> String { (value as? NSNumber)?.stringValue ?? String(describing: value) }
}
