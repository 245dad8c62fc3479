// SPDX-License-Identifier: Apache-2.0

/// The expressions of mapping models, as Apple's compiler writes them.
package enum MappingExpressions {
    /// The predicate text of a mapping without a filter.
    package static let noFilter = "TRUEPREDICATE"

    /// `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Car", "TRUEPREDICATE"),
    /// $manager.sourceContext, NO)`
    package static func sourceObjects(ofEntity name: String, filter: String = noFilter) -> NSExpression {
        NSFetchRequestExpression.expression(
            forFetch: message(
                "fetchRequestForSourceEntityNamed:predicateString:",
                [NSExpression(forConstantValue: name), NSExpression(forConstantValue: filter)]),
            context: value(of: "manager", at: "sourceContext"), countOnly: false)
    }

    /// `$source.name`
    static func sourceValue(at keyPath: String) -> NSExpression { value(of: "source", at: keyPath) }

    /// `FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "CarToCar", $source.cars)`
    static func destinations(ofMapping mapping: String, sources: NSExpression) -> NSExpression {
        message(
            "destinationInstancesForEntityMappingNamed:sourceInstances:",
            [NSExpression(forConstantValue: mapping), sources])
    }

    /// `FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "cars", $source.cars)`
    static func destinations(ofSourceRelationship relationship: String, sources: NSExpression) -> NSExpression {
        message(
            "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
            [NSExpression(forConstantValue: relationship), sources])
    }

    // MARK: Reading

    /// The key of `$source.key`; nil for another expression.
    package static func sourceKey(_ expression: NSExpression) -> String? {
        guard expression.isComputedByNode, let call = expression.node as? FunctionNode,
            call.selector == "valueForKeyPath:", call.arguments.count == 1,
            (call.target?.node as? VariableNode)?.name == "source",
            let path = (call.arguments[0].node as? ConstantNode)?.value as? String, !path.contains(".")
        else { return nil }
        return path
    }

    /// The parts of a look-up of what one mapping has made from the destinations of a source relationship; nil for
    /// another expression.
    package static func lookUp(_ expression: NSExpression) -> (mapping: String, sourceKey: String)? {
        guard expression.isComputedByNode, let call = expression.node as? FunctionNode,
            call.selector == "destinationInstancesForEntityMappingNamed:sourceInstances:", call.arguments.count == 2,
            (call.target?.node as? VariableNode)?.name == "manager",
            let mapping = (call.arguments[0].node as? ConstantNode)?.value as? String,
            let key = sourceKey(call.arguments[1])
        else { return nil }
        return (mapping, key)
    }

    // MARK: Writing

    private static func message(_ selector: String, _ arguments: [NSExpression]) -> NSExpression {
        NSExpression(forFunction: NSExpression(forVariable: "manager"), selectorName: selector, arguments: arguments)
    }

    private static func value(of variable: String, at keyPath: String) -> NSExpression {
        NSExpression(
            forFunction: NSExpression(forVariable: variable), selectorName: "valueForKeyPath:",
            arguments: [NSExpression(forConstantValue: keyPath)])
    }
}
