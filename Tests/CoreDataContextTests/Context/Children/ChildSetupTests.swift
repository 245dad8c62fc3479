import CoreData
import Testing

@Suite("Parents of contexts")
struct ChildSetupTests {
    @Test("a child has the coordinator of its root, also if it is set later")
    func coordinator() throws {
        let stack = try TestStack(.memory)
        let root = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let middle = root.child()
        let child = middle.child()
        #expect(child.parent === middle)
        #expect(middle.parent === root)
        expectEqual(root.parent, nil)
        expectEqual(child.persistentStoreCoordinator, nil)
        root.persistentStoreCoordinator = stack.coordinator
        #expect(child.persistentStoreCoordinator === stack.coordinator)
        child.parent = nil
        expectEqual(child.persistentStoreCoordinator, nil)
        child.persistentStoreCoordinator = stack.coordinator
        expectEqual(child.parent, nil)
    }

    @Test("a child retains its parent, a parent does not retain its children", arguments: StoreKind.allCases)
    func lifetime(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        weak var gone: NSManagedObjectContext?
        var child: NSManagedObjectContext? = stack.newContext().child()
        weak let parent = child?.parent
        child?.automaticallyMergesChangesFromParent = true
        gone = child
        #expect(parent != nil)
        try child?.performAndWait {
            child?.make("Book", "A")
            try child?.save()
        }
        try parent?.performAndWait { try parent?.save() }
        child?.performAndWait {}
        child = nil
        expectEqual(gone, nil)
        expectEqual(parent, nil)
    }

    @Test("a confined child saves into a parent with a queue", arguments: StoreKind.allCases)
    func confined(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let child = stack.context.child(.confinementConcurrencyType)
        let book = child.make("Book", "A")
        try child.save()
        try on(stack.context) { try stack.context.save() }
        try expectEqual(child.names("Book"), ["A"])
        expectFalse(book.objectID.isTemporaryID)
    }

    private func expect(
        _ result: ExitTest.Result?, says parts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for part in parts { #expect(said.contains(part), "\(said.prefix(600))", sourceLocation: sourceLocation) }
    }

    @Test("a context with a coordinator can't get a parent")
    func hasCoordinator() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(.memory)
            stack.newContext().parent = stack.context
        }
        expect(result, says: "already has a coordinator")
    }

    @Test("a context with a parent can't get a coordinator")
    func hasParent() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(.memory)
            stack.context.child().persistentStoreCoordinator = NSPersistentStoreCoordinator(
                managedObjectModel: LibraryModel.make())
        }
        expect(result, says: "with a parent")
    }

    @Test("a parent without a queue is refused")
    func confinedParent() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType).child()
        }
        expect(result, says: "NSPrivateQueueConcurrencyType or NSMainQueueConcurrencyType")
    }

    @Test("a parent can't be replaced while there are objects")
    func objects() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(.memory)
            let child = stack.context.child(.confinementConcurrencyType)
            let book = child.make("Book", "A")
            child.parent = nil
            _ = book
        }
        expect(result, says: "can't be replaced while it has objects")
    }

    @Test("a context can't be its own ancestor")
    func circle() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let root = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            let child = root.child()
            root.parent = child
            _ = child
        }
        expect(result, says: "its own ancestor")
    }
}
