import CoreData
import Testing

/// Notes the notifications of one context, in order.
final class NotificationRecorder {
    private var tokens: [any NSObjectProtocol] = []
    private(set) var events: [String] = []
    private(set) var notifications: [Notification] = []

    init(_ context: NSManagedObjectContext) {
        let names: [(Notification.Name, String)] = [
            (.NSManagedObjectContextObjectsDidChange, "change"), (.NSManagedObjectContextWillSave, "willSave"),
            (.NSManagedObjectContextDidSave, "didSave"),
        ]
        for (name, text) in names {
            let note = UnsafeSender { (notification: Notification) in
                self.events.append(text + Self.summary(notification))
                self.notifications.append(notification)
            }
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { note.value($0) })
        }
    }

    func stop() {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        tokens = []
    }

    func clear() {
        events = []
        notifications = []
    }

    private static func summary(_ notification: Notification) -> String {
        [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey].map { key in
            guard let objects = notification.userInfo?[key] as? Set<NSManagedObject> else { return "" }
            return " \(key):"
                + objects.map {
                    $0.isDeleted || $0.managedObjectContext == nil || $0.entity.attributesByName["name"] == nil
                        ? "-" : $0.text("name") ?? "?"
                }.sorted().joined(separator: ",")
        }.joined()
    }
}

@Suite("Notifications of a context")
struct NotificationTests {
    private func record(_ kind: StoreKind, _ body: (TestStack, NotificationRecorder) throws -> Void) throws {
        try withStack(kind) { stack in
            let recorder = NotificationRecorder(stack.context)
            defer { recorder.stop() }
            try body(stack, recorder)
        }
    }

    @Test("inserting, changing and deleting are reported once each, in order", arguments: StoreKind.allCases)
    func sequence(_ kind: StoreKind) throws {
        try record(kind) { stack, recorder in
            let context = stack.context
            let a = context.make("Tag", "a")
            context.make("Tag", "b")
            expectEmpty(recorder.events)
            context.processPendingChanges()
            expectEqual(recorder.events, ["change inserted:a,b"])
            recorder.clear()
            try context.save()
            expectEqual(recorder.events, ["willSave", "didSave inserted:a,b"])
            recorder.clear()
            a.setValue("c", forKey: "name")
            a.setValue("d", forKey: "name")
            try context.save()
            expectEqual(recorder.events, ["change updated:d", "willSave", "didSave updated:d"])
            recorder.clear()
            context.delete(a)
            try context.save()
            expectEqual(recorder.events, ["change deleted:-", "willSave", "didSave deleted:-"])
        }
    }

    @Test("without changes nothing is posted but the end of a save, without objects", arguments: StoreKind.allCases)
    func silence(_ kind: StoreKind) throws {
        try record(kind) { stack, recorder in
            stack.context.processPendingChanges()
            _ = try stack.context.all("Book")
            expectEmpty(recorder.events)
            try stack.context.save()
            expectEqual(recorder.events, ["didSave"])
            expectEqual(recorder.notifications[0].userInfo?.isEmpty, true)
        }
    }

    @Test("inverses and cascades are reported with the change", arguments: StoreKind.allCases)
    func related(_ kind: StoreKind) throws {
        try record(kind) { stack, recorder in
            let author = stack.context.make("Author", "Jane")
            let book = stack.context.make("Book", "A")
            try stack.context.save()
            recorder.clear()
            book.setValue(author, forKey: "author")
            stack.context.processPendingChanges()
            expectEqual(recorder.events, ["change updated:A,Jane"])
            recorder.clear()
            stack.context.delete(author)
            stack.context.processPendingChanges()
            expectEqual(recorder.events, ["change deleted:-,-"])
            stack.context.rollback()
        }
    }

