import CoreData
import Testing

/// IDs of a store that the context's coordinator doesn't have, and entities of another model.
@Suite("IDs and entities from elsewhere")
struct ForeignIDTests {
    static let kinds: [StoreKind] = [.sqlite, .memory, .binary, .xml]

    /// The store of the IDs.
    enum Origin: String, CaseIterable {
        /// A store of an equal model, added to another coordinator.
        case equalModel
        /// A store of a model whose entities have other names.
        case otherModel
        /// A store that was removed from the coordinator.
        case removedStore
    }

    private func otherModel() -> NSManagedObjectModel {
        model([entity("Planet", [attribute("name", .stringAttributeType)]), entity("Moon"), entity("Star")])
    }

    /// Calls a block with a stack that has its own objects, and an ID of another store.
    private func withForeignID(
        _ kind: StoreKind, _ origin: Origin,
        _ body: (TestStack, NSManagedObjectContext, NSManagedObjectID) throws -> Void
    ) throws {
        let stack = try TestStack(kind, model: PetModel.make())
        try on(stack.context) { try PetModel.fill(stack.context) }
        let other: TestStack
        switch origin {
        case .otherModel: other = try TestStack(kind, model: otherModel())
        case .equalModel, .removedStore: other = try TestStack(kind, model: PetModel.make())
        }
        var id: NSManagedObjectID?
        if origin == .removedStore {
            let second = try stack.coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: stack.folder.file("second.sqlite"), options: nil)
            let context = stack.newContext()
            try on(context) {
                let pet = context.make("Dog", "Fido", ["trick": "barks"])
                context.assign(pet, to: second)
                try context.save()
                id = pet.objectID
            }
            try stack.coordinator.remove(second)
        } else {
            try on(other.context) {
                let object = other.context.make(origin == .otherModel ? "Planet" : "Dog", "Fido")
                try other.context.save()
                id = object.objectID
            }
        }
        let context = stack.newContext()
        let foreign = try requireValue(id)
        try on(context) { try body(stack, context, foreign) }
        try inFreshContext(stack) { fresh in
            let names = try fresh.names("Pet")
            expectEqual(names, ["Bob", "Pat", "Rex", "Tom"])
        }
        withExtendedLifetime(other) {}
    }

    @Test("An ID of a store that the coordinator doesn't have names no object", arguments: kinds, Origin.allCases)
    func existing(kind: StoreKind, origin: Origin) throws {
        try withForeignID(kind, origin) { _, context, id in
            let error = thrownError { _ = try context.existingObject(with: id) }
            expectEqual(error?.domain, NSCocoaErrorDomain)
            let codes = [NSManagedObjectReferentialIntegrityError, NSPersistentStoreOperationError]
            expectEqual(error.map { codes.contains($0.code) }, true, "\(String(describing: error))")
        }
    }

    @Test("A fault of a foreign ID can be read, refreshed, and deleted", arguments: kinds, Origin.allCases)
    func faults(kind: StoreKind, origin: Origin) throws {
        try withForeignID(kind, origin) { _, context, id in
            let object = context.object(with: id)
            #expect(object.value(forKey: "name") == nil)
            context.refresh(object, mergeChanges: true)
            context.refresh(object, mergeChanges: false)
            #expect(object.value(forKey: "name") == nil)
            _ = context.registeredObject(for: id)
            context.delete(object)
            try? context.save()
            context.rollback()
            context.reset()
        }
    }

    @Test("Foreign IDs in merged changes and batch requests are ignored", arguments: kinds, Origin.allCases)
    func merging(kind: StoreKind, origin: Origin) throws {
        try withForeignID(kind, origin) { _, context, id in
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey] {
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: [id]], into: [context])
            }
            if kind == .sqlite { _ = try? context.execute(NSBatchDeleteRequest(objectIDs: [id])) }
            let names = try context.names("Pet")
            expectEqual(names, ["Bob", "Pat", "Rex", "Tom"])
            _ = try? context.all("Owner", "favourite == %@ OR ANY pets IN %@", [id, [id]])
        }
    }

    @Test("An object is not assigned to a store of another coordinator", arguments: kinds)
    func assigning(kind: StoreKind) throws {
        let other = try TestStack(kind, model: PetModel.make())
        try withStack(kind, model: PetModel.make()) { stack in
            let pet = stack.context.make("Dog", "Fido")
            stack.context.assign(pet, to: other.store)
            let error = thrownError { try stack.context.obtainPermanentIDs(for: [pet]) }
            expectEqual(error?.code, NSPersistentStoreSaveError)
            let saveError = thrownError { try stack.context.save() }
            expectEqual(saveError?.code, NSPersistentStoreSaveError)
            expectTrue(pet.objectID.isTemporaryID)
            stack.context.assign(pet, to: stack.store)
            try stack.context.save()
            expectFalse(pet.objectID.isTemporaryID)
        }
        try on(other.context) {
            let dogs = try other.context.all("Dog")
            expectEmpty(dogs)
        }
    }

    @Test("A new object of an equal model's entity can't be saved", arguments: kinds)
    func equalEntity(kind: StoreKind) throws {
        let other = PetModel.make()
        try withStack(kind, model: PetModel.make()) { stack in
            let entity = try requireValue(other.entitiesByName["Dog"])
            let pet = NSManagedObject(entity: entity, insertInto: stack.context)
            pet.setValue("Fido", forKey: "name")
            pet.setValue("barks", forKey: "trick")
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.code, NSPersistentStoreSaveError)
            let permanentError = thrownError { try stack.context.obtainPermanentIDs(for: [pet]) }
            expectEqual(permanentError?.code, NSPersistentStoreSaveError)
            stack.context.rollback()
            let pets = try stack.context.all("Pet")
            expectEmpty(pets)
        }
    }
}
