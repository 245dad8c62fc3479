// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Relationships as models. Setting one maintains the inverse, and inserts models without context into the context of
/// the model to which they are related.
extension ModelObject {
    // MARK: Reading

    /// The destination of a to-one relationship.
    func destination<Model: PersistentModel>(of property: PersistentProperty) -> Model? {
        guard let slot = property.handle.slot(of: self), slot.kind == .toOne,
            let object = relatedObject(slot) as? ModelObject
        else { return nil }
        releaseLinksOfEndedContext()
        return object.model(as: Model.self)
    }

    /// In a context that the program has released, objects don't keep their related objects alive.
    private func releaseLinksOfEndedContext() {
        guard let context = registeredContext as? ManagedContext, context.hasEnded else { return }
        releaseUnchangedLinks()
    }

    /// The destination of a required relationship. If it is missing, a model without context takes its place.
    func requiredDestination<Model: PersistentModel>(of property: PersistentProperty) -> Model {
        if let model: Model = destination(of: property) { return model }
        CoreDataLog.error(
            """
            \(layout.name).\(property.name) has no destination, and its type isn't optional. A \(Model.self) without \
            context stands for it. Set the relationship in the initializer, or make it optional.
            """)
        return Model(backingData: ManagedBackingData<Model>(for: Model.self))
    }

    /// The models of a to-many relationship.
    func destinations<Model: PersistentModel>(of property: PersistentProperty) -> [Model] {
        guard let slot = property.handle.slot(of: self), slot.kind == .toMany else { return [] }
        let objects = relatedObjects(slot)
        releaseLinksOfEndedContext()
        return objects.compactMap { ($0 as? ModelObject)?.model(as: Model.self) }
    }

    // MARK: Setting

    /// Sets the destination of a to-one relationship.
    func setDestination(_ model: (any PersistentModel)?, of property: PersistentProperty) {
        guard let slot = property.handle.slot(of: self), slot.kind == .toOne else { return }
        guard let model else {
            return notifyingInverse(of: slot, [relatedObject(slot)]) { $0.setRelatedObject(nil, slot) }
        }
        let united = unite(with: [model], slot)
        let (own, destination) = (united[0], united[1])
        guard let slot = property.handle.slot(of: own) else { return }
        own.notifyingInverse(of: slot, [own.relatedObject(slot), destination]) {
            $0.setRelatedObject(destination, slot)
        }
        ModelGraph.insertRelated([own, destination])
    }

    /// Sets the models of a to-many relationship.
    func setDestinations(_ models: [any PersistentModel], of property: PersistentProperty) {
        guard let slot = property.handle.slot(of: self), slot.kind == .toMany else { return }
        let united = unite(with: models, slot)
        let (own, members) = (united[0], Array(united.dropFirst()))
        guard let slot = property.handle.slot(of: own) else { return }
        let affected = slot.inverse >= 0 ? own.relatedObjects(slot) + members : []
        own.notifyingInverse(of: slot, affected) { $0.setRelatedObjects(members, slot) }
        ModelGraph.insertRelated(united)
    }

    /// The objects of this model and of other models, all of one schema.
    private func unite(with models: [any PersistentModel], _ slot: PropertySlot) -> [ModelObject] {
        // The first use of a model may move other models, this one too, to objects of another schema.
        for model in models { _ = model.storage }
        return ModelGraph.unite(
            [current] + models.map(\.managedObject), relationship: "\(layout.name).\(slot.name)")
    }

    // MARK: Observers of the other side

    /// Changes a relationship, and tells the observers of the models on the other side, whose inverses change with it.
    private func notifyingInverse(
        of slot: PropertySlot, _ others: [NSManagedObject?], _ change: (ModelObject) -> Void
    ) {
        let observed = others.compactMap { $0 as? ModelObject }.filter { $0.observation != nil }
        guard slot.inverse >= 0, !observed.isEmpty else { return change(self) }
        let key = observed[0].layout.properties[slot.inverse].name
        for object in observed { object.willChange(key) }
        change(self)
        for object in observed { object.didChange(key) }
    }
}
