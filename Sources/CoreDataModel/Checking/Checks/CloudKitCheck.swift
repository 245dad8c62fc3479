// SPDX-License-Identifier: Apache-2.0

/// Checks the requirements of CloudKit, for a model that is marked as used with CloudKit.
enum CloudKitCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        guard ["YES", "true"].contains(model.sourceAttributes["usedWithCloudKit"] ?? "") else { return [] }
        let constraints = model.entitiesByNameOrder.filter { !$0.uniquenessConstraintNames.isEmpty }.map { entity in
            ModelFinding(
                .warning, .cloudKit, entity,
                "\(entity.name ?? "") has uniqueness constraints, which CloudKit doesn't support")
        }
        return constraints
            + model.flatMapOwnProperties { (entity, property: NSPropertyDescription) in
                problems(of: property).map { ModelFinding(.warning, .cloudKit, entity, property, $0) }
            }
    }

    private static func problems(of property: NSPropertyDescription) -> [String] {
        if property.isTransient { return [] }
        switch property {
        case is NSDerivedAttributeDescription: return []
        case let attribute as NSAttributeDescription:
            return !attribute.isOptional && attribute.defaultValue == nil
                ? ["must be optional or have a default value, for CloudKit"] : []
        case let relationship as NSRelationshipDescription:
            var problems: [String] = []
            if !relationship.isOptional { problems.append("must be optional, for CloudKit") }
            if relationship.inverseRelationshipName == nil { problems.append("must have an inverse, for CloudKit") }
            if relationship.isOrdered { problems.append("is ordered, which CloudKit doesn't support") }
            if relationship.deleteRule == .denyDeleteRule {
                problems.append("has the delete rule Deny, which CloudKit doesn't support")
            }
            return problems
        default: return []
        }
    }
}
