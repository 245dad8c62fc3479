import CoreData
import Testing

/// Fills itself with what it is told when it awakes.
class AwakingObject: NSManagedObject {
    /// The actions of the objects of one context when they awake.
    final class Habits {
        var onInsert: ((AwakingObject) -> Void)?
        var onFetch: ((AwakingObject) -> Void)?
    }
    private(set) var awakenings: [String] = []

    private var habits: Habits? { managedObjectContext?.userInfo["habits"] as? Habits }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        awakenings.append("insert")
        habits?.onInsert?(self)
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        awakenings.append("fetch")
        habits?.onFetch?(self)
    }
}

@Suite("Awaking")
struct AwakingTests {
    private func run(_ kind: StoreKind, _ body: (TestStack, AwakingObject.Habits) throws -> Void) throws {
        try withStack(kind, model: LoggedModel.make(ofClass: AwakingObject.self)) { stack in
            let habits = AwakingObject.Habits()
            stack.context.userInfo["habits"] = habits
            try body(stack, habits)
        }
    }

    /// A stored parent and child, both faults.
    private func stored(
        _ kind: StoreKind,
        _ body: (NSManagedObjectContext, AwakingObject.Habits, NSManagedObject, NSManagedObject) throws -> Void
    ) throws {
        try run(kind) { stack, habits in
            let parent = stack.context.make("Parent", "p")
            stack.context.make("Child", "c", ["parent": parent])
            stack.context.make("Child", "other")
            try stack.context.save()
            stack.context.refreshAllObjects()
            try body(stack.context, habits, parent, stack.context.one("Child", "c"))
            stack.context.userInfo.removeAllObjects()
        }
    }

    @Test("an object of a batch that isn't fetched as faults awakes once", arguments: StoreKind.allCases)
    func batches(_ kind: StoreKind) throws {
        try run(kind) { stack, habits in
            for number in 0..<10 { stack.context.make("Child", "\(number)") }
            try stack.context.save()
            stack.context.reset()
            habits.onFetch = { $0.setPrimitiveValue("own", forKey: "note") }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Child")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            request.fetchBatchSize = 5
            request.returnsObjectsAsFaults = false
            let children = try stack.context.fetch(request)
            expectEqual(children.map { $0.text("name") }, (0..<10).map { "\($0)" })
            expectEqual(children.map { ($0 as? AwakingObject)?.awakenings }, Array(repeating: ["fetch"], count: 10))
            try checkInvariants(of: stack.context)
            // The values of the objects aren't the values of the rows that contexts share.
            let other = stack.newContext()
            try on(other) { try expectEqual(Set(other.all("Child").map { $0.text("note") }), ["none"]) }
        }
    }

    @Test(
        "a new object is in its context, with default values and a temporary ID, when it awakes",
        arguments: StoreKind.allCases)
    func insertState(_ kind: StoreKind) throws {
        try run(kind) { stack, habits in
            var seen: [Bool] = []
            habits.onInsert = {
                seen = [
                    $0.managedObjectContext === stack.context, $0.isInserted, $0.objectID.isTemporaryID,
                    $0.text("note") == "none", !$0.isFault, $0.faultingState == 0,
                ]
            }
            stack.context.make("Parent", "p")
            expectEqual(seen, [true, true, true, true, true, true])
        }
    }

    @Test(
        "what a new object sets when it awakes is saved, and it counts as inserted, not as updated",
        arguments: StoreKind.allCases)
    func insertValues(_ kind: StoreKind) throws {
        try run(kind) { stack, habits in
            habits.onInsert = {
                $0.setValue("awake", forKey: "note")
                $0.setPrimitiveValue("quiet", forKey: "name")
            }
            let parent = stack.context.make("Parent")
            expectTrue(parent.isInserted)
            expectFalse(parent.isUpdated)
            expectEmpty(stack.context.updatedObjects)
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Parent", "quiet").text("note"), "awake") }
        }
    }

    @Test("relationships that a new object sets when it awakes have their inverses", arguments: StoreKind.allCases)
    func insertRelationships(_ kind: StoreKind) throws {
        try run(kind) { stack, habits in
            let parent = stack.context.make("Parent", "p")
            habits.onInsert = { $0.setValue(parent, forKey: "parent") }
            let child = stack.context.make("Child", "c")
            expectEqual(parent.ordered("children"), [child])
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Parent", "p").names("children"), ["c"]) }
        }
    }

