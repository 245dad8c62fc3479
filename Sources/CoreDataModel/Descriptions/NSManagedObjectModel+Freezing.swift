// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectModel {
    /// Whether the model is immutable, because a coordinator uses it.
    final var isFrozen: Bool { freezeLock.withLock { frozenState != nil } }

    /// Makes the model immutable: resolves names and computes derived values. A second call has no effect.
    ///
    /// A coordinator calls it before it uses a model. Stops the program if the model is inconsistent.
    package final func freeze() {
        freezeLock.withLock {
            guard frozenState == nil else { return }
            if let problem = firstProblem() {
                programmingError("The model can't be used: \(problem.message)")
            }
            for entity in entityStorage {
                let indexes = entity.convertedIndexes
                if indexes.count != entity.indexStorage.count { entity.indexes = indexes }
                for property in entity.ownPropertyStorage { property.freeze() }
                for element in entity.indexStorage.flatMap(\.elements) { element.freeze() }
            }
            // A subentity reads the derived values of its parent.
            for entity in entityStorage where entity.superentityStorage == nil { freezeTree(entity) }
            for template in templateStorage.values {
                template.resolveEntity(in: self)
                template.freezeWithModel()
            }
            frozenState = FrozenModelState(of: self)
        }
    }

    private func freezeTree(_ entity: NSEntityDescription) {
        entity.frozenState = FrozenEntityState(of: entity)
        for child in entity.subentityStorage { freezeTree(child) }
    }
}

/// Values derived from the definition of a model, computed once by `freeze()`.
final class FrozenModelState {
    let entitiesByName: [String: NSEntityDescription]
    let entityVersionHashesByName: [String: Data]
    let versionChecksum: String

    init(of model: NSManagedObjectModel) {
        entitiesByName = model.entitiesByName
        entityVersionHashesByName = model.computeEntityVersionHashes()
        versionChecksum = VersionHashSummary.checksum(of: entityVersionHashesByName)
    }
}

/// Values derived from the definition of an entity, computed once by `freeze()`.
final class FrozenEntityState {
    let properties: [NSPropertyDescription]
    let propertiesByName: [String: NSPropertyDescription]
    let attributesByName: [String: NSAttributeDescription]
    let relationshipsByName: [String: NSRelationshipDescription]
    /// The identifiers of all ancestors. The model keeps them alive.
    let ancestors: Set<ObjectIdentifier>
    let versionHash: Data

    init(of entity: NSEntityDescription) {
        properties = entity.collectProperties()
        propertiesByName = NSEntityDescription.byName(properties)
        attributesByName = NSEntityDescription.byName(properties.compactMap { $0 as? NSAttributeDescription })
        relationshipsByName = NSEntityDescription.byName(properties.compactMap { $0 as? NSRelationshipDescription })
        var ancestors: Set<ObjectIdentifier> = []
        var ancestor = entity.superentity
        while let current = ancestor {
            ancestors.insert(ObjectIdentifier(current))
            ancestor = current.superentity
        }
        self.ancestors = ancestors
        versionHash = entity.computeVersionHash()
    }
}
