/// Names that mean something already, that can't be told apart, or that are no names.
enum NameCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        alike(model.entitiesByNameOrder.map { ($0.name ?? "", $0) }).map { name, other, entity in
            ModelFinding(
                .warning, .name, entity, key: "name", "the entities '\(other)' and '\(name)' differ by case only")
        } + model.entitiesByNameOrder.flatMap { entity in entityName(entity) + properties(entity) }
    }

    private static func entityName(_ entity: NSEntityDescription) -> [ModelFinding] {
        let name = entity.name ?? ""
        return isName(name)
            ? []
            : [
                ModelFinding(
                    .warning, .name, entity, key: "name",
                    "the entity name '\(name)' should begin with a letter and hold letters, digits and underscores only"
                )
            ]
    }

    private static func properties(_ entity: NSEntityDescription) -> [ModelFinding] {
        let own = entity.ownProperties
        var findings: [ModelFinding] = own.compactMap { property in
            let name = property.name
            if !isName(name) {
                return ModelFinding(
                    .warning, .name, entity, property,
                    "has a name that should begin with a letter and hold letters, digits and underscores only")
            }
            if objectNames.contains(name) {
                return ModelFinding(
                    .warning, .name, entity, property,
                    "conflicts with a member of that name of NSManagedObject or NSObject")
            }
            if SwiftName.isKeyword(name) {
                return ModelFinding(.warning, .name, entity, property, "has the name of a Swift keyword")
            }
            if let parent = entity.superentity?.property(named: name), let owner = parent.owningEntity?.name {
                return ModelFinding(.warning, .name, entity, property, "is declared by its parent '\(owner)' already")
            }
            return nil
        }
        let inherited = entity.superentity?.properties ?? []
        findings += alike((inherited + own).map { ($0.name, $0) }).compactMap { name, other, property in
            property.owningEntity === entity
                ? ModelFinding(.warning, .name, entity, property, "and the property '\(other)' differ by case only")
                : nil
        }
        return findings
    }

    /// Those whose name is another's in other case, with that other.
    private static func alike<Named>(_ named: [(name: String, value: Named)]) -> [(String, String, Named)] {
        var known: [String: String] = [:]
        return named.compactMap { name, value in
            guard let other = known.updateValue(name, forKey: name.lowercased()), other != name else { return nil }
            return (name, other, value)
        }
    }

    private static func isName(_ name: String) -> Bool { SwiftName.isIdentifier(name) }

    /// What every managed object has.
    private static let objectNames: Set<String> = [
        "autorelease", "awakeFromFetch", "awakeFromInsert", "changedValues", "class", "committedValues", "copy",
        "dealloc", "debugDescription", "delete",
        "deleted", "description", "didSave", "didTurnIntoFault", "entity", "fault", "faultingState", "hasChanges",
        "hasPersistentChangedValues", "hash",
        "init", "inserted", "isDeleted", "isEqual", "isFault", "isInserted", "isUpdated", "managedObjectContext",
        "mutableCopy", "new",
        "objectID", "objectWillChange", "observationInfo", "prepareForDeletion", "release", "retain", "retainCount",
        "self", "superclass",
        "updated", "willSave", "willTurnIntoFault", "zone",
    ]
}