    @Test("a fetch sees changes, with the effects of delete rules, and posts nothing", arguments: StoreKind.allCases)
    func fetching(_ kind: StoreKind) throws {
        try record(kind) { stack, recorder in
            let author = stack.context.make("Author", "Jane")
            stack.context.make("Book", "A").setValue(author, forKey: "author")
            try stack.context.save()
            recorder.clear()
            stack.context.delete(author)
            stack.context.make("Book", "B")
            try expectEqual(stack.context.names("Book"), ["B"])
            try expectEqual(stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")), 1)
            expectEmpty(recorder.events)
            stack.context.processPendingChanges()
            expectEqual(recorder.events, ["change inserted:B deleted:-,-"])
        }
    }

    @Test("a rollback reports insertions as deleted, and the rest as refreshed", arguments: StoreKind.allCases)
    func rollback(_ kind: StoreKind) throws {
        try record(kind) { stack, recorder in
            let kept = stack.context.make("Tag", "a")
            let deleted = stack.context.make("Tag", "b")
            try stack.context.save()
            let new = stack.context.make("Tag", "c")
            kept.setValue("z", forKey: "name")
            stack.context.delete(deleted)
            stack.context.processPendingChanges()
            let gone = stack.context.make("Tag", "d")
            stack.context.processPendingChanges()
            stack.context.delete(gone)
            stack.context.processPendingChanges()
            recorder.clear()
            stack.context.rollback()
            expectEqual(recorder.events, ["change deleted:- refreshed:a,b"])
            #expect(recorder.notifications.first?.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [new])
            recorder.clear()
            stack.context.rollback()
            expectEmpty(recorder.events)
        }
    }

    @Test("refreshed objects are reported", arguments: StoreKind.allCases)
    func refreshed(_ kind: StoreKind) throws {
        try record(kind) { stack, recorder in
            let book = stack.context.make("Book", "A")
            try stack.context.save()
            recorder.clear()
            stack.context.refresh(book, mergeChanges: false)
            stack.context.processPendingChanges()
            try #require(recorder.events.count == 1)
            expectTrue(recorder.events[0].hasPrefix("change refreshed:"))
        }
    }

    @Test("a reset reports the IDs of all registered objects", arguments: StoreKind.allCases)
    func reset(_ kind: StoreKind) throws {
        try record(kind) { stack, recorder in
            let book = stack.context.make("Book", "A")
            try stack.context.save()
            recorder.clear()
            stack.context.reset()
            expectEqual(recorder.notifications.count, 1)
            #expect(recorder.notifications.first?.userInfo?[NSInvalidatedAllObjectsKey] != nil)
            _ = book
        }
    }

    @Test("a save reports the object IDs as well", arguments: StoreKind.allCases)
    func objectIDs(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            var told: [AnyHashable: Any]?
            let note = UnsafeSender { (notification: Notification) in told = notification.userInfo }
            let token = NotificationCenter.default.addObserver(
                forName: NSManagedObjectContext.didSaveObjectIDsNotification, object: stack.context, queue: nil
            ) { note.value($0) }
            defer { NotificationCenter.default.removeObserver(token) }
            let book = stack.context.make("Book", "A")
            try stack.context.save()
            #expect(told?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> == [book.objectID])
        }
    }

    @Test("changes that an observer makes in WillSave are saved too", arguments: StoreKind.allCases)
    func changingInWillSave(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let note = UnsafeSender {
                for object in context.insertedObjects where object.number("pages") == 100 {
                    object.setValue(1, forKey: "pages")
                }
            }
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextWillSave, object: context, queue: nil
            ) { _ in note.value() }
            defer { NotificationCenter.default.removeObserver(token) }
            context.make("Book", "A")
            try context.save()
            expectFalse(context.hasChanges)
            try inFreshContext(stack) { try expectEqual($0.one("Book", "A").number("pages"), 1) }
        }
    }

    @Test("a failed save posts no DidSave", arguments: StoreKind.allCases)
    func failedSave(_ kind: StoreKind) throws {
        try withStack(kind, model: ValidationModel.make()) { stack in
            let recorder = NotificationRecorder(stack.context)
            defer { recorder.stop() }
            stack.context.make("Item")
            #expect(thrownError { try stack.context.save() } != nil)
            #expect(!recorder.events.contains { $0.hasPrefix("didSave") })
        }
    }
}
