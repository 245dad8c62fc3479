// SPDX-License-Identifier: Apache-2.0

/// A relationship should have an inverse, whose inverse is the relationship.
enum InverseCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.flatMapOwnProperties(finding)
    }

    private static func finding(_ entity: NSEntityDescription, _ relationship: NSRelationshipDescription)
        -> [ModelFinding]
    {
        guard relationship.inverseRelationshipName != nil else {
            return [ModelFinding(.warning, .inverse, entity, relationship, "should have an inverse")]
        }
        guard let inverse = relationship.inverseRelationship else { return [] }
        let inverseName = "\(inverse.owningEntity?.name ?? "").\(inverse.name)"
        if inverse.inverseRelationshipName != relationship.name || inverse.inverseRelationship !== relationship {
            let back = inverse.inverseRelationshipName.map { "whose inverse is '\($0)'" } ?? "which has no inverse"
            return [
                ModelFinding(
                    .warning, .inverse, entity, relationship,
                    "has the inverse \(inverseName), \(back): two relationships should be the inverse of each other")
            ]
        }
        if inverse.isTransient != relationship.isTransient {
            return [
                ModelFinding(
                    .warning, .inverse, entity, relationship,
                    "and its inverse \(inverseName) should both be transient, or neither")
            ]
        }
        return []
    }
}

/// The delete rule No Action leaves relationships to deleted objects.
enum DeleteRuleCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.flatMapOwnProperties { (entity, relationship: NSRelationshipDescription) in
            guard relationship.deleteRule == .noActionDeleteRule, relationship.inverseRelationshipName != nil else {
                return []
            }
            return [
                ModelFinding(
                    .warning, .deleteRule, entity, relationship,
                    "has the delete rule No Action, which may leave relationships to deleted objects")
            ]
        }
    }
}
