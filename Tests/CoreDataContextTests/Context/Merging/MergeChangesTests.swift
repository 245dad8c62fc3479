import CoreData
import Testing

@Suite("Merging what another context has saved")
struct MergeChangesTests {
    /// The save notifications of a context, with objects or with IDs.
    private func save(_ context: NSManagedObjectContext, asIDs: Bool = false, _ change: () throws -> Void) throws
        -> Notification
    {
        var noted: Notification?
        let note = UnsafeSender { (notification: Notification) in noted = notification }
        let name =
            asIDs
            ? NSManagedObjectContext.didSaveObjectIDsNotification : NSManagedObjectContext.didSaveObjectsNotification
        let token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
            note.value($0)
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try change()
        try context.save()
        return try requireValue(noted)
    }

    /// The notifications of a context while a block runs: changes, then merges.
    private func told(_ context: NSManagedObjectContext, _ body: () throws -> Void) throws -> [Notification] {
        var noted: [Notification] = []
        let note = UnsafeSender { (notification: Notification) in noted.append(notification) }
        let tokens = [
            NSManagedObjectContext.didChangeObjectsNotification,
            NSManagedObjectContext.didMergeChangesObjectIDsNotification,
        ].map {
            NotificationCenter.default.addObserver(forName: $0, object: context, queue: nil) { note.value($0) }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        try body()
        return noted
    }

    @Test("the change notification of a merge has the key that tells it from others")
    func mergeKey() throws {
        try withTwoContexts(.sqlite) {
            $0.make("Book", "deleted")
        } _: { contexts in
            let (mine, theirs) = try contexts.both("Book", "deleted")
            let notification = try save(contexts.theirs) { contexts.theirs.delete(theirs) }
            let notifications = try told(contexts.mine) {
                contexts.mine.make("Book", "mine")
                contexts.mine.mergeChanges(fromContextDidSave: notification)
            }
            let keys = notifications.map { $0.userInfo?["NSObjectsChangedByMergeChangesKey"] != nil }
            expectEqual(keys, [false, true, false])
            #expect(notifications[1].userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [mine])
        }
    }

    @Test(
        "changed objects are refreshed, new ones registered, deleted ones unregistered, and all is reported",
        arguments: OtherSaver.allCases, [false, true])
    func all(_ saver: OtherSaver, _ asIDs: Bool) throws {
        try withTwoContexts(saver) {
            for name in ["changed", "unknown", "deleted"] { $0.make("Book", name) }
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "changed")
            let (gone, theirGone) = try contexts.both("Book", "deleted")
            var new: NSManagedObject?
            let notification = try save(contexts.theirs, asIDs: asIDs) {
                theirs.setValue(2, forKey: "pages")
                try contexts.theirs.one("Book", "unknown").setValue(2, forKey: "pages")
                contexts.theirs.delete(theirGone)
                new = contexts.theirs.make("Book", "new")
            }
            expectEqual(book.number("pages"), 100)
            let notes = try told(contexts.mine) { contexts.mine.mergeChanges(fromContextDidSave: notification) }
            expectEqual(
                notes.map(\.name),
                [
                    NSManagedObjectContext.didChangeObjectsNotification,
                    NSManagedObjectContext.didMergeChangesObjectIDsNotification,
                ])
            let newID = try requireValue(new?.objectID)
            expectEqual(
                Set((notes[0].userInfo ?? [:]).keys),
                [
                    NSInsertedObjectsKey, NSRefreshedObjectsKey, NSDeletedObjectsKey,
                    "NSObjectsChangedByMergeChangesKey",
                ])
            #expect(
                notes[0].userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [contexts.mine.object(with: newID)]
            )
            #expect(notes[0].userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject> == [book])
            #expect(notes[0].userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [gone])
            let unknown = try contexts.mine.one("Book", "unknown").objectID
            #expect(notes[1].userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> == [newID])
            #expect(notes[1].userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> == [book.objectID, unknown])
            #expect(notes[1].userInfo?[NSRefreshedObjectIDsKey] as? Set<NSManagedObjectID> == [book.objectID])
            #expect(notes[1].userInfo?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> == [gone.objectID])
            expectEqual(notes[1].userInfo?.count, 4)
            expectEqual(book.number("pages"), 2)
            expectEqual(gone.managedObjectContext, nil)
            expectFalse(contexts.mine.hasChanges)
            try expectEqual(contexts.mine.names("Book"), ["changed", "new", "unknown"])
        }
    }

    @Test("unsaved changes stay on top, property by property", arguments: OtherSaver.allCases)
    func unsaved(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) { context in
            let book = context.make("Book", "A", ["pages": 1, "price": 1.0])
            for name in ["a", "b", "c"] { context.make("Tag", name) }
            book.mutableSetValue(forKey: "tags").add(try context.one("Tag", "a"))
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            book.setValue(3, forKey: "pages")
            book.mutableSetValue(forKey: "tags").add(try contexts.mine.one("Tag", "b"))
            let notification = try save(contexts.theirs) {
                theirs.setValue(2, forKey: "pages")
                theirs.setValue(2.0, forKey: "price")
                theirs.mutableSetValue(forKey: "tags").add(try contexts.theirs.one("Tag", "c"))
            }
            contexts.mine.mergeChanges(fromContextDidSave: notification)
            expectEqual(book.number("pages"), 3)
            expectEqual((book.value(forKey: "price") as? Double), 2)
            expectEqual(book.names("tags"), ["a", "b", "c"])
            expectEqual(Set(book.changedValues().keys), ["pages", "tags"])
            // Merged, the object is no conflict any more.
            try contexts.mine.save()
            try contexts.stored {
                try expectEqual($0.one("Book", "A").number("pages"), 3)
                try expectEqual($0.one("Book", "A").names("tags"), ["a", "b", "c"])
            }
        }
    }

    @Test("relationships that were read are read again", arguments: OtherSaver.allCases)
    func relationships(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) { context in
            let jane = context.make("Author", "Jane")
            context.make("Book", "A", ["author": jane])
            context.make("Book", "B", ["author": jane])
        } _: { contexts in
            let (jane, theirJane) = try contexts.both("Author", "Jane")
            expectEqual(jane.names("books"), ["A", "B"])
            let notification = try save(contexts.theirs) {
                contexts.theirs.delete(try contexts.theirs.one("Book", "A"))
                contexts.theirs.make("Book", "C", ["author": theirJane])
            }
            contexts.mine.mergeChanges(fromContextDidSave: notification)
            expectEqual(jane.names("books"), ["B", "C"])
            expectFalse(contexts.mine.hasChanges)
        }
    }

    @Test("an object whose deletion was merged counts as deleted until the event ends", arguments: OtherSaver.allCases)
    func deletedObjects(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) { context in
            context.make("Book", "A")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            let notification = try save(contexts.theirs) { contexts.theirs.delete(theirs) }
            var reported: [Set<NSManagedObject>] = []
            let note = UnsafeSender { (_: Notification) in reported.append(contexts.mine.deletedObjects) }
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: contexts.mine, queue: nil
            ) { note.value($0) }
            defer { NotificationCenter.default.removeObserver(token) }
            contexts.mine.mergeChanges(fromContextDidSave: notification)
            expectEqual(reported, [[book]])
            expectEqual(contexts.mine.deletedObjects, [book])
            expectFalse(contexts.mine.hasChanges)
            contexts.mine.processPendingChanges()
            expectEmpty(contexts.mine.deletedObjects)
            expectEqual(reported.count, 1)
        }
    }

    @Test("an object whose deletion was merged isn't found any more, though another context has it")
    func deletionOfUnregistered() throws {
        try withTwoContexts(.foreign) {
            $0.make("Book", "b")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "b")
            let id = book.objectID
            let notification = try save(contexts.theirs) { contexts.theirs.delete(theirs) }
            let other = contexts.stack.newContext()
            try on(other) {
                other.mergeChanges(fromContextDidSave: notification)
                let error = #expect(throws: NSError.self) { try other.existingObject(with: id) }
                expectEqual(error?.code, NSManagedObjectReferentialIntegrityError)
            }
            withExtendedLifetime(book) {}
        }
    }

    @Test("an object that is inserted again after a merged deletion is not deleted", arguments: OtherSaver.allCases)
    func insertedAgain(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) { context in
            context.make("Book", "A")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            let notification = try save(contexts.theirs) { contexts.theirs.delete(theirs) }
            contexts.mine.mergeChanges(fromContextDidSave: notification)
            contexts.mine.insert(book)
            expectEmpty(contexts.mine.deletedObjects)
            expectEqual(contexts.mine.insertedObjects, [book])
            try contexts.mine.save()
            expectEqual(book.text("name"), "A")
        }
    }

    @Test(
        """
        an object that is deleted there is unregistered after the notification about it, though it was changed, \
        deleted or a fault here
        """,
        arguments: OtherSaver.allCases)
    func deletions(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) { context in
            for name in ["changed", "deleted"] {
                context.make("Book", name, ["author": context.make("Author", "of " + name)])
            }
        } _: { contexts in
            let (changed, _) = try contexts.both("Book", "changed")
            let (deleted, _) = try contexts.both("Book", "deleted")
            let author = try contexts.mine.one("Author", "of changed")
            expectEqual(author.names("books"), ["changed"])
            changed.setValue(3, forKey: "pages")
            contexts.mine.delete(deleted)
            contexts.mine.processPendingChanges()
            let notification = try save(contexts.theirs) {
                for book in try contexts.theirs.all("Book") { contexts.theirs.delete(book) }
            }
            var areDeleted: [Bool] = []
            let note = UnsafeSender { (notification: Notification) in
                for object in notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? [] {
                    areDeleted.append(
                        object.isDeleted && contexts.mine.registeredObject(for: object.objectID) === object)
                }
            }
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: contexts.mine, queue: nil
            ) { note.value($0) }
            defer { NotificationCenter.default.removeObserver(token) }
            contexts.mine.mergeChanges(fromContextDidSave: notification)
            expectEqual(areDeleted, [true, true])
            expectEqual(changed.managedObjectContext, nil)
            expectEqual(deleted.managedObjectContext, nil)
            expectEmpty(author.names("books"))
            try contexts.mine.save()
            expectFalse(contexts.mine.hasChanges)
            try contexts.stored {
                try expectEmpty($0.all("Book"))
                try expectEqual($0.all("Author").count, 2)
            }
        }
    }

    @Test(
        "IDs and URIs of another process are merged into several contexts, each on its queue",
        arguments: OtherSaver.allCases)
    func remote(_ saver: OtherSaver) throws {
        let stack = try TestStack(saver.kind)
        let contexts = [stack.newContext(), stack.newContext()]
        let theirs = saver == .foreign ? try stack.afresh() : stack.newContext()
        var uris: [String: URL] = [:]
        try on(stack.context) {
            for name in ["changed", "deleted"] { stack.context.make("Book", name) }
            try stack.context.save()
        }
        var objects: [[String: NSManagedObject]] = []
        for context in contexts {
            try on(context) {
                objects.append([
                    "changed": try context.one("Book", "changed"), "deleted": try context.one("Book", "deleted"),
                ])
                _ = objects.last?.values.map { $0.text("name") }
            }
        }
        try on(theirs) {
            let changed = try theirs.one("Book", "changed")
            let deleted = try theirs.one("Book", "deleted")
            changed.setValue(2, forKey: "pages")
            theirs.delete(deleted)
            let new = theirs.make("Book", "new")
            try theirs.save()
            uris = [
                "changed": changed.objectID.uriRepresentation(), "deleted": deleted.objectID.uriRepresentation(),
                "new": new.objectID.uriRepresentation(),
            ]
        }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSInsertedObjectsKey: [uris["new"]!], NSUpdatedObjectsKey: [uris["changed"]!],
                NSDeletedObjectIDsKey: Set([uris["deleted"]!]),
            ],
            into: contexts)
        for (context, known) in zip(contexts, objects) {
            try on(context) {
                expectEqual(known["changed"]?.number("pages"), 2)
                expectEqual(known["deleted"]?.managedObjectContext, nil)
                try expectEqual(context.names("Book"), ["changed", "new"])
            }
        }
    }

    @Test(
        "a notification of the context itself, of other stores or without objects does nothing",
        arguments: StoreKind.allCases)
    func nothing(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "A")
            let own = try save(stack.context) {}
            book.setValue(3, forKey: "pages")
            stack.context.processPendingChanges()
            let notes = try told(stack.context) {
                stack.context.mergeChanges(fromContextDidSave: own)
                stack.context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave))
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [
                        NSUpdatedObjectsKey: [URL(string: "x-coredata://nowhere/Book/p1")!, "text", 7] as [Any]
                    ], into: [stack.context])
            }
            expectEmpty(notes)
            expectTrue(book.isUpdated)
            expectEqual(book.number("pages"), 3)
        }
    }

    @Test("the keys of notifications have names")
    func keys() {
        let keys: [NSManagedObjectContext.NotificationKey] = [
            .insertedObjects, .updatedObjects, .deletedObjects, .refreshedObjects, .invalidatedObjects,
            .invalidatedAllObjects,
            .insertedObjectIDs, .updatedObjectIDs, .deletedObjectIDs, .refreshedObjectIDs, .invalidatedObjectIDs,
        ]
        expectEqual(
            keys.map(\.rawValue),
            [
                NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
                NSInvalidatedObjectsKey, NSInvalidatedAllObjectsKey,
                NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey, NSRefreshedObjectIDsKey,
                NSInvalidatedObjectIDsKey,
            ])
    }
}
