import CoreData
import Testing

@Suite("Sequences of notifications")
struct NotificationSequenceTests {
    private func logged(
        _ kind: StoreKind, model: NSManagedObjectModel = LibraryModel.make(),
        _ body: (NSManagedObjectContext, NotificationSequence) throws -> Void
    ) throws {
        try withStack(kind, model: model) { stack in
            let log = NotificationSequence(stack.context)
            try body(stack.context, log)
            log.stop()
        }
    }

    @Test("insert and save", arguments: StoreKind.allCases)
    func insert(_ kind: StoreKind) throws {
        try logged(kind) { context, log in
            context.make("Tag", "a")
            context.make("Book", "A")
            try context.save()
            expectEqual(
                log.take(),
                [
                    "change inserted:Book+Tag", "willSave", "didSave inserted:Book+Tag",
                    "didSaveIDs inserted_objectIDs:Book+Tag",
                ])
            try context.save()
            expectEqual(log.take(), ["didSave"])
        }
    }

    @Test("events between saves, of which the save reports the sum", arguments: StoreKind.allCases)
    func events(_ kind: StoreKind) throws {
        try logged(kind) { context, log in
            let tag = context.make("Tag", "a")
            let book = context.make("Book", "A")
            try context.save()
            _ = log.take()
            book.setValue("B", forKey: "name")
            context.processPendingChanges()
            book.setValue("C", forKey: "name")
            context.make("Cover", "c")
            context.processPendingChanges()
            context.delete(tag)
            try context.save()
            expectEqual(
                log.take(),
                [
                    "change updated:Book", "change inserted:Cover updated:Book", "change deleted:Tag", "willSave",
                    "didSave inserted:Cover updated:Book deleted:Tag",
                    "didSaveIDs inserted_objectIDs:Cover updated_objectIDs:Book deleted_objectIDs:Tag",
                ])
        }
    }

    @Test("an insertion that is taken back within the event is not reported", arguments: StoreKind.allCases)
    func withdrawn(_ kind: StoreKind) throws {
        try logged(kind) { context, log in
            context.delete(context.make("Tag", "a"))
            try context.save()
            expectEqual(log.take(), ["didSave"])
            let tag = context.make("Tag", "a")
            context.processPendingChanges()
            context.delete(tag)
            try context.save()
            expectEqual(log.take(), ["change inserted:Tag", "change deleted:Tag", "didSave"])
        }
    }

    @Test(
        "a cascade is reported with the deletion, and so are the objects that it changes", arguments: StoreKind.allCases
    )
    func cascade(_ kind: StoreKind) throws {
        try logged(kind) { context, log in
            let jane = context.make("Author", "Jane")
            let tag = context.make("Tag", "t")
            let book = context.make("Book", "A", ["author": jane, "cover": context.make("Cover", "c")])
            book.setValue(NSSet(array: [tag]), forKey: "tags")
            try context.save()
            _ = log.take()
            context.delete(jane)
            try context.save()
            expectEqual(
                log.take(),
                [
                    "change updated:Tag deleted:Author+Book+Cover", "willSave",
                    "didSave updated:Tag deleted:Author+Book+Cover",
                    "didSaveIDs updated_objectIDs:Tag deleted_objectIDs:Author+Book+Cover",
                ])
        }
    }

    @Test("refreshing", arguments: StoreKind.allCases)
    func refresh(_ kind: StoreKind) throws {
        try logged(kind) { context, log in
            let book = context.make("Book", "A")
            let tag = context.make("Tag", "t")
            try context.save()
            _ = log.take()
            context.refresh(book, mergeChanges: false)
            expectEqual(log.take(), [])
            context.processPendingChanges()
            expectEqual(log.take(), ["change refreshed:Book"])
            tag.setValue("u", forKey: "name")
            context.refreshAllObjects()
            context.processPendingChanges()
            expectEqual(log.take(), ["change updated:Tag refreshed:Book"])
        }
    }

