extension NSManagedObjectModel {
    /// Whether a coordinator has taken the model.
    package final var isFrozen: Bool { freezeLock.withLock { frozenState != nil } }

    /// Makes the model immutable: resolves names, computes every cache, and refuses changes from now on. A second call
    /// does nothing.
    ///
    /// A coordinator calls it when it takes a model. It stops with a message if the model is not consistent.
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
            // Parents first: a subentity takes over their caches.
            for entity in entityStorage where entity.superentityStorage == nil { freezeTree(entity) }
            for template in templateStorage.values {
                template.resolveEntity(in: self)
                template.freezeAsPartOfModel()
            }
            frozenState = FrozenModelState(of: self)
        }
    }

    private func freezeTree(_ entity: NSEntityDescription) {
        entity.frozenState = FrozenEntityState(of: entity)
        for child in entity.subentityStorage { freezeTree(child) }
    }
}
