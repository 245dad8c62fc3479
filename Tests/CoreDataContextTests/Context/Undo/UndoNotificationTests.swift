import CoreData
import Testing

/// Records how it awakes, with its values at that time.
final class UndoSleeper: NSManagedObject {
    var calls: [String] = []

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        let events: [(NSSnapshotEventType, String)] = [
            (.undoInsertion, "undoInsertion"), (.undoDeletion, "undoDeletion"), (.undoUpdate, "undoUpdate"),
            (.rollback, "rollback"), (.refresh, "refresh"),
            (.mergePolicy, "mergePolicy"),
        ]
        calls.append(
            events.filter { flags.contains($0.0) }.map(\.1).joined(separator: "+")
                + " \(text("name") ?? "nil") \(names("others"))")
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        calls.append("awakeFromInsert")
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        calls.append("prepareForDeletion")
    }

    func consumeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }
}

@Suite("Notifications and callbacks of undo")
struct UndoNotificationTests {
    private static func makeModel() -> NSManagedObjectModel {
        let sleeper = entity("Sleeper")
        let others = toMany("others", sleeper)
        others.inverseRelationship = others
        sleeper.properties = [attribute("name", .stringAttributeType), others]
        sleeper.managedObjectClassName = NSStringFromClass(UndoSleeper.self)
        return model([sleeper])
    }

    @Test("objects awake from the snapshot when the complete graph is restored", arguments: StoreKind.allCases)
    func awaking(_ kind: StoreKind) throws {
        try withUndo(kind, model: Self.makeModel()) { context, _, _ in
            var one: UndoSleeper!
            var other: UndoSleeper!
            try context.step {
                one = context.make("Sleeper", "one") as? UndoSleeper
                other = context.make("Sleeper", "other") as? UndoSleeper
                one.mutableSetValue(forKey: "others").add(other!)
            }
            expectEqual(one.consumeCalls(), ["awakeFromInsert"])
            expectEqual(other.consumeCalls(), ["awakeFromInsert"])
            try context.step {
                one.setValue("two", forKey: "name")
                one.setValue(NSSet(), forKey: "others")
            }
            try context.step { context.delete(other) }
            expectEqual(other.consumeCalls(), ["prepareForDeletion"])
            context.undo()
            expectEqual(other.consumeCalls(), ["undoDeletion other []"])
            expectEmpty(one.consumeCalls())
            context.undo()
            expectEqual(one.consumeCalls(), ["undoUpdate one [\"other\"]"])
            expectEqual(other.consumeCalls(), ["undoUpdate other [\"one\"]"])
            context.redo()
            expectEqual(one.consumeCalls(), ["undoUpdate two []"])
            expectEqual(other.consumeCalls(), ["undoUpdate other []"])
            context.undo()
            _ = (one.consumeCalls(), other.consumeCalls())
            context.undo()
            expectEqual(one.consumeCalls(), ["undoInsertion one [\"other\"]"])
            expectEqual(other.consumeCalls(), ["undoInsertion other [\"one\"]"])
            context.redo()
            expectEqual(one.consumeCalls(), ["undoDeletion one [\"other\"]"])
            expectEqual(other.consumeCalls(), ["undoDeletion other [\"one\"]"])
        }
    }

    @Test("rollback, refresh and merge policies awake objects with their own events", arguments: StoreKind.allCases)
    func otherEvents(_ kind: StoreKind) throws {
        try withUndo(kind, model: Self.makeModel()) { context, manager, stack in
            manager.disableUndoRegistration()
            let one = try requireValue(context.make("Sleeper", "one") as? UndoSleeper)
            try context.save()
            _ = one.consumeCalls()
            one.setValue("two", forKey: "name")
            context.refresh(one, mergeChanges: true)
            expectEqual(one.consumeCalls(), ["refresh two []"])
            context.rollback()
            expectEqual(one.consumeCalls(), ["rollback one []"])
            try stack.inAnotherContext { other in
                try other.one("Sleeper", "one").setValue("three", forKey: "name")
                try other.save()
            }
            one.setValue("four", forKey: "name")
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try context.save()
            expectEqual(one.consumeCalls(), ["mergePolicy three []"])
        }
    }

