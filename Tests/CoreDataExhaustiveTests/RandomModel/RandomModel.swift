import CoreData

/// Core Data's model of the schema.
enum RandomModel {
    static func make() -> NSManagedObjectModel {
        let descriptions = Dictionary(
            uniqueKeysWithValues: RandomSchema.Entity.allCases.map { ($0, entity($0.rawValue)) })
        descriptions[.item]!.isAbstract = true
        for (entity, description) in descriptions {
            description.subentities = RandomSchema.Entity.allCases.filter { $0.parent == entity }.map {
                descriptions[$0]!
            }
        }
        let made = RandomSchema.relationships.map { relationship in
            let rule: NSDeleteRule =
                switch relationship.rule {
                case .nullify: .nullifyDeleteRule
                case .cascade: .cascadeDeleteRule
                case .deny: .denyDeleteRule
                case .noAction: .noActionDeleteRule
                }
            let destination = descriptions[relationship.destination]!
            return relationship.isToMany
                ? toMany(relationship.name, destination, rule: rule, ordered: relationship.isOrdered)
                : toOne(relationship.name, destination, rule: rule)
        }
        let byName = Dictionary(uniqueKeysWithValues: made.map { ($0.name, $0) })
        for relationship in RandomSchema.relationships {
            byName[relationship.name]!.inverseRelationship = relationship.inverse.map { byName[$0]! }
        }
        for (entity, description) in descriptions {
            let own = RandomSchema.attributes.filter { $0.entity == entity }.map { own in
                let made = attribute(
                    own.name, own.type, optional: own.isOptional, defaultValue: own.initial.object(own.type))
                made.isTransient = own.isTransient
                return made
            }
            description.properties =
                own + RandomSchema.relationships.filter { $0.entity == entity }.map { byName[$0.name]! }
        }
        return model(RandomSchema.Entity.allCases.map { descriptions[$0]! })
    }
}
