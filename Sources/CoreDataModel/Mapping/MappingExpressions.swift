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
    package static func sourceValue(at keyPath: String) -> NSExpression { value(of: "source", at: keyPath) }

    /// `FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "CarToCar", $source.cars)`
    package static func destinations(ofMapping mapping: String, sources: NSExpression) -> NSExpression {
        message(
            "destinationInstancesForEntityMappingNamed:sourceInstances:",
            [NSExpression(forConstantValue: mapping), sources])
    }

    /// `FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "cars", $source.cars)`
    package static func destinations(ofSourceRelationship relationship: String, sources: NSExpression) -> NSExpression {
        message(
            "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
            [NSExpression(forConstantValue: relationship), sources])
    }

    private static func message(_ selector: String, _ arguments: [NSExpression]) -> NSExpression {
        NSExpression(forFunction: NSExpression(forVariable: "manager"), selectorName: selector, arguments: arguments)
    }

    private static func value(of variable: String, at keyPath: String) -> NSExpression {
        NSExpression(
            forFunction: NSExpression(forVariable: variable), selectorName: "valueForKeyPath:",
            arguments: [NSExpression(forConstantValue: keyPath)])
    }
}
