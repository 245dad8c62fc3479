/// What differs between two models, entity by entity and property by property.
///
/// Attributes of the source file that only Xcode's editor reads (versions of tools and systems) are not compared.
package struct ModelComparison {
    /// How much of the models is compared.
    package enum Scope: Sendable {
        case everything
        /// What the model cached in a store keeps; it has no class names, no fetch requests and no settings of Xcode's
        /// editor.
        case storedPart
    }

    /// All differences: of the model first, then by entity, sorted by name.
    package let differences: [ModelDifference]
    /// The entities, by their new names, of which stores hold another version hash now, be it for an inherited reason;
    /// sorted.
    package let entitiesWithChangedHash: [String]
    /// Whether a store made with the old model can be opened with the new one only after a migration.
    package let needsMigration: Bool

    package var isEqual: Bool { differences.isEmpty }

    static let renamingIdentifierAspect = "renaming identifier"

    package init(from old: NSManagedObjectModel, to new: NSManagedObjectModel, scope: Scope = .everything) {
        let filter = Filter(
            scope: scope, hasEditorSettings: !old.sourceAttributes.isEmpty && !new.sourceAttributes.isEmpty)
        // A hash is computed anew each time that a mutable model is asked for it.
        let oldHashes = old.entityVersionHashesByName
        let newHashes = new.entityVersionHashesByName
        needsMigration = oldHashes != newHashes
        let entities = ModelPairing(
            old: old.entities, new: new.entities, name: { $0.name ?? "" }, identifier: { $0.renamingIdentifier ?? "" })
        let changed = Set(
            entities.pairs.filter { oldHashes[$0.old.name ?? ""] != newHashes[$0.new.name ?? ""] }.compactMap(
                \.new.name))
        entitiesWithChangedHash = changed.sorted { $0.precedesBytewise($1) }

        var ofEntities =
            entities.added.map { Self.whole($0, .added) } + entities.removed.map { Self.whole($0, .removed) }
        for (before, after) in entities.pairs {
            ofEntities += Self.differences(
                from: before, to: after, isHashChanged: changed.contains(after.name ?? ""), filter)
        }
        let changes = Self.compared(old.aspects, new.aspects, filter)
        differences =
            changes.map { Self.difference($0, entity: nil, property: nil, isHashed: false) }
            + ofEntities.enumerated().sorted { left, right in
                let names = (left.element.entity ?? "", right.element.entity ?? "")
                return names.0 == names.1 ? left.offset < right.offset : names.0.precedesBytewise(names.1)
            }.map(\.element)
    }

    private static func whole(_ entity: NSEntityDescription, _ kind: ModelDifference.Kind) -> ModelDifference {
        let words =
            (entity.isAbstract ? "abstract entity" : "entity")
            + (entity.superentityName.map { " of parent \($0)" } ?? "")
        return ModelDifference(
            kind: kind, entity: entity.name ?? "", property: nil, aspect: "entity",
            old: kind == .added ? nil : entity.name,
            new: kind == .added ? entity.name : nil, phrase: "\(words) \(kind.rawValue)", changesVersionHash: true)
    }

    private static func differences(
        from old: NSEntityDescription, to new: NSEntityDescription, isHashChanged: Bool, _ filter: Filter
    ) -> [ModelDifference] {
        let name = new.name ?? ""
        var differences: [ModelDifference] = []
        if let before = old.name, before != name {
            differences.append(
                ModelDifference(
                    kind: .renamed, entity: name, property: nil, aspect: "entity", old: before, new: name,
                    phrase: "renamed from \(before) (renaming identifier)", changesVersionHash: true))
        }
        for change in compared(old.aspects, new.aspects, filter) where !explains(change, rename: old.name, to: name) {
            differences.append(difference(change, entity: name, property: nil, isHashed: isHashChanged))
        }
        let properties = ModelPairing(
            old: old.declaredProperties, new: new.declaredProperties, name: \.name,
            identifier: { $0.renamingIdentifier ?? "" })
        var ofProperties = properties.added.map { whole($0, .added, of: name, isHashChanged) }
        ofProperties += properties.removed.map { whole($0, .removed, of: name, isHashChanged) }
        for (before, after) in properties.pairs {
            ofProperties += self.differences(from: before, to: after, of: name, isHashChanged, filter)
        }
        return differences
            + ofProperties.enumerated().sorted { left, right in
                let names = (left.element.property ?? "", right.element.property ?? "")
                return names.0 == names.1 ? left.offset < right.offset : names.0.precedesBytewise(names.1)
            }.map(\.element)
    }

    private static func whole(
        _ property: NSPropertyDescription, _ kind: ModelDifference.Kind, of entity: String, _ isHashChanged: Bool
    ) -> ModelDifference {
        let aspect = ModelWording.kind(of: property)
        let text = summary(of: property)
        return ModelDifference(
            kind: kind, entity: entity, property: property.name, aspect: aspect, old: kind == .added ? nil : text,
            new: kind == .added ? text : nil, phrase: "\(aspect) \(kind.rawValue) (\(text))",
            changesVersionHash: isHashChanged && property.entersEntityVersionHash)
    }

    /// What a whole property is, in a few words: "String, required", "to-many Song, inverse artist".
    private static func summary(of property: NSPropertyDescription) -> String {
        var words: [String] = []
        switch property {
        case let attribute as NSAttributeDescription:
            words.append(ModelWording.name(of: attribute.attributeType))
        case let relationship as NSRelationshipDescription:
            words.append(
                "\(relationship.isToMany ? "to-many" : "to-one") \(relationship.destinationEntityName ?? "nothing")")
            if let inverse = relationship.inverseRelationshipName { words.append("inverse \(inverse)") }
        case let fetched as NSFetchedPropertyDescription:
            words.append(fetched.fetchRequest?.entityName ?? "no entity")
        default: break
        }
        words.append(property.isOptional ? "optional" : "required")
        if property.isTransient, !(property is NSFetchedPropertyDescription) { words.append("transient") }
        return words.joined(separator: ", ")
    }

    private static func differences(
        from old: NSPropertyDescription, to new: NSPropertyDescription, of entity: String, _ isHashChanged: Bool,
        _ filter: Filter
    ) -> [ModelDifference] {
        var differences: [ModelDifference] = []
        if old.name != new.name {
            differences.append(
                ModelDifference(
                    kind: .renamed, entity: entity, property: new.name, aspect: ModelWording.kind(of: new),
                    old: old.name, new: new.name,
                    phrase: "renamed from \(old.name) (renaming identifier)",
                    changesVersionHash: isHashChanged && (old.entersEntityVersionHash || new.entersEntityVersionHash)))
        }
        for change in compared(old.aspects, new.aspects, filter) where !explains(change, rename: old.name, to: new.name)
        {
            differences.append(difference(change, entity: entity, property: new.name, isHashed: isHashChanged))
        }
        return differences
    }

    /// Whether a renaming identifier is only how the model says what is reported as a new name.
    private static func explains(_ change: ModelAspectChange, rename old: String?, to new: String) -> Bool {
        change.name == renamingIdentifierAspect && old != new && (change.new?.text ?? old) == old
    }

    private static func compared(_ old: [ModelAspect], _ new: [ModelAspect], _ filter: Filter) -> [ModelAspectChange] {
        let changes = ModelAspectChange.changes(from: old, to: new)
        // To-one and to-many differ in their counts too; that is one change and not two.
        let changesCardinality = changes.contains { $0.name == "to-many" }
        return changes.filter { !($0.name == "count" && changesCardinality) && filter.includes($0.name) }
    }

    /// Which aspects both models could have.
    private struct Filter {
        let scope: Scope
        /// Only source models have the settings of class generation, and the names of composites.
        let hasEditorSettings: Bool

        func includes(_ aspect: String) -> Bool {
            if ["code generation", "scalar", "composite"].contains(aspect) { return hasEditorSettings }
            if scope == .everything { return true }
            return !["class", "value class"].contains(aspect)
                && !["fetch request ", "localization ", "index "].contains(where: aspect.hasPrefix)
        }
    }

    private static func difference(
        _ change: ModelAspectChange, entity: String?, property: String?, isHashed: Bool
    ) -> ModelDifference {
        ModelDifference(
            kind: change.kind, entity: entity, property: property, aspect: change.name, old: change.old?.text,
            new: change.new?.text,
            phrase: change.phrase, changesVersionHash: isHashed && change.isHashed)
    }
}