    @Test("rollback", arguments: StoreKind.allCases)
    func rollback(_ kind: StoreKind) throws {
        try logged(kind) { context, log in
            let book = context.make("Book", "A")
            let tag = context.make("Tag", "t")
            try context.save()
            _ = log.take()
            book.setValue("B", forKey: "name")
            context.delete(tag)
            context.make("Cover", "c")
            context.rollback()
            expectEqual(
                log.take(),
                [
                    "change inserted:Cover updated:Book deleted:Tag", "change deleted:Cover refreshed:Book+Tag",
                ])
            context.rollback()
            expectEqual(log.take(), [])
        }
    }

    @Test("reset", arguments: StoreKind.allCases)
    func reset(_ kind: StoreKind) throws {
        try logged(kind) { context, log in
            let objects = [context.make("Book", "A"), context.make("Tag", "t")]
            try context.save()
            objects[0].setValue("B", forKey: "name")
            _ = log.take()
            context.reset()
            expectEqual(log.take(), ["change invalidatedAll:Book+Tag"])
            context.processPendingChanges()
            expectEqual(log.take(), [])
            withExtendedLifetime(objects) {}
        }
    }

    @Test("changes that an observer of WillSave makes are reported before DidSave", arguments: StoreKind.allCases)
    func changingInWillSave(_ kind: StoreKind) throws {
        try logged(kind) { context, log in
            let tag = context.make("Tag", "t")
            try context.save()
            _ = log.take()
            let note = UnsafeSender {
                tag.setValue("u", forKey: "name")
                context.make("Cover", "c")
            }
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextWillSave, object: context, queue: nil
            ) { _ in note.value() }
            defer { NotificationCenter.default.removeObserver(observer) }
            context.make("Book", "A")
            try context.save()
            expectEqual(
                log.take(),
                [
                    "change inserted:Book", "willSave", "change inserted:Cover updated:Tag",
                    "didSave inserted:Book+Cover updated:Tag",
                    "didSaveIDs inserted_objectIDs:Book+Cover updated_objectIDs:Tag",
                ])
        }
    }

    @Test("a save that fails at validation", arguments: StoreKind.allCases)
    func failedValidation(_ kind: StoreKind) throws {
        let needed = attribute("name", .stringAttributeType, optional: false)
        try logged(kind, model: model([entity("Item", [needed])])) { context, log in
            let item = context.make("Item")
            expectEqual(thrownError { try context.save() }?.code, NSValidationMissingMandatoryPropertyError)
            expectEqual(log.take(), ["change inserted:Item", "willSave"])
            item.setValue("a", forKey: "name")
            try context.save()
            expectEqual(
                log.take(),
                [
                    "change updated:Item", "willSave", "didSave inserted:Item", "didSaveIDs inserted_objectIDs:Item",
                ])
        }
    }

    @Test("a save that fails at a conflict", arguments: StoreKind.allCases)
    func conflict(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let a = stack.context
        let b = stack.newContext()
        let log = NotificationSequence([("a ", a), ("b ", b)])
        let tag = try a.performAndWait {
            let tag = a.make("Tag", "t")
            try a.save()
            return UnsafeSender(tag)
        }.value
        try on(b) {
            try b.one("Tag", "t").setValue("theirs", forKey: "name")
            try b.save()
        }
        _ = log.take()
        try on(a) {
            tag.setValue("mine", forKey: "name")
            expectEqual(thrownError { try a.save() }?.code, NSManagedObjectMergeError)
            expectEqual(log.take(), ["a change updated:Tag", "a willSave"])
        }
        log.stop()
    }

    @Test("merging: the changes as they are for this context, then what was merged", arguments: StoreKind.allCases)
    func merging(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let a = stack.context
        let b = stack.newContext()
        let kept = try a.performAndWait {
            let objects = [a.make("Book", "A"), a.make("Tag", "t"), a.make("Cover", "c")]
            try a.save()
            return UnsafeSender(objects)
        }.value
        let log = NotificationSequence([("a ", a), ("b ", b)])
        var notification: Notification?
        let note = UnsafeSender { notification = $0 }
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: b, queue: nil
        ) { note.value($0) }
        defer { NotificationCenter.default.removeObserver(observer) }
        try on(b) {
            let book = try b.one("Book", "A")
            let tag = try b.one("Tag", "t")
            book.setValue(1, forKey: "pages")
            b.delete(tag)
            b.make("Author", "Jane")
            try b.save()
        }
        let saved = UnsafeSender(try requireValue(notification))
        try on(a) {
            kept[2].setValue("mine", forKey: "name")
            a.mergeChanges(fromContextDidSave: saved.value)
        }
        expectEqual(
            log.take(),
            [
                "b change inserted:Author updated:Book deleted:Tag", "b willSave",
                "b didSave inserted:Author updated:Book deleted:Tag",
                "b didSaveIDs inserted_objectIDs:Author updated_objectIDs:Book deleted_objectIDs:Tag",
                "a change updated:Cover",
                "a change inserted:Author deleted:Tag refreshed:Book NSObjectsChangedByMergeChangesKey?",
                "a didMerge inserted_objectIDs:Author updated_objectIDs:Book deleted_objectIDs:Tag "
                    + "refreshed_objectIDs:Book",
            ])
        log.stop()
    }

    @Test("stores that are added and removed", arguments: StoreKind.allCases)
    func stores(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let log = NotificationSequence([])
        func identifiers(_ notification: Notification, _ key: String) -> String {
            ((notification.userInfo?[key] as? [NSPersistentStore]) ?? []).map { " \(key):\($0.configurationName)" }
                .joined()
        }
        log.observe(.NSPersistentStoreCoordinatorStoresDidChange, coordinator) { notification in
            "stores \(coordinator.persistentStores.count)" + identifiers(notification, NSAddedPersistentStoresKey)
                + identifiers(notification, NSRemovedPersistentStoresKey)
        }
        let store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: kind.url("a.sqlite", in: folder), options: nil)
        log.observe(.NSPersistentStoreCoordinatorWillRemoveStore, store) { _ in
            "willRemove \(coordinator.persistentStores.count)"
        }
        try coordinator.remove(store)
        expectEqual(
            log.take(),
            [
                "stores 1 added:PF_DEFAULT_CONFIGURATION_NAME", "willRemove 1",
                "stores 0 removed:PF_DEFAULT_CONFIGURATION_NAME",
            ])
        #expect(thrownError { try coordinator.remove(store) } != nil)
        expectEqual(log.take(), [])
        log.stop()
    }

    @Test("the Swift names are those of Objective-C")
    func names() {
        expectEqual(NSManagedObjectContext.didChangeObjectsNotification, .NSManagedObjectContextObjectsDidChange)
        expectEqual(NSManagedObjectContext.willSaveObjectsNotification, .NSManagedObjectContextWillSave)
        expectEqual(NSManagedObjectContext.didSaveObjectsNotification, .NSManagedObjectContextDidSave)
        expectEqual(NSManagedObjectContext.didSaveObjectIDsNotification, .NSManagedObjectContextDidSaveObjectIDs)
        expectEqual(
            NSManagedObjectContext.didMergeChangesObjectIDsNotification,
            .NSManagedObjectContextDidMergeChangesObjectIDs)
        let keys: [(NSManagedObjectContext.NotificationKey, String)] = [
            (.insertedObjects, NSInsertedObjectsKey), (.updatedObjects, NSUpdatedObjectsKey),
            (.deletedObjects, NSDeletedObjectsKey),
            (.refreshedObjects, NSRefreshedObjectsKey), (.invalidatedObjects, NSInvalidatedObjectsKey),
            (.invalidatedAllObjects, NSInvalidatedAllObjectsKey), (.insertedObjectIDs, NSInsertedObjectIDsKey),
            (.updatedObjectIDs, NSUpdatedObjectIDsKey), (.deletedObjectIDs, NSDeletedObjectIDsKey),
            (.refreshedObjectIDs, NSRefreshedObjectIDsKey),
            (.invalidatedObjectIDs, NSInvalidatedObjectIDsKey),
            (.queryGeneration, NSManagedObjectContextQueryGenerationKey),
        ]
        for (key, text) in keys { expectEqual(key.rawValue, text) }
    }
}
