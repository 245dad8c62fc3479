import CoreData
import Testing

@Suite("What is called when values come and go, in order")
struct FaultingSequenceTests {
    /// A stored parent with a child, in a context that has fetched nothing yet.
    private func fetched(_ kind: StoreKind, _ body: (NSManagedObjectContext, LifeCycleLog) throws -> Void) throws {
        try withStack(kind, model: LoggedModel.make()) { stack in
            let parent = stack.context.makeLogged("Parent", "p")
            _ = stack.context.makeLogged("Child", "c", ["parent": parent])
            try stack.context.save()
            try inFreshContext(stack) { context in
                let log = LifeCycleLog(context)
                try body(context, log)
                context.userInfo.removeAllObjects()
            }
        }
    }

    private func parent(_ context: NSManagedObjectContext) throws -> LoggedObject {
        try requireValue(try context.all("Parent").first as? LoggedObject)
    }

    @Test("fetching gives faults; each awakes at its first access", arguments: StoreKind.allCases)
    func faults(_ kind: StoreKind) throws {
        try fetched(kind) { context, log in
            let parent = try parent(context)
            expectTrue(parent.isFault)
            expectEqual(log.take(), [])
            _ = parent.text("note")
            expectEqual(log.take(), ["p awakeFromFetch"])
            let child = try requireValue(parent.ordered("children").first as? LoggedObject)
            expectTrue(child.isFault)
            expectEqual(log.take(), [])
            _ = child.object("parent")
            expectEqual(log.take(), ["c awakeFromFetch"])
            _ = parent.text("name")
            expectEqual(log.take(), [])
        }
    }

    @Test("objects that are fetched with their values awake in the fetch", arguments: StoreKind.allCases)
    func values(_ kind: StoreKind) throws {
        try fetched(kind) { context, log in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Parent")
            request.returnsObjectsAsFaults = false
            let found = try context.fetch(request)
            expectEqual(log.take(), ["p awakeFromFetch"])
            expectFalse(found[0].isFault)
        }
    }

    @Test("existingObject(with:) awakes the object", arguments: StoreKind.allCases)
    func existing(_ kind: StoreKind) throws {
        try fetched(kind) { context, log in
            let id = try parent(context).objectID
            let found = try context.existingObject(with: id)
            expectEqual(log.take(), ["p awakeFromFetch"])
            expectFalse(found.isFault)
        }
    }

    @Test("refreshing without merging: the object turns into a fault, changes and all", arguments: StoreKind.allCases)
    func refreshing(_ kind: StoreKind) throws {
        try fetched(kind) { context, log in
            let parent = try parent(context)
            parent.setValue("changed", forKey: "note")
            context.processPendingChanges()
            _ = log.take()
            context.refresh(parent, mergeChanges: false)
            expectEqual(log.take(), ["p willTurnIntoFault", "p didTurnIntoFault"])
            expectTrue(parent.isFault)
            expectFalse(parent.hasChanges)
            context.processPendingChanges()
            expectEqual(log.take(), ["DidChange refreshed: p"])
            expectEqual(parent.text("note"), "none")
            expectEqual(log.take(), ["p awakeFromFetch"])
        }
    }

    @Test("refreshing a fault calls nothing", arguments: StoreKind.allCases)
    func refreshingFault(_ kind: StoreKind) throws {
        try fetched(kind) { context, log in
            let parent = try parent(context)
            context.refresh(parent, mergeChanges: false)
            context.refresh(parent, mergeChanges: true)
            expectEqual(log.take(), [])
            expectTrue(parent.isFault)
        }
    }

    @Test(
        "refreshing with merging: a changed object awakes from the refresh, with its changes",
        arguments: StoreKind.allCases)
    func merging(_ kind: StoreKind) throws {
        try fetched(kind) { context, log in
            let parent = try parent(context)
            parent.setValue("changed", forKey: "note")
            context.processPendingChanges()
            _ = log.take()
            context.refresh(parent, mergeChanges: true)
            expectEqual(log.take(), ["p awake from refresh"])
            expectEqual(parent.text("note"), "changed")
            expectTrue(parent.isUpdated)
            context.processPendingChanges()
            expectEqual(log.take(), ["DidChange refreshed: p"])
        }
    }

