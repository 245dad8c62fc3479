// SPDX-License-Identifier: Apache-2.0

/// The differences between two models, by entity and property.
///
/// Tool and system versions in the source file are not compared.
package struct ModelComparison {
    /// The extent of the comparison.
    package enum Scope: Sendable {
        case everything
        /// The parts that the model cache of a store contains. It has no class names, fetch requests and editor
        /// settings.
        case storedPart
    }

    /// All differences: first the differences of the model itself, then the differences of entities in the order of
    /// their names.
    package let differences: [ModelDifference]
    /// The new names of the entities whose version hash differs, including inherited differences, sorted.
    package let entitiesWithChangedHash: [String]
    /// Whether a store created with the old model must be migrated before it can be opened with the new model.
    package let needsMigration: Bool

    package var isEqual: Bool { differences.isEmpty }

    static let renamingIdentifierAspect = "renaming identifier"
    static let classAspect = "class"

    package init(from old: NSManagedObjectModel, to new: NSManagedObjectModel, scope: Scope = .everything) {
        let filter = Filter(
            scope: scope, comparesEditorSettings: !old.sourceAttributes.isEmpty && !new.sourceAttributes.isEmpty)
        // A mutable model computes its hashes at each access.
        let oldHashes = old.entityVersionHashesByName
        let newHashes = new.entityVersionHashesByName
        needsMigration = oldHashes != newHashes
        let entities = ModelPairing(
            old: old.entities, new: new.entities, name: { $0.name ?? "" }, identifier: { $0.renamingIdentifier ?? "" })
        let changed = Set(
            entities.pairs.filter { oldHashes[$0.old.name ?? ""] != newHashes[$0.new.name ?? ""] }.compactMap(
                \.new.name))
        entitiesWithChangedHash = changed.sortedBytewise()

        var entityDifferences =
            entities.added.map { Self.difference($0, .added) } + entities.removed.map { Self.difference($0, .removed) }
        for (before, after) in entities.pairs {
            entityDifferences += Self.differences(
                from: before, to: after, isHashChanged: changed.contains(after.name ?? ""), filter)
        }
        let changes = Self.compared(old.aspects, new.aspects, filter)
        differences =
            changes.map { Self.difference($0, entity: nil, property: nil, isHashed: false) }
            + entityDifferences.sortedBytewise { $0.entity ?? "" }
    }

    /// The differences between two entities of one name, in two models of which none is older.
    static func differences(between first: NSEntityDescription, and second: NSEntityDescription) -> [ModelDifference] {
        differences(
            from: first, to: second, isHashChanged: false, Filter(scope: .everything, comparesEditorSettings: false))
    }

    private static func difference(_ entity: NSEntityDescription, _ kind: ModelDifference.Kind) -> ModelDifference {
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
        for change in compared(old.aspects, new.aspects, filter)
        where !isPartOfRenaming(change, rename: old.name, to: name) && !namesOwnModule(change) {
            differences.append(difference(change, entity: name, property: nil, isHashed: isHashChanged))
        }
        let properties = ModelPairing(
            old: old.declaredProperties, new: new.declaredProperties, name: \.name,
            identifier: { $0.renamingIdentifier ?? "" })
        var propertyDifferences = properties.added.map { difference($0, .added, of: name, isHashChanged) }
        propertyDifferences += properties.removed.map { difference($0, .removed, of: name, isHashChanged) }
        for (before, after) in properties.pairs {
            propertyDifferences += self.differences(from: before, to: after, of: name, isHashChanged, filter)
        }
        return differences
            + propertyDifferences.sortedBytewise { $0.property ?? "" }
    }

    private static func difference(
        _ property: NSPropertyDescription, _ kind: ModelDifference.Kind, of entity: String, _ isHashChanged: Bool
    ) -> ModelDifference {
        let aspect = ModelFormatter.kind(of: property)
        let text = summary(of: property)
        return ModelDifference(
            kind: kind, entity: entity, property: property.name, aspect: aspect, old: kind == .added ? nil : text,
            new: kind == .added ? text : nil, phrase: "\(aspect) \(kind.rawValue) (\(text))",
            changesVersionHash: isHashChanged && property.isPartOfEntityVersionHash)
    }

    /// A short description of a property: "String, required", "to-many Song, inverse artist".
    private static func summary(of property: NSPropertyDescription) -> String {
        var words: [String] = []
        switch property {
        case let attribute as NSAttributeDescription:
            words.append(ModelFormatter.name(of: attribute.attributeType))
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
                    kind: .renamed, entity: entity, property: new.name, aspect: ModelFormatter.kind(of: new),
                    old: old.name, new: new.name,
                    phrase: "renamed from \(old.name) (renaming identifier)",
                    changesVersionHash: isHashChanged
                        && (old.isPartOfEntityVersionHash || new.isPartOfEntityVersionHash)))
        }
        for change in compared(old.aspects, new.aspects, filter)
        where !isPartOfRenaming(change, rename: old.name, to: new.name) {
            differences.append(difference(change, entity: entity, property: new.name, isHashed: isHashChanged))
        }
        return differences
    }

    /// Whether a renaming identifier only expresses a rename that is reported already.
    private static func isPartOfRenaming(_ change: ModelAspectChange, rename old: String?, to new: String) -> Bool {
        change.name == renamingIdentifierAspect && old != new && (change.new?.text ?? old) == old
    }

    /// Whether a class of the program's own module, `.Song`, only gets or loses the name of that module, as it does
    /// when a source is compiled.
    private static func namesOwnModule(_ change: ModelAspectChange) -> Bool {
        guard change.name == classAspect, let old = change.old?.text, let new = change.new?.text else { return false }
        return old.hasPrefix(".") && new.hasSuffix(old) || new.hasPrefix(".") && old.hasSuffix(new)
    }

    private static func compared(_ old: [ModelAspect], _ new: [ModelAspect], _ filter: Filter) -> [ModelAspectChange] {
        let changes = ModelAspectChange.changes(from: old, to: new)
        // A change between to-one and to-many also changes the counts. It is reported once.
        let changesCardinality = changes.contains { $0.name == "to-many" }
        return changes.filter { !($0.name == "count" && changesCardinality) && filter.includes($0.name) }
    }

    /// The aspects that both models can have.
    private struct Filter {
        let scope: Scope
        /// Whether both are source models: only these have settings for class generation and names of composites.
        let comparesEditorSettings: Bool

        func includes(_ aspect: String) -> Bool {
            if ["code generation", "scalar", "composite"].contains(aspect) { return comparesEditorSettings }
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

/// One difference between two models, as text.
package struct ModelDifference: Hashable, Sendable {
    package enum Kind: String, Sendable { case added, removed, renamed, changed }

    package let kind: Kind
    /// The new name of the entity, or its old name if it was removed; nil for a difference of the model.
    package let entity: String?
    /// The new name of the property, or its old name if it was removed; nil for a difference of the entity.
    package let property: String?
    /// The aspect that differs: "type", "delete rule", "constraint (name)"; "entity", "attribute" or "relationship" if
    /// it was added, removed or renamed.
    package let aspect: String
    /// The old value; nil if there is none.
    package let old: String?
    /// The new value; nil if there is none.
    package let new: String?
    /// The difference as a phrase: "now required".
    let phrase: String
    /// Whether the difference changes the entity's version hash, so that stores need a migration.
    package let changesVersionHash: Bool

    /// The subject of the phrase: "Car.owner", "Car" or "model".
    var subject: String {
        guard let entity else { return "model" }
        return property.map { "\(entity).\($0)" } ?? entity
    }

    /// The complete sentence: "Car.owner: now required".
    package var text: String { "\(subject): \(phrase)" }
}
