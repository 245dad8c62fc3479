import CoreData
import Testing

/// Changes of ordered relationships whose members can't be read.
@Suite("Ordered relationships that can't be read")
struct UnreadOrderTests {
    enum Change: String, CaseIterable {
        case set, setEqual, removeAll, insert, removeFirst, move, moveMany, exchange, sort, replace, replaceMany, add,
            addMember, removeMember

        func run(_ book: NSManagedObject, _ chapters: [NSManagedObject], _ new: NSManagedObject) {
            let list = book.mutableOrderedSetValue(forKey: "chapters")
            switch self {
            case .set: book.setValue(NSOrderedSet(array: [new]), forKey: "chapters")
            case .setEqual: book.setValue(NSOrderedSet(array: chapters), forKey: "chapters")
            case .removeAll: list.removeAllObjects()
            case .insert: list.insert(new, at: 0)
            case .removeFirst: list.removeObject(at: 0)
            case .move: list.moveObjects(at: IndexSet(integer: 2), to: 0)
            case .moveMany: list.moveObjects(at: IndexSet([1, 2]), to: 0)
            case .exchange: list.exchangeObject(at: 0, withObjectAt: 2)
            case .sort:
                list.sort { ($1 as! NSManagedObject).text("name")!.compare(($0 as! NSManagedObject).text("name")!) }
            case .replace: list.replaceObject(at: 0, with: new)
            case .replaceMany: list.replaceObjects(at: IndexSet([0, 1]), with: [new, chapters[0]])
            case .add: list.add(new)
            case .addMember: new.setValue(book, forKey: "book")
            case .removeMember: chapters[1].setValue(nil, forKey: "book")
            }
        }
    }

    /// A saved book whose values are read, the chapters that it has, and another chapter. The members aren't read.
    private func stored(
        _ body: (TestStack, NSManagedObject, [NSManagedObject], NSManagedObject) throws -> Void
    ) throws {
        try withStack(.sqlite) { stack in
            let context = stack.context
            let book = context.make("Book", "b")
            let chapters = ["1", "2", "3"].map { context.make("Chapter", $0, ["book": book]) }
            let new = context.make("Chapter", "new")
            try context.save()
            context.refresh(book, mergeChanges: false)
            for object in [book, new] + chapters { #expect(object.text("name") != nil) }
            try body(stack, book, chapters, new)
        }
    }

    @Test(
        "after their store was removed they are changed without a stop, and the change isn't saved",
        arguments: Change.allCases)
    func removedStore(_ change: Change) throws {
        try stored { stack, book, chapters, new in
            try stack.coordinator.remove(stack.store)
            change.run(book, chapters, new)
            #expect(throws: NSError.self) { try stack.context.save() }
            stack.context.rollback()
            try checkInvariants(of: stack.context)
        }
    }

    @Test("a list that a program has read before is changed without a stop", arguments: Change.allCases)
    func knownList(_ change: Change) throws {
        try stored { stack, book, chapters, new in
            let list = book.mutableOrderedSetValue(forKey: "chapters")
            expectEqual(list.count, 3)
            try stack.coordinator.remove(stack.store)
            stack.context.refresh(book, mergeChanges: false)
            change.run(book, chapters, new)
            stack.context.undoManager?.undo()
            stack.context.rollback()
            try checkInvariants(of: stack.context)
        }
    }

    @Test("an undo that can't read them is no stop", arguments: Change.allCases)
    func undo(_ change: Change) throws {
        try stored { stack, book, chapters, new in
            let manager = UndoManager()
            manager.groupsByEvent = false
            stack.context.undoManager = manager
            manager.beginUndoGrouping()
            change.run(book, chapters, new)
            stack.context.processPendingChanges()
            manager.endUndoGrouping()
            try stack.context.save()
            stack.context.refreshAllObjects()
            try stack.coordinator.remove(stack.store)
            manager.undo()
            stack.context.rollback()
            try checkInvariants(of: stack.context)
        }
    }

    @Test("a child's save into a context that can't read them throws, or is whole", arguments: Change.allCases)
    func child(_ change: Change) throws {
        try stored { stack, book, chapters, new in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = stack.context
            let ids = ([book, new] + chapters).map(\.objectID)
            try on(child) {
                let objects = ids.map { child.object(with: $0) }
                change.run(objects[0], Array(objects[2...]), objects[1])
            }
            stack.context.refreshAllObjects()
            try stack.coordinator.remove(stack.store)
            try on(child) { try? child.save() }
            stack.context.rollback()
            try checkInvariants(of: stack.context)
        }
    }
}
