import CoreData
import Testing

/// A class with accessors written by hand, as Core Data's documentation shows them.
class HandWritten: NSManagedObject {
    private(set) var undefined: [String] = []

    var name: String? {
        get {
            willAccessValue(forKey: "name")
            defer { didAccessValue(forKey: "name") }
            return primitiveValue(forKey: "name") as? String
        }
        set {
            willChangeValue(forKey: "name")
            setPrimitiveValue(newValue?.trimmingCharacters(in: .whitespaces), forKey: "name")
            didChangeValue(forKey: "name")
        }
    }

    /// A transient attribute that is computed when it is first asked for.
    var initial: String? {
        willAccessValue(forKey: "initial")
        defer { didAccessValue(forKey: "initial") }
        if let known = primitiveValue(forKey: "initial") as? String { return known }
        let computed = name.map { String($0.prefix(1)) }
        setPrimitiveValue(computed, forKey: "initial")
        return computed
    }

    func add(_ part: HandWritten) {
        willChangeValue(forKey: "parts", withSetMutation: .union, using: [part])
        mutableSetValue(forKey: "parts").add(part)
        didChangeValue(forKey: "parts", withSetMutation: .union, using: [part])
    }

    func remove(_ part: HandWritten) {
        willChangeValue(forKey: "parts", withSetMutation: .minus, using: [part])
        mutableSetValue(forKey: "parts").remove(part)
        didChangeValue(forKey: "parts", withSetMutation: .minus, using: [part])
    }

    override func value(forUndefinedKey key: String) -> Any? {
        undefined.append("get \(key)")
        return "nothing"
    }

    override func setValue(_ value: Any?, forUndefinedKey key: String) { undefined.append("set \(key)") }
}

/// Counts as changed when something is announced that the model doesn't have.
final class MindingHandWritten: HandWritten {
    override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }
}

@Suite("Members of managed objects")
struct MemberTests {
    private func run(
        _ kind: StoreKind, _ type: NSManagedObject.Type = HandWritten.self,
        _ body: (TestStack, HandWritten) throws -> Void
    ) throws {
        let item = entity("Item")
        let initial = attribute("initial", .stringAttributeType)
        initial.isTransient = true
        let parts = toMany("parts", item)
        let whole = toOne("whole", item)
        pair(parts, whole)
        item.properties = [
            attribute("name", .stringAttributeType), attribute("size", .integer32AttributeType, defaultValue: 7),
            initial, parts, whole,
        ]
        item.managedObjectClassName = NSStringFromClass(type)
        try withStack(kind, model: model([item])) {
            try body($0, try requireValue($0.context.make("Item") as? HandWritten))
        }
    }

    @Test("accessors written by hand read and change values", arguments: StoreKind.allCases)
    func accessors(_ kind: StoreKind) throws {
        try run(kind) { stack, item in
            item.name = "  box "
            expectEqual(item.name, "box")
            try stack.context.save()
            stack.context.refresh(item, mergeChanges: false)
            expectTrue(item.isFault)
            expectEqual(item.name, "box")
            expectFalse(item.hasChanges)
            item.name = "case"
            expectTrue(item.isUpdated)
            #expect(item.changedValues()["name"] as? String == "case")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Item"), ["case"]) }
        }
    }

    @Test("a computed transient value is kept over saves and lost with the fault", arguments: StoreKind.allCases)
    func transient(_ kind: StoreKind) throws {
        try run(kind) { stack, item in
            item.name = "box"
            expectEqual(item.initial, "b")
            try stack.context.save()
            item.setPrimitiveValue("other", forKey: "initial")
            item.name = "case"
            try stack.context.save()
            expectEqual(item.initial, "other")
            stack.context.refresh(item, mergeChanges: false)
            expectEqual(item.initial, "c")
            expectFalse(item.hasChanges)
        }
    }

    @Test("to-many accessors written by hand change both sides", arguments: StoreKind.allCases)
    func setMutations(_ kind: StoreKind) throws {
        try run(kind) { stack, item in
            item.name = "whole"
            let part = try requireValue(stack.context.make("Item", "part") as? HandWritten)
            let other = try requireValue(stack.context.make("Item", "other") as? HandWritten)
            try stack.context.save()
            item.add(part)
            item.add(other)
            expectTrue(item.isUpdated)
            expectEqual(item.objects("parts"), [part, other])
            #expect(part.object("whole") === item)
            item.remove(other)
            #expect(item.primitiveValue(forKey: "parts") as? Set<NSManagedObject> == [part])
            expectEqual(other.object("whole"), nil)
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Item", "whole").names("parts"), ["part"]) }
        }
    }

    @Test("announcing a set mutation alone makes the object dirty", arguments: StoreKind.allCases)
    func announcedMutation(_ kind: StoreKind) throws {
        try run(kind) { stack, item in
            try stack.context.save()
            item.willChangeValue(forKey: "parts", withSetMutation: .set, using: [])
            item.didChangeValue(forKey: "parts", withSetMutation: .set, using: [])
            expectTrue(item.isUpdated)
            expectFalse(item.hasPersistentChangedValues)
        }
    }