    @Test("an object made without a context awakes when it is inserted", arguments: StoreKind.allCases)
    func insertedLater(_ kind: StoreKind) throws {
        try run(kind) { stack, _ in
            let entity = try requireValue(stack.model.entitiesByName["Parent"])
            let object = AwakingObject(entity: entity, insertInto: nil)
            object.setValue("p", forKey: "name")
            expectEqual(object.awakenings, [])
            expectEqual(object.managedObjectContext, nil)
            expectEqual(object.text("note"), "none")
            stack.context.insert(object)
            expectEqual(object.awakenings, ["insert"])
            expectTrue(object.isInserted)
            expectEqual(object.text("name"), "p")
            stack.context.insert(object)
            expectEqual(object.awakenings, ["insert"])
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Parent"), ["p"]) }
        }
    }

    @Test("an object awakes from insertion once, even when it leaves and comes back", arguments: StoreKind.allCases)
    func once(_ kind: StoreKind) throws {
        try run(kind) { stack, _ in
            let object = try requireValue(stack.context.make("Parent", "p") as? AwakingObject)
            stack.context.delete(object)
            stack.context.insert(object)
            stack.context.processPendingChanges()
            stack.context.delete(object)
            stack.context.processPendingChanges()
            expectEqual(object.managedObjectContext, nil)
            stack.context.insert(object)
            expectEqual(object.awakenings, ["insert"])
            expectTrue(object.isInserted)
            expectEqual(object.text("name"), "p")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Parent"), ["p"]) }
        }
    }

    @Test("what an object sets when it awakes from a fetch makes nothing dirty", arguments: StoreKind.allCases)
    func fetchValues(_ kind: StoreKind) throws {
        try stored(kind) { context, habits, parent, child in
            let other = try context.one("Child", "other")
            habits.onFetch = { object in
                object.setValue("cheerful", forKey: "temper")
                object.setValue("cached", forKey: "note")
                if object === parent { other.setValue("of another object", forKey: "note") }
            }
            expectEqual(parent.text("temper"), "cheerful")
            expectEqual(parent.text("note"), "cached")
            expectEqual(other.text("note"), "of another object")
            expectFalse(parent.hasChanges)
            expectFalse(other.hasChanges)
            expectFalse(context.hasChanges)
            expectEmpty(parent.changedValues())
            expectFalse(parent.hasPersistentChangedValues)
            _ = child
        }
    }

    @Test("an object can be changed as always once it is awake", arguments: StoreKind.allCases)
    func changedLater(_ kind: StoreKind) throws {
        try stored(kind) { context, habits, parent, child in
            habits.onFetch = { $0.setValue("cheerful", forKey: "temper") }
            _ = parent.text("name")
            parent.setValue("changed", forKey: "note")
            expectTrue(parent.isUpdated)
            expectEqual(parent.text("temper"), "cheerful")
            expectEqual(context.updatedObjects, [parent])
            try context.save()
            expectEqual(parent.text("temper"), "cheerful")
            context.refreshAllObjects()
            expectEqual(parent.text("note"), "changed")
            _ = child
        }
    }

    @Test(
        "inverses don't follow relationships that an object sets when it awakes from a fetch",
        arguments: StoreKind.allCases)
    func fetchRelationships(_ kind: StoreKind) throws {
        try stored(kind) { context, habits, parent, child in
            let children = parent.ordered("children")
            habits.onFetch = { $0.setValue(nil, forKey: "parent") }
            expectEqual(child.object("parent"), nil)
            expectEqual(parent.ordered("children"), children)
            expectFalse(child.hasChanges)
            expectFalse(parent.hasChanges)
            expectFalse(context.hasChanges)
        }
    }

    @Test(
        "faults that fire while an object awakes awake too, and change processing is on again afterwards",
        arguments: StoreKind.allCases)
    func nested(_ kind: StoreKind) throws {
        try stored(kind) { context, habits, parent, child in
            habits.onFetch = { object in
                if object === parent { _ = child.text("name") }
                object.setValue("x", forKey: "note")
            }
            _ = parent.text("name")
            expectFalse(context.hasChanges)
            expectEqual(child.text("note"), "x")
            expectFalse(child.isFault)
            child.setValue("y", forKey: "note")
            expectEqual(context.updatedObjects, [child])
        }
    }

    @Test("an object awakes each time its values come back", arguments: StoreKind.allCases)
    func eachTime(_ kind: StoreKind) throws {
        try stored(kind) { context, _, parent, child in
            let parent = try requireValue(parent as? AwakingObject)
            let before = parent.awakenings.count
            for _ in 0..<3 {
                _ = parent.text("name")
                context.refresh(parent, mergeChanges: false)
            }
            expectEqual(parent.awakenings.suffix(from: before), ["fetch", "fetch", "fetch"])
            _ = child
        }
    }
}
