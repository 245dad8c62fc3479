// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Models that are related to each other. They belong to one schema, and to one context or to none.
enum ModelGraph {
    // MARK: Inserting

    /// Inserts an object, and the objects without context that it is related to. If the container doesn't have the
    /// class of an object, the object isn't inserted, and the next save throws an error.
    static func insert(_ object: ModelObject, into context: ManagedContext) {
        var waiting: [ModelObject] = []
        var next = moved(object, to: context)
        while let object = next {
            if insertAlone(object, into: context) {
                for case let related as ModelObject in object.unsavedRelatedObjects
                where related.registeredContext == nil {
                    if let moved = moved(related, to: context) { waiting.append(moved) }
                }
            }
            next = waiting.popLast()
        }
    }

    /// Inserts an object without its related objects; false if it has a context already.
    private static func insertAlone(_ object: ModelObject, into context: ManagedContext) -> Bool {
        if let other = object.registeredContext, !object.isDetached {
            guard other === context, object.isDeleted else { return false }
        }
        context.insert(object)
        object.kept = context.keeper
        return true
    }

    private static func moved(_ object: ModelObject, to context: ManagedContext) -> ModelObject? {
        let schema = context.schemaModel
        guard object.schemaModel !== schema, object.registeredContext == nil else { return object }
        if let unknown = reachable(from: [object]).first(where: { schema.layout(of: $0.modelType) == nil }) {
            context.refuse(unknown)
            return nil
        }
        return move([object], to: schema)[ObjectIdentifier(object)]!
    }

    /// Inserts the objects without context into the context of the other objects, if there is one.
    static func insertRelated(_ objects: [ModelObject]) {
        guard let context = objects.lazy.compactMap({ $0.managedObjectContext as? ManagedContext }).first else {
            return
        }
        for object in objects where object.registeredContext == nil { insert(object, into: context) }
    }

    // MARK: Uniting

    /// The objects for a relationship between them: all of one schema, and in one context or in none.
    ///
    /// Stops the program for unsaved objects of different contexts.
    static func unite(_ objects: [ModelObject], relationship: String) -> [ModelObject] {
        let inContext = objects.first { $0.managedObjectContext != nil }
        let schema = (inContext ?? objects.first { !$0.schemaModel.isStandalone } ?? objects[0]).schemaModel
        let context = inContext?.managedObjectContext
        if objects.allSatisfy({
            $0.schemaModel === schema && ($0.registeredContext == nil || $0.registeredContext === context)
        }) {
            return objects
        }
        let moved = move(objects.filter { $0.managedObjectContext == nil && $0.schemaModel !== schema }, to: schema)
        return objects.map { object in
            guard let other = object.managedObjectContext else {
                return moved[ObjectIdentifier(object)] ?? object
            }
            if other === context { return object }
            if let context, let counterpart = counterpart(of: object, in: context) { return counterpart }
            programmingError(
                """
                Illegal attempt to set '\(relationship)' to a model of another context (\(object.layout.name) \
                \(object.objectID)).
                """,
                remedy: "Get the model in this context by model(for: persistentModelID), or save it first.")
        }
    }

    /// The object of the same row in another context of the same container.
    private static func counterpart(of object: ModelObject, in context: NSManagedObjectContext) -> ModelObject? {
        guard !object.objectID.isTemporaryID,
            object.managedObjectContext?.persistentStoreCoordinator === context.persistentStoreCoordinator
        else { return nil }
        return context.object(with: object.objectID) as? ModelObject
    }

    // MARK: Moving

    /// Moves objects without context, and the objects that they are related to, to another schema: their models get new
    /// managed objects. Each old object has one new object, however many objects refer to it.
    ///
    /// - Returns: the new objects, by the old ones.
    private static func move(_ objects: [ModelObject], to schema: SchemaModel) -> [ObjectIdentifier: ModelObject] {
        let old = reachable(from: objects)
        var new: [ObjectIdentifier: ModelObject] = [:]
        for object in old { new[ObjectIdentifier(object)] = replacement(of: object, in: schema) }
        for object in old { moveRelationships(of: object, new) }
        for object in old {
            let replacement = new[ObjectIdentifier(object)]!
            replacement.attachment = object.attachment
            replacement.observation = object.observation
            object.observation = nil
            if let model = object.knownModel as? any PersistentModel { repoint(model, to: replacement) }
        }
        return new
    }

    private static func reachable(from objects: [ModelObject]) -> [ModelObject] {
        var known: Set<ObjectIdentifier> = []
        var found = objects.filter { known.insert(ObjectIdentifier($0)).inserted }
        var next = 0
        while next < found.count {
            for case let related as ModelObject in found[next].unsavedRelatedObjects
            where related.registeredContext == nil && known.insert(ObjectIdentifier(related)).inserted {
                found.append(related)
            }
            next += 1
        }
        return found
    }

    private static func replacement(of object: ModelObject, in schema: SchemaModel) -> ModelObject {
        guard let type = object.schemaModel.type(of: object.layout), let layout = schema.layout(of: type) else {
            programmingError(
                ForeignModels.message(of: object.modelType, in: schema.schema),
                remedy: "Add the class to the schema, or use the class of the container's version.")
        }
        let new = ModelObject(newModelOf: layout)
        for slot in layout.properties where slot.cell >= 0 && !slot.isRelationship {
            guard let oldSlot = object.layout.slot(named: slot.name) else { continue }
            new.copyAttribute(slot, from: object, oldSlot)
        }
        return new
    }

    private static func moveRelationships(of object: ModelObject, _ new: [ObjectIdentifier: ModelObject]) {
        let replacement = new[ObjectIdentifier(object)]!
        func moved(_ related: NSManagedObject) -> NSManagedObject { new[ObjectIdentifier(related)] ?? related }
        for slot in object.layout.properties where slot.isRelationship {
            guard let newSlot = replacement.layout.slot(named: slot.name), newSlot.kind == slot.kind else { continue }
            if slot.kind == .toOne {
                guard let destination = object.relatedObject(slot) else { continue }
                replacement.setRelatedObject(moved(destination), newSlot)
                object.setRelatedObject(nil, slot)
            } else {
                let members = object.relatedObjects(slot)
                if members.isEmpty { continue }
                replacement.setRelatedObjects(replacement.relatedObjects(newSlot) + members.map(moved), newSlot)
                object.setRelatedObjects([], slot)
            }
        }
    }

    private static func repoint<Model: PersistentModel>(_ model: Model, to object: ModelObject) {
        model.persistentBackingData = ManagedBackingData<Model>(object)
        object.setModel(model)
    }
}
