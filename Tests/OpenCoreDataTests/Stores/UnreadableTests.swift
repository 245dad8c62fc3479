import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// Requests while the store can't be read.
@Suite("Faults that can't be read")
struct UnreadableTests {
    /// A store of an owner with three items, and a context that knows the owner as a fault only.
    private final class Stack {
        let folder: TemporaryFolder
        let coordinator: NSPersistentStoreCoordinator
        let context: NSManagedObjectContext
        let owner: NSManagedObject
        private let connection: SQLiteConnection

        init() throws {
            let owner = AlbumModel.entity("Owner")
            let item = AlbumModel.entity("Item")
            let items = AlbumModel.toMany("items", item)
            let owned = AlbumModel.toOne("owner", owner)
            AlbumModel.pair(items, owned)
            items.deleteRule = .cascadeDeleteRule
            owner.properties = [AlbumModel.attribute("name", .stringAttributeType), items]
            item.properties = [AlbumModel.attribute("name", .stringAttributeType), owned]
            let model = NSManagedObjectModel()
            model.entities = [owner, item]
            folder = try TemporaryFolder()
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("a.sqlite"))
            connection = try requireValue(store as? SQLiteStore).database.withOpen { $0.connection }
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            self.owner = try context.performAndWait { [context] in
                let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
                owner.setValue("o", forKey: "name")
                for _ in 0..<3 {
                    NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue(
                        owner, forKey: "owner")
                }
                try context.save()
                let id = owner.objectID
                context.reset()
                return context.object(with: id)
            }
        }

        func hide(_ table: String) throws { try connection.run("ALTER TABLE \(table) RENAME TO \(table)HIDDEN") }
        func show(_ table: String) throws { try connection.run("ALTER TABLE \(table)HIDDEN RENAME TO \(table)") }