    @Test(
        "a change of something that the model doesn't have is ignored, unless the class minds",
        arguments: StoreKind.allCases)
    func unmodelled(_ kind: StoreKind) throws {
        for (type, isDirty) in [(HandWritten.self, false), (MindingHandWritten.self, true)]
            as [(NSManagedObject.Type, Bool)]
        {
            try run(kind, type) { stack, item in
                try stack.context.save()
                item.willChangeValue(forKey: "mood")
                item.didChangeValue(forKey: "mood")
                expectEqual(item.hasChanges, isDirty)
                expectEqual(stack.context.hasChanges, isDirty)
                expectEqual(type.contextShouldIgnoreUnmodeledPropertyChanges, !isDirty)
            }
        }
    }

    @Test("overrides for undefined keys are asked", arguments: StoreKind.allCases)
    func undefined(_ kind: StoreKind) throws {
        try run(kind) { _, item in
            #expect(item.value(forKey: "mood") as? String == "nothing")
            item.setValue(1, forKey: "mood")
            item.setValuesForKeys(["weather": 2, "size": NSNull()])
            #expect(item.dictionaryWithValues(forKeys: ["climate", "size"])["size"] is NSNull)
            expectEqual(item.undefined, ["get mood", "set mood", "set weather", "get climate"])
        }
    }

    @Test(
        "changed values of a new object are those that differ from its defaults, without transient ones",
        arguments: StoreKind.allCases)
    func changedValuesOfNew(_ kind: StoreKind) throws {
        try run(kind) { _, item in
            expectEmpty(item.changedValues())
            item.name = "box"
            item.setValue("b", forKey: "initial")
            expectEqual(Set(item.changedValues().keys), ["name"])
            item.setValue(nil, forKey: "size")
            #expect(item.changedValues()["size"] is NSNull)
        }
    }

    @Test("changed and committed values leave transient ones out", arguments: StoreKind.allCases)
    func transientValues(_ kind: StoreKind) throws {
        try run(kind) { stack, item in
            item.name = "box"
            try stack.context.save()
            item.setValue("x", forKey: "initial")
            expectTrue(item.hasChanges)
            expectEmpty(item.changedValues())
            expectEqual(Set(item.committedValues(forKeys: ["name", "initial"]).keys), ["name"])
            expectEqual(Set(item.committedValues(forKeys: nil).keys), ["name", "size", "parts", "whole"])
        }
    }

    @Test("a new object has no committed values", arguments: StoreKind.allCases)
    func committedOfNew(_ kind: StoreKind) throws {
        try run(kind) { _, item in
            item.name = "box"
            expectEmpty(item.committedValues(forKeys: ["name", "parts", "whole"]))
            expectEmpty(item.committedValues(forKeys: nil))
        }
    }

    @Test(
        "committed values of a changed object are those of the last save, of a fault too", arguments: StoreKind.allCases
    )
    func committed(_ kind: StoreKind) throws {
        try run(kind) { stack, item in
            let part = try requireValue(stack.context.make("Item", "part") as? HandWritten)
            item.add(part)
            try stack.context.save()
            stack.context.refresh(item, mergeChanges: false)
            #expect(item.committedValues(forKeys: ["size"])["size"] as? Int == 7)
            item.setValue(8, forKey: "size")
            item.remove(part)
            let committed = item.committedValues(forKeys: ["size", "parts"])
            #expect(committed["size"] as? Int == 7)
            #expect(committed["parts"] as? Set<NSManagedObject> == [part])
            #expect(part.committedValues(forKeys: ["whole"])["whole"] as? NSManagedObject === item)
        }
    }

    @Test("what has a fault says so, before and after", arguments: StoreKind.allCases)
    func hasFault(_ kind: StoreKind) throws {
        try run(kind) { stack, item in
            let part = try requireValue(stack.context.make("Item", "part") as? HandWritten)
            expectFalse(item.hasFault(forRelationshipNamed: "parts"))
            expectFalse(item.hasFault(forRelationshipNamed: "whole"))
            item.add(part)
            try stack.context.save()
            try inFreshContext(stack) { context in
                let part = try context.one("Item", "part")
                expectTrue(part.hasFault(forRelationshipNamed: "whole"))
                expectTrue(part.hasFault(forRelationshipNamed: "parts"))
                let whole = try requireValue(part.object("whole"))
                expectTrue(part.hasFault(forRelationshipNamed: "whole"))
                expectTrue(whole.isFault)
                _ = whole.text("name")
                expectFalse(part.hasFault(forRelationshipNamed: "whole"))
                expectFalse(whole.hasFault(forRelationshipNamed: "whole"))
                expectTrue(whole.hasFault(forRelationshipNamed: "parts"))
                _ = whole.objects("parts").count
                expectFalse(whole.hasFault(forRelationshipNamed: "parts"))
            }
        }
    }

