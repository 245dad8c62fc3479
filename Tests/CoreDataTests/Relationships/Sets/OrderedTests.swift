import CoreData
import Testing

@Suite("Ordered relationships")
struct OrderedTests {
    private func withBook(_ kind: StoreKind, _ names: [String], _ body: (TestStack, NSManagedObject) throws -> Void)
        throws
    {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            book.setValue(NSOrderedSet(array: names.map { stack.context.make("Chapter", $0) }), forKey: "chapters")
            try stack.context.save()
            try body(stack, book)
        }
    }

    private func stored(
        _ stack: TestStack, _ key: String = "chapters", of entity: String = "Book", _ name: String = "Emma"
    ) throws -> [String] {
        var names: [String] = []
        try inFreshContext(stack) { names = try $0.one(entity, name).names(key) }
        return names
    }

    @Test("the order is kept, one to many", arguments: StoreKind.everyKind)
    func kept(_ kind: StoreKind) throws {
        try withBook(kind, ["c", "a", "b"]) { stack, book in
            expectEqual(book.names("chapters"), ["c", "a", "b"])
            try expectEqual(stored(stack), ["c", "a", "b"])
        }
    }

    @Test("inserting, moving, exchanging, replacing and removing keep the order", arguments: StoreKind.everyKind)
    func editing(_ kind: StoreKind) throws {
        try withBook(kind, ["a", "b", "c", "d"]) { stack, book in
            let set = book.mutableOrderedSetValue(forKey: "chapters")
            set.insert(stack.context.make("Chapter", "x"), at: 1)
            expectEqual(book.names("chapters"), ["a", "x", "b", "c", "d"])
            set.moveObjects(at: IndexSet(integer: 4), to: 0)
            expectEqual(book.names("chapters"), ["d", "a", "x", "b", "c"])
            try stack.context.save()
            try expectEqual(stored(stack), ["d", "a", "x", "b", "c"])
            set.exchangeObject(at: 0, withObjectAt: 4)
            let removed = set.object(at: 2) as! NSManagedObject
            set.removeObject(at: 2)
            expectEqual(removed.object("book"), nil)
            set.replaceObject(at: 0, with: stack.context.make("Chapter", "y"))
            set.add(removed)
            expectEqual(book.names("chapters"), ["y", "a", "b", "d", "x"])
            try stack.context.save()
            try expectEqual(stored(stack), ["y", "a", "b", "d", "x"])
            set.removeAllObjects()
            try stack.context.save()
            try expectEqual(stored(stack), [])
        }
    }

    @Test("a change of order alone is a change, is saved, and is undone by rollback", arguments: StoreKind.everyKind)
    func reordering(_ kind: StoreKind) throws {
        try withBook(kind, ["a", "b", "c"]) { stack, book in
            let reversed = NSOrderedSet(array: book.ordered("chapters").reversed())
            book.setValue(reversed, forKey: "chapters")
            expectTrue(book.hasChanges)
            expectContains(book.changedValues().keys, "chapters")
            stack.context.rollback()
            expectEqual(book.names("chapters"), ["a", "b", "c"])
            book.setValue(reversed, forKey: "chapters")
            try stack.context.save()
            try expectEqual(stored(stack), ["c", "b", "a"])
        }
    }

    @Test("a mutable ordered set follows changes from elsewhere", arguments: StoreKind.everyKind)
    func following(_ kind: StoreKind) throws {
        try withBook(kind, ["a", "b"]) { stack, book in
            let one = book.mutableOrderedSetValue(forKey: "chapters")
            let other = book.mutableOrderedSetValue(forKey: "chapters")
            one.add(stack.context.make("Chapter", "c"))
            expectEqual(other.count, 3)
            other.add(stack.context.make("Chapter", "d"))
            expectEqual(book.names("chapters"), ["a", "b", "c", "d"])
            stack.context.make("Chapter", "e", ["book": book])
            expectEqual(one.count, 5)
            expectEqual((one.lastObject as? NSManagedObject)?.text("name"), "e")
            one.removeObject(at: 0)
            expectEqual(book.names("chapters"), ["b", "c", "d", "e"])
        }
    }

    @Test(
        "objects that join from the other side come last, in their order, loaded or not",
        arguments: StoreKind.allCases.without(.fileReadOnce))
    func joining(_ kind: StoreKind) throws {
        try withBook(kind, ["a", "b"]) { stack, book in
            try inFreshContext(stack) { context in
                let book = try context.one("Book", "Emma")
                for name in ["z", "y", "x", "w", "v"] { context.make("Chapter", name, ["book": book]) }
                try context.save()
            }
            try expectEqual(stored(stack), ["a", "b", "z", "y", "x", "w", "v"])
            stack.context.refreshAllObjects()
            _ = book.names("chapters")
            stack.context.make("Chapter", "u", ["book": book])
            try stack.context.save()
            try expectEqual(stored(stack), ["a", "b", "z", "y", "x", "w", "v", "u"])
        }
    }

    @Test("the order is kept, many to many, on the ordered side", arguments: StoreKind.everyKind)
    func manyToMany(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let books = ["a", "b", "c"].map { stack.context.make("Book", $0) }
            let one = stack.context.make("Shelf", "one")
            let two = stack.context.make("Shelf", "two")
            one.setValue(NSOrderedSet(array: [books[2], books[0], books[1]]), forKey: "items")
            two.setValue(NSOrderedSet(array: [books[1], books[2]]), forKey: "items")
            expectEqual(books[2].names("shelves"), ["one", "two"])
            try stack.context.save()
            try expectEqual(stored(stack, "items", of: "Shelf", "one"), ["c", "a", "b"])
            try expectEqual(stored(stack, "items", of: "Shelf", "two"), ["b", "c"])
            two.mutableOrderedSetValue(forKey: "items").insert(books[0], at: 1)
            books[2].mutableSetValue(forKey: "shelves").remove(one)
            try stack.context.save()
            try expectEqual(stored(stack, "items", of: "Shelf", "one"), ["a", "b"])
            try expectEqual(stored(stack, "items", of: "Shelf", "two"), ["b", "a", "c"])
        }
    }

    @Test("a deleted member leaves the order of the others", arguments: StoreKind.everyKind)
    func deleting(_ kind: StoreKind) throws {
        try withBook(kind, ["a", "b", "c", "d"]) { stack, book in
            stack.context.delete(book.ordered("chapters")[1])
            stack.context.processPendingChanges()
            expectEqual(book.names("chapters"), ["a", "c", "d"])
            try stack.context.save()
            try expectEqual(stored(stack), ["a", "c", "d"])
        }
    }

    @Test(
        "any sequence of edits gives the order that an array gives", arguments: StoreKind.everyKind, [UInt64(1), 2, 3])
    func random(_ kind: StoreKind, _ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try withBook(kind, ["0", "1", "2"]) { stack, book in
            var expected = ["0", "1", "2"]
            var next = 3
            for _ in 0..<120 {
                let set = book.mutableOrderedSetValue(forKey: "chapters")
                switch Int.random(in: 0..<8, using: &generator) {
                case 0, 1, 2:
                    let place = Int.random(in: 0...expected.count, using: &generator)
                    expected.insert("\(next)", at: place)
                    set.insert(stack.context.make("Chapter", "\(next)"), at: place)
                    next += 1
                case 3 where !expected.isEmpty:
                    let place = Int.random(in: 0..<expected.count, using: &generator)
                    expected.remove(at: place)
                    set.removeObject(at: place)
                case 4 where expected.count > 1:
                    let from = Int.random(in: 0..<expected.count, using: &generator)
                    let to = Int.random(in: 0..<expected.count, using: &generator)
                    expected.swapAt(from, to)
                    set.exchangeObject(at: from, withObjectAt: to)
                case 5:
                    expected.shuffle(using: &generator)
                    let objects = Dictionary(
                        uniqueKeysWithValues: book.ordered("chapters").map { ($0.text("name")!, $0) })
                    book.setValue(NSOrderedSet(array: expected.map { objects[$0]! }), forKey: "chapters")
                case 6:
                    try stack.context.save()
                    try expectEqual(stored(stack), expected, "seed \(seed)")
                default:
                    stack.context.make("Chapter", "\(next)", ["book": book])
                    expected.append("\(next)")
                    next += 1
                }
                expectEqual(book.names("chapters"), expected, "seed \(seed)")
            }
        }
    }

    @Test("both sides of many to many may be ordered", arguments: StoreKind.everyKind)
    func bothSides(_ kind: StoreKind) throws {
        let left = entity("Left")
        let right = entity("Right")
        let rights = toMany("rights", right, ordered: true)
        let lefts = toMany("lefts", left, ordered: true)
        pair(rights, lefts)
        left.properties = [attribute("name", .stringAttributeType), rights]
        right.properties = [attribute("name", .stringAttributeType), lefts]
        try withStack(kind, model: model([left, right])) { stack in
            let lefts = ["a", "b", "c"].map { stack.context.make("Left", $0) }
            let rights = ["1", "2", "3"].map { stack.context.make("Right", $0) }
            lefts[0].setValue(NSOrderedSet(array: [rights[2], rights[0], rights[1]]), forKey: "rights")
            rights[0].setValue(NSOrderedSet(array: [lefts[1], lefts[0], lefts[2]]), forKey: "lefts")
            try stack.context.save()
            try expectEqual(stored(stack, "rights", of: "Left", "a"), ["3", "1", "2"])
            try expectEqual(stored(stack, "lefts", of: "Right", "1"), ["b", "a", "c"])
            lefts[0].mutableOrderedSetValue(forKey: "rights").removeObject(at: 1)
            try stack.context.save()
            try expectEqual(stored(stack, "rights", of: "Left", "a"), ["3", "2"])
            try expectEqual(stored(stack, "lefts", of: "Right", "1"), ["b", "c"])
        }
    }

    @Test("a relationship to itself may be ordered", arguments: StoreKind.everyKind)
    func reflexive(_ kind: StoreKind) throws {
        let node = entity("Node")
        let children = toMany("children", node, ordered: true)
        let parent = toOne("parent", node)
        let links = toMany("links", node, ordered: true)
        pair(children, parent)
        links.inverseRelationship = links
        node.properties = [attribute("name", .stringAttributeType), children, parent, links]
        try withStack(kind, model: model([node])) { stack in
            let nodes = ["a", "b", "c", "d"].map { stack.context.make("Node", $0) }
            nodes[0].setValue(NSOrderedSet(array: [nodes[3], nodes[1], nodes[2]]), forKey: "children")
            nodes[1].setValue(NSOrderedSet(array: [nodes[2], nodes[3], nodes[0]]), forKey: "links")
            #expect(nodes[3].object("parent") === nodes[0])
            expectEqual(nodes[3].names("links"), ["b"])
            try stack.context.save()
            try expectEqual(stored(stack, "children", of: "Node", "a"), ["d", "b", "c"])
            try expectEqual(stored(stack, "links", of: "Node", "b"), ["c", "d", "a"])
            try expectEqual(stored(stack, "links", of: "Node", "a"), ["b"])
        }
    }
}
