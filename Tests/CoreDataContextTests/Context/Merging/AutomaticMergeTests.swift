import CoreData
import Testing

@Suite("Contexts that merge by themselves")
struct AutomaticMergeTests {
    @Test("what another context saves is merged on the context's queue", arguments: StoreKind.allCases)
    func merging(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let view = stack.newContext()
        expectFalse(view.automaticallyMergesChangesFromParent)
        view.automaticallyMergesChangesFromParent = true
        var book: NSManagedObject!
        var other: NSManagedObject!
        var id: NSManagedObjectID!
        try on(stack.context) {
            book = stack.context.make("Book", "A")
            try stack.context.save()
            id = book.objectID
        }
        try on(view) {
            other = try view.one("Book", "A")
            expectEqual(other.number("pages"), 100)
        }
        try on(stack.context) {
            book.setValue(2, forKey: "pages")
            try stack.context.save()
        }
        // The merge was put on the queue before the save returned.
        try on(view) { expectEqual(other.number("pages"), 2) }
        try on(view) {
            other.setValue("mine", forKey: "name")
            expectTrue(view.hasChanges)
        }
        try on(stack.context) {
            book.setValue(3, forKey: "pages")
            try stack.context.save()
        }
        try on(view) {
            expectEqual(other.number("pages"), 3)
            expectEqual(other.text("name"), "mine")
            try view.save()
        }
        view.automaticallyMergesChangesFromParent = false
        try on(stack.context) {
            expectEqual(book.text("name"), "A")
            stack.context.refresh(book, mergeChanges: false)
            stack.context.delete(book)
            try stack.context.save()
        }
        try on(view) {
            #expect(other.managedObjectContext === view)
            expectEqual(other.objectID, id)
        }
    }

    @Test("a merged deletion is over with its event", arguments: StoreKind.allCases)
    func mergedDeletion(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let view = stack.newContext()
        view.automaticallyMergesChangesFromParent = true
        var book: NSManagedObject!
        var theirs: NSManagedObject!
        try on(stack.context) {
            book = stack.context.make("Book", "A")
            try stack.context.save()
        }
        try on(view) { theirs = try view.one("Book", "A") }
        try on(stack.context) {
            stack.context.delete(book)
            try stack.context.save()
        }
        try on(view) {
            expectEmpty(view.deletedObjects)
            expectEqual(theirs.managedObjectContext, nil)
        }
    }

    @Test("saves arrive in the order of their commits: the last state counts", arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let view = stack.newContext()
        view.automaticallyMergesChangesFromParent = true
        var events: [String] = []
        let note = UnsafeSender { (notification: Notification) in
            for (key, mark) in [(NSInsertedObjectIDsKey, "+"), (NSDeletedObjectIDsKey, "-")] {
                for id in notification.userInfo?[key] as? Set<NSManagedObjectID> ?? [] {
                    events.append(mark + id.uriRepresentation().lastPathComponent)
                }
            }
        }
        let token = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didMergeChangesObjectIDsNotification, object: view, queue: nil
        ) { note.value($0) }
        defer { NotificationCenter.default.removeObserver(token) }
        // Writers hand their objects on to others, which delete them.
        let sender = UnsafeSender(stack)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let stack = sender.value
            let writer = stack.newContext()
            let remover = stack.newContext()
            for _ in 0..<10 {
                let id = writer.performAndWait { () -> NSManagedObjectID? in
                    let book = writer.make("Book", "A")
                    try? writer.save()
                    return book.objectID
                }
                remover.performAndWait {
                    remover.delete(remover.object(with: id!))
                    try? remover.save()
                }
            }
        }
        try on(view) {
            expectEqual(events.count, 80)
            for key in Set(events.map { String($0.dropFirst()) }) {
                expectEqual(events.filter { $0.dropFirst() == key }, ["+" + key, "-" + key])
            }
            try expectEmpty(view.all("Book"))
        }
    }

    @Test("merging doesn't retain a context", arguments: StoreKind.allCases)
    func lifetime(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        weak var gone: NSManagedObjectContext?
        do {
            let view = stack.newContext()
            view.automaticallyMergesChangesFromParent = true
            gone = view
        }
        expectEqual(gone, nil)
        try on(stack.context) {
            stack.context.make("Book", "A")
            try stack.context.save()
        }
    }

    @Test("derived attributes that a save changes in other rows arrive too")
    func derived() throws {
        let list = entity("List")
        let item = entity("Item")
        let items = toMany("items", item)
        let owner = toOne("list", list)
        pair(items, owner)
        let count = NSDerivedAttributeDescription()
        count.name = "count"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(forKeyPath: "items.@count")
        list.properties = [attribute("name", .stringAttributeType), count, items]
        item.properties = [attribute("name", .stringAttributeType), owner]
        let stack = try TestStack(.sqlite, model: model([list, item]))
        let view = stack.newContext()
        view.automaticallyMergesChangesFromParent = true
        try on(stack.context) {
            stack.context.make("List", "l")
            try stack.context.save()
        }
        var known: NSManagedObject!
        try on(view) {
            known = try view.one("List", "l")
            expectEqual(known.number("count"), 0)
        }
        try on(stack.context) {
            stack.context.make("Item", "i", ["list": try stack.context.one("List", "l")])
            try stack.context.save()
        }
        try on(view) { expectEqual(known.number("count"), 1) }
    }
}