        func count(_ entity: String) throws -> Int {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
        }
    }

    @Test("a fault that can't be read is no deletion, and is read when it is refreshed")
    func fault() throws {
        let stack = try Stack()
        try stack.context.performAndWait {
            try stack.hide("ZOWNER")
            #expect(stack.owner.value(forKey: "name") == nil)
            expectFalse(stack.owner.isDeleted)
            expectFalse(stack.context.hasChanges)
            try stack.show("ZOWNER")
            try stack.context.save()
            stack.context.refresh(stack.owner, mergeChanges: false)
            #expect(stack.owner.value(forKey: "name") as? String == "o")
        }
    }

    @Test("changes of an object that couldn't be read are refused, not lost")
    func changes() throws {
        let stack = try Stack()
        try stack.context.performAndWait {
            try stack.hide("ZOWNER")
            stack.owner.setValue("new", forKey: "name")
            try stack.show("ZOWNER")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.domain, NSCocoaErrorDomain)
            expectEqual(error?.code, NSManagedObjectReferentialIntegrityError)
            stack.context.refresh(stack.owner, mergeChanges: false)
            stack.owner.setValue("new", forKey: "name")
            try stack.context.save()
        }
    }

    @Test("a relationship that can't be read is read again at the next access")
    func relationship() throws {
        let stack = try Stack()
        try stack.context.performAndWait {
            try stack.hide("ZITEM")
            expectEqual((stack.owner.value(forKey: "items") as? NSSet)?.count, 0)
            try stack.show("ZITEM")
            expectEqual((stack.owner.value(forKey: "items") as? NSSet)?.count, 3)
            expectFalse(stack.owner.hasChanges)
        }
    }

    @Test("a change of a relationship that couldn't be read is refused, not lost")
    func relationshipChange() throws {
        let stack = try Stack()
        try stack.context.performAndWait {
            try stack.hide("ZITEM")
            stack.owner.setValue(NSSet(), forKey: "items")
            try stack.show("ZITEM")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectReferentialIntegrityError)
            stack.context.refresh(stack.owner, mergeChanges: false)
            expectEqual((stack.owner.value(forKey: "items") as? NSSet)?.count, 3)
            stack.owner.setValue(NSSet(), forKey: "items")
            try stack.context.save()
        }
    }

    @Test("a failure within a body is thrown, and an earlier one stays recorded")
    func thrownFailures() throws {
        let stack = try Stack()
        try stack.context.performAndWait {
            let context = stack.context
            try stack.hide("ZITEM")
            #expect(throws: NSError.self) {
                try context.throwingReadFailures { _ = stack.owner.value(forKey: "items") }
            }
            // The failure counts, not the error that follows from it.
            let error = #expect(throws: NSError.self) {
                try context.throwingReadFailures {
                    guard stack.owner.value(forKey: "items") == nil else { throw CocoaError(.fileNoSuchFile) }
                }
            }
            #expect(error?.code != CocoaError.Code.fileNoSuchFile.rawValue)
            try stack.show("ZITEM")
            let count = try context.throwingReadFailures { (stack.owner.value(forKey: "items") as? NSSet)?.count }
            expectEqual(count, 3)
            let isRecorded = context.reading.failure != nil
            expectTrue(isRecorded)
        }
    }

    @Test("an object that could not be read is read again")
    func readingAgain() throws {
        let stack = try Stack()
        try stack.context.performAndWait {
            try stack.hide("ZOWNER")
            #expect(stack.owner.value(forKey: "name") == nil)
            try stack.show("ZOWNER")
            #expect(stack.owner.value(forKey: "name") == nil)
            try stack.owner.readAgainAfterFailure()
            #expect(stack.owner.value(forKey: "name") as? String == "o")
        }
    }

    @Test("an object that could not be read isn't read again after a change, which would be lost")
    func readingAgainAfterChange() throws {
        let stack = try Stack()
        try stack.context.performAndWait {
            try stack.hide("ZOWNER")
            stack.owner.setValue("new", forKey: "name")
            try stack.show("ZOWNER")
            let error = #expect(throws: NSError.self) { try stack.owner.readAgainAfterFailure() }
            expectEqual(error?.code, NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test("a deletion whose cascade can't be followed isn't saved before it can", arguments: ["ZITEM", "ZOWNER"])
    func cascade(_ table: String) throws {
        let stack = try Stack()
        try stack.context.performAndWait {
            try stack.hide(table)
            stack.context.delete(stack.owner)
            #expect(throws: NSError.self) { try stack.context.save() }
            try stack.show(table)
            try expectEqual(stack.count("Item"), 0)
            try stack.context.save()
            stack.context.reset()
            try expectEqual(stack.count("Owner"), 0)
            try expectEqual(stack.count("Item"), 0)
        }
    }

    @Test("objects of a store that was removed are no deletions")
    func removedStore() throws {
        let stack = try Stack()
        try stack.context.performAndWait {
            try stack.coordinator.remove(stack.coordinator.persistentStores[0])
            #expect(stack.owner.value(forKey: "name") == nil)
            expectEqual((stack.owner.value(forKey: "items") as? NSSet)?.count, 0)
            expectFalse(stack.context.hasChanges)
            try stack.context.save()
        }
    }

    @Test("rows of a save that reach the row cache late don't hide newer ones")
    func lateRows() throws {
        let model = RuntimeModel.make()
        defer { withExtendedLifetime(model) {} }
        let layout = try requireValue(ModelLayout.of(model).byName["Item"])
        let cache = RowCache()
        func buffer(_ version: Int32) -> RowBuffer {
            let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
            _ = buffer.append(primaryKey: 1, version: version, layout: layout)
            return buffer
        }
        let newer = buffer(3)
        let older = buffer(2)
        let newest = buffer(4)
        try withExtendedLifetime((newer, older, newest)) {
            cache.addSaved([newer], replacing: true, savedIn: 0)
            cache.addSaved([older], replacing: true, savedIn: 0)
            expectEqual(cache.row(layout, key: 1)?.row.version, 3)
            cache.addSaved([newest], replacing: true, savedIn: 0)
            expectEqual(cache.row(layout, key: 1)?.row.version, 4)
            // The row of the store counts, whatever its version.
            cache.add([buffer(1)])
            _ = try requireValue(cache.row(layout, key: 1))
        }
    }
}
