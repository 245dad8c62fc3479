import CoreData
import Testing

@Suite("Undo of values")
struct UndoValueTests {
    @Test("a context has no undo manager by default, and undo does nothing", arguments: StoreKind.allCases)
    func none(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            expectEqual(stack.context.undoManager, nil)
            let book = stack.context.make("Book", "Emma")
            stack.context.undo()
            stack.context.redo()
            expectTrue(book.isInserted)
            expectEqual(book.text("name"), "Emma")
        }
    }

    @Test("a changed value is undone and redone, newest first", arguments: StoreKind.allCases)
    func values(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, _ in
            let book = context.make("Book", "Emma", ["pages": 100])
            context.processPendingChangesWithoutUndo()
            try context.save()
            try context.step { book.setValue(200, forKey: "pages") }
            try context.step {
                book.setValue(300, forKey: "pages")
                book.setValue("Emma again", forKey: "name")
            }
            context.undo()
            expectEqual(book.number("pages"), 200)
            expectEqual(book.text("name"), "Emma")
            context.undo()
            expectEqual(book.number("pages"), 100)
            expectFalse(manager.canUndo)
            expectEqual(manager.redoCount, 2)
            context.redo()
            expectEqual(book.number("pages"), 200)
            expectEqual(book.text("name"), "Emma")
            context.redo()
            expectEqual(book.number("pages"), 300)
            expectEqual(book.text("name"), "Emma again")
            expectFalse(manager.canRedo)
            context.undo()
            expectEqual(book.number("pages"), 200)
        }
    }

    @Test("undo of the manager includes changes that were not processed yet", arguments: StoreKind.allCases)
    func directly(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma", ["pages": 100])
            try stack.context.save()
            let manager = UndoManager()
            stack.context.undoManager = manager
            book.setValue(200, forKey: "pages")
            manager.undo()
            expectEqual(book.number("pages"), 100)
            manager.redo()
            expectEqual(book.number("pages"), 200)
            manager.undo()
            book.setValue(300, forKey: "pages")
            // `canRedo` posts a checkpoint notification, so the new change is processed.
            expectFalse(manager.canRedo)
            expectTrue(manager.canUndo)
        }
    }

    @Test("several events in a group are one action", arguments: StoreKind.allCases)
    func group(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, _ in
            var tag: NSManagedObject?
            try context.step {
                tag = context.make("Tag", "a")
                context.processPendingChanges()
                tag?.setValue("b", forKey: "name")
                context.processPendingChanges()
                try context.step { tag?.setValue("c", forKey: "name") }
            }
            expectEqual(manager.undoCount, 1)
            context.undo()
            try expectEmpty(context.names("Tag"))
            expectFalse(context.hasChanges)
            context.redo()
            try expectEqual(context.names("Tag"), ["c"])
            context.undo()
            try expectEmpty(context.names("Tag"))
        }
    }

    @Test("the last group inside an open one can be undone separately", arguments: StoreKind.allCases)
    func nested(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, _ in
            let tag = context.make("Tag", "a")
            context.processPendingChangesWithoutUndo()
            manager.beginUndoGrouping()
            try context.step { tag.setValue("b", forKey: "name") }
            try context.step { tag.setValue("c", forKey: "name") }
            manager.undoNestedGroup()
            expectEqual(tag.text("name"), "b")
            manager.endUndoGrouping()
            context.undo()
            expectEqual(tag.text("name"), "a")
        }
    }

    @Test("a new change removes the redo actions", arguments: StoreKind.allCases)
    func newChange(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, _ in
            let tag = context.make("Tag", "a")
            context.processPendingChangesWithoutUndo()
            try context.step { tag.setValue("b", forKey: "name") }
            context.undo()
            expectTrue(manager.canRedo)
            try context.step { tag.setValue("c", forKey: "name") }
            expectFalse(manager.canRedo)
            context.redo()
            expectEqual(tag.text("name"), "c")
            context.undo()
            expectEqual(tag.text("name"), "a")
        }
    }

    @Test("values of every type are restored, nil too", arguments: StoreKind.allCases)
    func types(_ kind: StoreKind) throws {
        let types: [(NSAttributeType, Any, Any)] = [
            (.integer16AttributeType, 1, 2), (.integer64AttributeType, 1, 2), (.doubleAttributeType, 0.5, 1.5),
            (.floatAttributeType, Float(0.5), Float(1.5)),
            (.booleanAttributeType, true, false),
            (.decimalAttributeType, NSDecimalNumber(string: "1.5"), NSDecimalNumber(string: "2.5")),
            (.stringAttributeType, "one that is long enough for the heap", "another that is long enough for the heap"),
            (.dateAttributeType, Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2)),
            (.binaryDataAttributeType, Data([1]), Data([2, 2])), (.UUIDAttributeType, UUID(), UUID()),
            (.URIAttributeType, URL(string: "a:b")!, URL(string: "a:c")!), (.transformableAttributeType, ["a"], ["b"]),
        ]
        let item = entity("Item", types.indices.map { attribute("a\($0)", types[$0].0) })
        try withUndo(kind, model: model([item])) { context, _, _ in
            let object = context.make("Item")
            context.processPendingChangesWithoutUndo()
            func values() -> [String] { types.indices.map { object.value(forKey: "a\($0)").map { "\($0)" } ?? "nil" } }
            var seen = [values()]
            for pick in [0, 1, 2] {
                try context.step {
                    for (index, type) in types.enumerated() {
                        object.setValue([type.1, type.2, nil][pick], forKey: "a\(index)")
                    }
                }
                seen.append(values())
            }
            #expect(!zip(seen[1], seen[2]).contains { $0 == $1 })
            for index in [2, 1, 0] {
                context.undo()
                expectEqual(values(), seen[index])
            }
            for index in [1, 2, 3] {
                context.redo()
                expectEqual(values(), seen[index])
            }
        }
    }

    @Test("transient values are undone too", arguments: StoreKind.allCases)
    func transient(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, _ in
            let book = context.make("Book", "Emma", ["note": "one"])
            context.processPendingChangesWithoutUndo()
            try context.save()
            try context.step { book.setValue("two", forKey: "note") }
            context.undo()
            expectEqual(book.text("note"), "one")
            context.redo()
            expectEqual(book.text("note"), "two")
        }
    }

    @Test("a value set to its previous value is no action", arguments: StoreKind.allCases)
    func same(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let tag = stack.context.make("Tag", "a")
            try stack.context.save()
            let manager = UndoManager()
            stack.context.undoManager = manager
            tag.setValue("b", forKey: "name")
            tag.setValue("a", forKey: "name")
            stack.context.processPendingChanges()
            expectFalse(manager.canUndo)
        }
    }

    @Test("an object whose only change is undone has no changes", arguments: StoreKind.allCases)
    func unchanged(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, _ in
            let tag = context.make("Tag", "a")
            let other = context.make("Tag", "x")
            context.processPendingChangesWithoutUndo()
            try context.save()
            other.setValue("y", forKey: "name")
            context.processPendingChangesWithoutUndo()
            try context.step { tag.setValue("b", forKey: "name") }
            try context.step { other.setValue("z", forKey: "name") }
            expectEqual(context.updatedObjects, [tag, other])
            context.undo()
            context.undo()
            expectEqual(context.updatedObjects, [other])
            expectFalse(tag.hasChanges)
            expectEmpty(tag.changedValues())
            context.redo()
            expectEqual(context.updatedObjects, [tag, other])
            #expect(tag.changedValues() as? [String: String] == ["name": "b"])
        }
    }

    @Test("another context's merged changes of other properties remain", arguments: StoreKind.allCases)
    func merged(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, stack in
            let book = context.make("Book", "Emma", ["pages": 100, "price": 1])
            context.processPendingChangesWithoutUndo()
            try context.save()
            try context.step { book.setValue(200, forKey: "pages") }
            try context.save()
            try stack.inAnotherContext { other in
                try other.one("Book", "Emma").setValue(2, forKey: "price")
                try other.save()
            }
            context.refresh(book, mergeChanges: true)
            context.undo()
            expectEqual(book.number("pages"), 100)
            expectEqual(book.number("price"), 2)
            try context.save()
            try inFreshContext(stack) {
                let stored = try $0.one("Book", "Emma")
                expectEqual(stored.number("pages"), 100)
                expectEqual(stored.number("price"), 2)
            }
        }
    }
}