    @Test("change notifications report inserted, updated and deleted objects", arguments: StoreKind.allCases)
    func notifications(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, _ in
            let recorder = NotificationRecorder(context)
            defer { recorder.stop() }
            let kept = context.make("Tag", "kept")
            let old = context.make("Tag", "old")
            context.processPendingChangesWithoutUndo()
            try context.save()
            try context.step {
                context.make("Tag", "new")
                kept.setValue("changed", forKey: "name")
                context.delete(old)
            }
            recorder.clear()
            context.undo()
            expectEqual(recorder.events, ["change inserted:old updated:kept deleted:-"])
            recorder.clear()
            context.redo()
            expectEqual(recorder.events, ["change inserted:new updated:changed deleted:-"])
            try context.save()
            recorder.clear()
            context.undo()
            expectEqual(recorder.events, ["change inserted:old updated:kept deleted:-"])
            recorder.clear()
            try context.save()
            expectEqual(recorder.events, ["willSave", "didSave inserted:old updated:kept deleted:-"])
        }
    }

    @Test("the undo manager's notification precedes the change notification", arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, _ in
            let tag = context.make("Tag", "a")
            context.processPendingChangesWithoutUndo()
            nonisolated(unsafe) var seen: [String] = []
            nonisolated(unsafe) var checkpoints = 0
            let names: [(Notification.Name, String, AnyObject)] = [
                (.NSUndoManagerCheckpoint, "checkpoint", manager), (.NSUndoManagerDidOpenUndoGroup, "open", manager),
                (.NSUndoManagerWillCloseUndoGroup, "willClose", manager),
                (.NSUndoManagerDidCloseUndoGroup, "close", manager),
                (.NSUndoManagerWillUndoChange, "willUndo", manager), (.NSUndoManagerDidUndoChange, "didUndo", manager),
                (.NSUndoManagerWillRedoChange, "willRedo", manager), (.NSUndoManagerDidRedoChange, "didRedo", manager),
                (.NSManagedObjectContextObjectsDidChange, "change", context),
            ]
            let tokens = names.map { name, text, sender in
                // The context and this test observe checkpoints in any order, so the order is not checked.
                NotificationCenter.default.addObserver(forName: name, object: sender, queue: nil) { _ in
                    if text == "checkpoint" { checkpoints += 1 } else { seen.append(text) }
                }
            }
            defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
            try context.step { tag.setValue("b", forKey: "name") }
            expectEqual(seen, ["open", "change", "willClose", "close"])
            expectEqual(checkpoints, 1)
            seen = []
            context.undo()
            expectEqual(seen, ["willUndo", "open", "change", "willClose", "close", "didUndo"])
            expectEqual(checkpoints, 3)
            seen = []
            context.redo()
            expectEqual(seen, ["willRedo", "open", "change", "willClose", "close", "didRedo"])
            expectEqual(checkpoints, 5)
            seen = []
            manager.groupsByEvent = true
            tag.setValue("c", forKey: "name")
            manager.undo()
            let event = ["open", "change", "willClose", "close"]
            expectEqual(seen, event + ["willUndo", "open", "change", "willClose", "close", "didUndo"])
            expectEqual(checkpoints, 8)
        }
    }

    @Test("a change can be undone when its notification is posted", arguments: StoreKind.allCases)
    func registeredFirst(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, _ in
            nonisolated(unsafe) let manager = manager
            nonisolated(unsafe) var couldUndo = false
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { _ in
                couldUndo = manager.canUndo
            }
            defer { NotificationCenter.default.removeObserver(token) }
            try context.step { context.make("Tag", "a") }
            expectTrue(couldUndo)
        }
    }

    @Test("a fetched results controller reports undo and redo", arguments: StoreKind.allCases)
    func fetchedResults(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, _ in
            for name in ["a", "b", "c"] { context.make("Tag", name) }
            context.processPendingChangesWithoutUndo()
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            let recorder = FetchedResultsRecorder(controller)
            func names() -> [String] { controller.fetchedObjects?.map { $0.text("name") ?? "" } ?? [] }
            try context.step {
                context.delete(try context.one("Tag", "b"))
                try context.one("Tag", "a").setValue("x", forKey: "name")
                context.make("Tag", "d")
            }
            expectEqual(names(), ["c", "d", "x"])
            context.undo()
            expectEqual(names(), ["a", "b", "c"])
            context.redo()
            expectEqual(names(), ["c", "d", "x"])
            try context.save()
            context.undo()
            expectEqual(names(), ["a", "b", "c"])
            expectEmpty(recorder.problems)
            expectEqual(recorder.mirror.first?.map { $0.text("name") ?? "" }, ["a", "b", "c"])
        }
    }
}