    @Test("refreshing with merging: an unchanged object turns into a fault", arguments: StoreKind.allCases)
    func mergingUnchanged(_ kind: StoreKind) throws {
        try fetched(kind) { context, log in
            let parent = try parent(context)
            _ = parent.text("name")
            _ = log.take()
            context.refresh(parent, mergeChanges: true)
            expectEqual(log.take(), ["p willTurnIntoFault", "p didTurnIntoFault"])
            expectTrue(parent.isFault)
        }
    }

    @Test(
        "rolling back: changed and deleted objects awake from the rollback, new ones leave",
        arguments: StoreKind.allCases)
    func rollingBack(_ kind: StoreKind) throws {
        try fetched(kind) { context, log in
            let parent = try parent(context)
            let child = try requireValue(context.all("Child").first as? LoggedObject)
            parent.setValue("changed", forKey: "note")
            _ = child.text("name")
            context.delete(child)
            let new = context.makeLogged("Parent", "n")
            context.processPendingChanges()
            _ = log.take()
            context.rollback()
            expectEqual(
                log.take(), ["p awake from rollback", "c awake from rollback", "DidChange deleted: n refreshed: c,p"])
            expectEqual(parent.text("note"), "none")
            expectFalse(parent.hasChanges)
            expectFalse(child.isDeleted)
            #expect(child.managedObjectContext === context)
            expectEqual(new.managedObjectContext, nil)
            expectFalse(new.isInserted)
            expectFalse(context.hasChanges)
        }
    }

    @Test("resetting: objects with values turn into faults, and all leave", arguments: StoreKind.allCases)
    func resetting(_ kind: StoreKind) throws {
        try fetched(kind) { context, log in
            let parent = try parent(context)
            let child = try requireValue(context.all("Child").first as? LoggedObject)
            _ = parent.text("name")
            _ = log.take()
            context.reset()
            expectEqual(log.take(), ["p willTurnIntoFault", "p didTurnIntoFault", "DidChange invalidatedAll"])
            expectEqual(parent.managedObjectContext, nil)
            expectEqual(child.managedObjectContext, nil)
            expectEmpty(context.registeredObjects)
        }
    }

    @Test("values are there in willTurnIntoFault and gone in didTurnIntoFault", arguments: StoreKind.allCases)
    func transition(_ kind: StoreKind) throws {
        try withStack(kind, model: LoggedModel.make(ofClass: FadingObject.self)) { stack in
            let object = try requireValue(stack.context.make("Parent", "p") as? FadingObject)
            try stack.context.save()
            stack.context.refresh(object, mergeChanges: false)
            expectEqual(
                object.lines,
                [
                    "will: fault false, name p, faultingState 1, changes false",
                    "did: fault true, faultingState 1, changes false",
                ])
            expectFalse(stack.context.hasChanges)
            expectEqual(object.text("note"), "none")
        }
    }

    @Test("an object that goes, or whose context goes, isn't told", arguments: StoreKind.allCases)
    func going(_ kind: StoreKind) throws {
        let stack = try TestStack(kind, model: LoggedModel.make())
        let log = try {
            let context = stack.newContext()
            let log = LifeCycleLog(context)
            try on(context) {
                weak var weakParent: LoggedObject?
                try {
                    let parent = context.makeLogged("Parent", "p")
                    try context.save()
                    weakParent = parent
                    _ = log.take()
                }()
                expectEqual(weakParent, nil)
            }
            context.userInfo.removeAllObjects()
            return log
        }()
        expectEqual(log.take(), [])
    }
}

/// Notes its state while it turns into a fault, and changes itself there.
final class FadingObject: NSManagedObject {
    var lines: [String] = []

    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        lines.append(
            "will: fault \(isFault), name \(text("name") ?? "-"), faultingState \(faultingState), changes \(hasChanges)"
        )
        setValue("on the way out", forKey: "note")
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        lines.append("did: fault \(isFault), faultingState \(faultingState), changes \(hasChanges)")
    }
}