    @Test("IDs of related objects come without objects, and unsaved changes with them", arguments: StoreKind.allCases)
    func relatedIDs(_ kind: StoreKind) throws {
        try run(kind) { stack, item in
            item.name = "whole"
            let parts = ["a", "b"].map { stack.context.make("Item", $0, ["whole": item]) }
            expectEqual(Set(item.objectIDs(forRelationshipNamed: "parts")), Set(parts.map(\.objectID)))
            try stack.context.save()
            try inFreshContext(stack) { context in
                let whole = context.object(
                    with: try requireValue(context.all("Item", "name == 'whole'").first).objectID)
                let before = context.registeredObjects.count
                let ids = whole.objectIDs(forRelationshipNamed: "parts")
                expectEqual(Set(ids.map(\.entity.name)), ["Item"])
                expectEqual(ids.count, 2)
                expectTrue(whole.hasFault(forRelationshipNamed: "parts"))
                expectEqual(context.registeredObjects.count, before)
                let part = try context.existingObject(with: ids[0])
                expectEqual(part.objectIDs(forRelationshipNamed: "whole"), [whole.objectID])

                let new = context.make("Item", "new")
                new.setValue(whole, forKey: "whole")
                part.setValue(nil, forKey: "whole")
                expectEqual(Set(whole.objectIDs(forRelationshipNamed: "parts")), [ids[1], new.objectID])
                expectTrue(whole.hasFault(forRelationshipNamed: "parts"))
                expectEqual(whole.objects("parts").map(\.objectID).count, 2)
                expectEqual(Set(whole.objectIDs(forRelationshipNamed: "parts")), [ids[1], new.objectID])
                expectEqual(part.objectIDs(forRelationshipNamed: "whole"), [])
            }
        }
    }

    @Test(
        "IDs of ordered content that isn't loaded come in the order that it has when it is",
        arguments: StoreKind.allCases)
    func orderedIDs(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            for name in ["a", "b", "c"] { stack.context.make("Chapter", name, ["book": book]) }
            try stack.context.save()
            try inFreshContext(stack) { context in
                let book = try context.one("Book", "Emma")
                context.make("Chapter", "d", ["book": book])
                try context.one("Chapter", "b").setValue(nil, forKey: "book")
                let ids = book.objectIDs(forRelationshipNamed: "chapters")
                expectTrue(book.hasFault(forRelationshipNamed: "chapters"))
                expectEqual(ids, book.ordered("chapters").map(\.objectID))
                expectEqual(book.names("chapters"), ["a", "c", "d"])
            }
        }
    }

    @Test("to a child, IDs of related objects include what its parent has not saved", arguments: StoreKind.allCases)
    func childRelatedIDs(_ kind: StoreKind) throws {
        try run(kind) { stack, item in
            let saved = stack.context.make("Item", "saved", ["whole": item])
            try stack.context.save()
            stack.context.refreshAllObjects()
            let new = stack.context.make("Item", "new", ["whole": item])
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = stack.context
            try on(child) {
                let whole = child.object(with: item.objectID)
                expectEqual(Set(whole.objectIDs(forRelationshipNamed: "parts")), [saved.objectID, new.objectID])
                expectTrue(whole.hasFault(forRelationshipNamed: "parts"))
                expectEqual(child.object(with: new.objectID).objectIDs(forRelationshipNamed: "whole"), [item.objectID])
            }
        }
    }

    @Test("the ID of a destination that is a fault of a fault comes without an object", arguments: StoreKind.allCases)
    func destinationID(_ kind: StoreKind) throws {
        try run(kind) { stack, item in
            let part = stack.context.make("Item", "part", ["whole": item])
            try stack.context.save()
            let context = stack.newContext()
            try on(context) {
                let fault = context.object(with: part.objectID)
                expectEqual(fault.objectIDs(forRelationshipNamed: "whole"), [item.objectID])
                expectEqual(context.registeredObject(for: item.objectID), nil)
                expectEqual(context.registeredObjects.count, 1)
            }
        }
    }
}

@Suite("Mistakes with members of managed objects")
struct MemberMistakeTests {
    @Test("asking an attribute for its relationship's fault or IDs stops the program and names it")
    func noRelationship() async {
        let fault = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { _ = $0.context.make("Book", "A").hasFault(forRelationshipNamed: "pages") }
        }
        expectContains(errorOutput(fault), "pages")
        let ids = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { _ = $0.context.make("Book", "A").objectIDs(forRelationshipNamed: "pages") }
        }
        expectContains(errorOutput(ids), "pages")
    }

    @Test("inserting a deleted object in its didSave stops the program and says why")
    func resurrection() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try LoggedModel.run(.memory) { stack, _ in
                let parent = stack.context.makeLogged("Parent", "p")
                try stack.context.save()
                parent.whenSaved = { $0.managedObjectContext?.insert($0) }
                stack.context.delete(parent)
                try stack.context.save()
            }
        }
        expectContains(errorOutput(result), "its deletion is being saved")
    }
}
