import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Unsaved changes of a context")
struct UnsavedChangesTests {
    /// Calls a block with the unsaved changes of a context that has a saved and a new artist.
    private func withChanges(
        _ body: (UnsavedChanges, _ saved: NSManagedObject, _ new: NSManagedObject) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let saved = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
            try context.save()
            let new = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
            try body(context.unsavedChanges, saved, new)
            expectEqual(context.unsavedChanges.checkInvariants(), [])
            try context.checkInvariants()
        }
    }

    @Test("an updated object that is deleted is in one list")
    func deletion() throws {
        try withChanges { changes, saved, new in
            changes.update(saved)
            changes.delete(saved)
            #expect(changes.updated.isEmpty)
            expectEqual(Array(changes.deleted.objects), [saved])
            expectEqual(Array(changes.inserted.objects), [new])
            expectTrue(saved.flags.isDisjoint(with: .updated))
        }
    }

    @Test("an object whose deletion is taken back is in the list where it was")
    func undeletion() throws {
        try withChanges { changes, saved, new in
            for object in [saved, new] { changes.delete(object) }
            for object in [saved, new] { changes.undelete(object, isUpdated: true) }
            #expect(changes.deleted.isEmpty)
            expectEqual(Array(changes.updated.objects), [saved])
            expectEqual(Array(changes.inserted.objects), [new])
        }
    }

    @Test("a new object that is deleted is removed after its deletion rules")
    func deletedInsertions() throws {
        try withChanges { changes, _, new in
            changes.delete(new)
            expectEqual(changes.removeDeletedInsertions(), [])
            expectEqual(changes.removeUnprocessedDeletions(), [new])
            expectEqual(changes.removeDeletedInsertions(), [new])
            #expect(changes.isEmpty)
            changes.insert(new)
            new.flags.remove(.deleted)
        }
    }

    @Test("an object that was checked for its own sake is checked after changes are discarded")
    func checked() throws {
        try withChanges { changes, saved, new in
            changes.check(contradicted: saved)
            changes.check(saved)
            changes.check(contradicted: new)
            changes.discard()
            expectEqual(changes.checkedObjects, [saved])
            changes.insert(new)
        }
    }

    @Test("changes that a store hasn't committed can be removed and restored")
    func uncommitted() throws {
        try withChanges { changes, saved, new in
            changes.update(saved)
            let remaining = changes.removeUncommitted([ObjectIdentifier(new)]) { $0 === saved }
            #expect(changes.isEmpty)
            expectEqual(Set(remaining.objects), [saved, new])
            changes.restore(remaining)
            expectEqual(Array(changes.inserted.objects), [new])
            expectEqual(Array(changes.updated.objects), [saved])
        }
    }
}
