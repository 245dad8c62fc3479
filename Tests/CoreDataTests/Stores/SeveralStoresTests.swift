import CoreData
import Testing

@Suite("Several stores in one coordinator")
struct SeveralStoresTests {
    /// A coordinator with two stores, each of which holds one of two entities.
    private final class TwoStores {
        let folder: TemporaryFolder
        let coordinator: NSPersistentStoreCoordinator
        let context: NSManagedObjectContext
        let stores: [NSPersistentStore]

        init(_ kind: StoreKind) throws {
            let one = entity(
                "One", [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType)])
            let two = entity(
                "Two", [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType)])
            let model = model([one, two])
            model.setEntities([one], forConfigurationName: "Ones")
            model.setEntities([two], forConfigurationName: "Twos")
            let folder = try TemporaryFolder()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            stores = try ["Ones", "Twos"].map { (name: String) in
                try coordinator.addPersistentStore(
                    ofType: kind.type, configurationName: name, at: folder.file("\(name).sqlite"))
            }
            (self.folder, self.coordinator) = (folder, coordinator)
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
        }

        func newContext() -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
    }

    @Test("each object goes into the store that holds its entity", arguments: StoreKind.allCases)
    func places(_ kind: StoreKind) throws {
        let stack = try TwoStores(kind)
        try on(stack.context) {
            let one = stack.context.make("One", "a")
            let two = stack.context.make("Two", "b")
            try stack.context.save()
            #expect(
                one.objectID.persistentStore === stack.stores[0] && two.objectID.persistentStore === stack.stores[1])
        }
    }

    @Test("a conflict in one store leaves the other one as it was", arguments: StoreKind.allCases, ["One", "Two"])
    func allOrNothing(_ kind: StoreKind, conflicting: String) throws {
        let stack = try TwoStores(kind)
        let other = stack.newContext()
        try on(stack.context) {
            stack.context.make("One", "a")
            stack.context.make("Two", "a")
            try stack.context.save()
        }
        try on(stack.context) {
            let first = try stack.context.one("One", "a")
            let second = try stack.context.one("Two", "a")
            _ = (first.text("name"), second.text("name"))
            try on(other) {
                try other.one(conflicting, "a").setValue(7, forKey: "number")
                try other.save()
            }
            first.setValue(1, forKey: "number")
            second.setValue(1, forKey: "number")
            stack.context.make("One", "new")
            stack.context.make("Two", "new")
            let error = try #require(thrownError { try stack.context.save() })
            #expect(error.code == 133020)
            #expect(stack.context.insertedObjects.count == 2 && stack.context.updatedObjects.count == 2)
            try on(other) {
                other.reset()
                for entity in ["One", "Two"] {
                    let found = try other.all(entity)
                    #expect(found.map { $0.text("name") } == ["a"])
                    #expect(found[0].number("number") == (entity == conflicting ? 7 : nil))
                }
            }
            // After a refresh the same save goes through, once.
            stack.context.refreshAllObjects()
            try stack.context.save()
            try on(other) {
                other.reset()
                try #expect(other.all("One").count == 2 && other.all("Two").count == 2)
            }
        }
    }

    @Test("a store that refuses an object leaves the IDs of all others temporary", arguments: StoreKind.allCases)
    func permanentIDs(_ kind: StoreKind) throws {
        let stack = try TwoStores(kind)
        try on(stack.context) {
            let one = stack.context.make("One", "a")
            let two = stack.context.make("Two", "b")
            try stack.coordinator.remove(stack.stores[1])
            #expect(thrownError { try stack.context.obtainPermanentIDs(for: [one, two]) } != nil)
            #expect(one.objectID.isTemporaryID && two.objectID.isTemporaryID)
        }
    }

    @Test("the same file can't be added twice")
    func twice() throws {
        let stack = try TwoStores(.sqlite)
        let error = try #require(
            thrownError {
                _ = try stack.coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: "Ones", at: stack.folder.file("Ones.sqlite"))
            })
        #expect(error.domain == NSCocoaErrorDomain && error.code == 134080)
        #expect(stack.coordinator.persistentStores.count == 2)
    }
}
