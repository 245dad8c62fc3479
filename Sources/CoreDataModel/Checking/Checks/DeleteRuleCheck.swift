/// No Action leaves relationships to objects that are gone.
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
