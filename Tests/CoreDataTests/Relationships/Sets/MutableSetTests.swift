import CoreData
import Testing

@Suite("Mutable sets of relationships")
struct MutableSetTests {
    /// One thing that such a set can do, told on the set and objects of which the first are in it.
    private struct Change {
        let name: String
        let make: (NSMutableSet, [NSManagedObject]) -> Void

        init(_ name: String, _ make: @escaping (NSMutableSet, [NSManagedObject]) -> Void) {
            self.name = name
            self.make = make
        }
    }

    /// The operations of a set, on four objects, of which the first two are in it.
    private static var changes: [Change] {
        [
            Change("add") { set, objects in set.add(objects[2]) },
            Change("add a member") { set, objects in set.add(objects[0]) },
            Change("remove") { set, objects in set.remove(objects[0]) },
            Change("remove no member") { set, objects in set.remove(objects[3]) },
            Change("addObjects") { set, objects in set.addObjects(from: [objects[1], objects[2], objects[3]]) },
            Change("removeAllObjects") { set, _ in set.removeAllObjects() },
            Change("union") { set, objects in set.union([objects[0], objects[3]]) },
            Change("minus") { set, objects in set.minus([objects[1], objects[2]]) },
            Change("intersect") { set, objects in set.intersect([objects[1], objects[2]]) },
            Change("setSet") { set, objects in set.setSet([objects[1], objects[3]]) },
            Change("setSet to nothing") { set, _ in set.setSet([]) },
            Change("filter") { set, _ in set.filter(using: NSPredicate(format: "name == 'B'")) },
            Change("add and remove") { set, objects in
                set.add(objects[2])
                set.remove(objects[2])
            },
            Change("remove and add") { set, objects in
                set.remove(objects[0])
                set.add(objects[0])
            },
        ]
    }

    @Test(
        "every change is that of a plain set, and reaches the other side and the store", arguments: StoreKind.allCases,
        ["books", "tags"])
    func changes(_ kind: StoreKind, _ key: String) throws {
        for change in Self.changes {
            let name = change.name
            try withStack(kind) { stack in
                let owner = stack.context.make(key == "books" ? "Author" : "Book", "owner")
                let members = ["A", "B", "C", "D"].map { stack.context.make(key == "books" ? "Book" : "Tag", $0) }
                owner.mutableSetValue(forKey: key).addObjects(from: [members[0], members[1]])
                try stack.context.save()
                stack.context.refreshAllObjects()
                let plain = NSMutableSet(array: [members[0], members[1]])
                change.make(plain, members)
                let set = owner.mutableSetValue(forKey: key)
                change.make(set, members)
                let expected = Set(plain.allObjects.map { ($0 as! NSManagedObject).text("name")! })
                expectTrue(set.isEqual(to: plain as! Set<AnyHashable>), "\(name)")
                expectEqual(set.count, plain.count, "\(name)")
                expectEqual(Set(owner.names(key)), expected, "\(name)")
                for member in members {
                    let isRelated =
                        key == "books" ? member.object("author") === owner : member.objects("books") == [owner]
                    expectEqual(isRelated, expected.contains(member.text("name")!), "\(name)")
                }
                try stack.context.save()
                try inFreshContext(stack) {
                    try expectEqual(
                        Set($0.one(key == "books" ? "Author" : "Book", "owner").names(key)), expected, "\(name)")
                }
            }
        }
    }

    @Test("a mutable set answers as the relationship is now, whoever has changed it", arguments: StoreKind.allCases)
    func live(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let jane = stack.context.make("Author", "Jane")
            let books = ["A", "B", "C"].map { stack.context.make("Book", $0) }
            let set = jane.mutableSetValue(forKey: "books")
            let other = jane.mutableSetValue(forKey: "books")
            #expect(set.anyObject() == nil)
            expectEmpty(set.allObjects)
            books[0].setValue(jane, forKey: "author")
            other.add(books[1])
            expectEqual(set.count, 2)
            #expect(set.contains(books[0]))
            #expect(set.contains(books[1]))
            #expect(!set.contains(books[2]))
            expectEqual(Set(set.allObjects.map { ($0 as! NSManagedObject).text("name")! }), ["A", "B"])
            expectTrue(set.isSubset(of: Set(books)))
            expectTrue(set.intersects([books[0]]))
            #expect(set.member(books[2]) == nil)
            var seen: Set<String> = []
            for case let book as NSManagedObject in set { seen.insert(book.text("name")!) }
            set.enumerateObjects { book, _ in seen.insert((book as! NSManagedObject).text("name")! + "!") }
            expectEqual(seen, ["A", "B", "A!", "B!"])
            let copy = set.copy() as? NSSet
            let mutableCopy = set.mutableCopy() as? NSMutableSet
            stack.context.delete(books[0])
            stack.context.processPendingChanges()
            mutableCopy?.removeAllObjects()
            expectEqual(set.count, 1)
            expectEqual(copy?.count, 2)
            expectEqual(jane.names("books"), ["B"])
        }
    }

    @Test(
        "a set may be changed while it is gone through: the members are those of the beginning",
        arguments: StoreKind.allCases)
    func changedWhileEnumerating(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let jane = stack.context.make("Author", "Jane")
            for name in ["A", "B", "C"] { stack.context.make("Book", name, ["author": jane]) }
            let set = jane.mutableSetValue(forKey: "books")
            var seen: [String] = []
            for case let book as NSManagedObject in set {
                seen.append(book.text("name")!)
                set.remove(book)
                set.add(stack.context.make("Book", "new"))
            }
            expectEqual(seen.sorted(), ["A", "B", "C"])
            expectEqual(jane.names("books"), ["new", "new", "new"])
        }
    }

    @Test("the value of a relationship is a set as of now: it doesn't follow", arguments: StoreKind.allCases)
    func value(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "A")
            let chapter = stack.context.make("Chapter", "1")
            let tag = stack.context.make("Tag", "x")
            let chapters = book.value(forKey: "chapters") as? NSOrderedSet
            let tags = book.value(forKey: "tags") as? NSSet
            chapter.setValue(book, forKey: "book")
            tag.mutableSetValue(forKey: "books").add(book)
            expectEqual(chapters?.count, 0)
            expectEqual(tags?.count, 0)
            expectEqual(book.names("chapters"), ["1"])
            expectEqual(book.names("tags"), ["x"])
        }
    }

    @Test("a to-many fault loads when its members are first asked for", arguments: StoreKind.allCases)
    func loading(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            stack.context.make("Book", "A", ["author": stack.context.make("Author", "Jane")])
            try stack.context.save()
            let uses: [(NSManagedObject) -> Bool] = [
                { $0.mutableSetValue(forKey: "books").count == 1 },
                { $0.mutableSetValue(forKey: "books").anyObject() != nil },
                { $0.mutableSetValue(forKey: "books").allObjects.count == 1 },
                { !$0.mutableSetValue(forKey: "books").contains($0) },
                { $0.objects("books").count == 1 },
                { ($0.value(forKeyPath: "books.@count") as? NSNumber)?.intValue == 1 },
            ]
            for (number, use) in uses.enumerated() {
                try inFreshContext(stack) { context in
                    let jane = try context.one("Author", "Jane")
                    let set = jane.mutableSetValue(forKey: "books")
                    expectTrue(jane.hasFault(forRelationshipNamed: "books"), "\(number)")
                    expectTrue(use(jane), "\(number)")
                    expectFalse(jane.hasFault(forRelationshipNamed: "books"), "\(number)")
                    expectEqual(set.count, 1, "\(number)")
                }
            }
        }
    }

    @Test("a set follows its owner through becoming a fault", arguments: StoreKind.allCases.without(.fileReadOnce))
    func refreshed(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "A")
            let tag = stack.context.make("Tag", "x")
            let chapter = stack.context.make("Chapter", "1")
            book.mutableSetValue(forKey: "tags").add(tag)
            book.mutableOrderedSetValue(forKey: "chapters").add(chapter)
            try stack.context.save()
            let tags = book.mutableSetValue(forKey: "tags")
            let chapters = book.mutableOrderedSetValue(forKey: "chapters")
            try inFreshContext(stack) { context in
                let book = try context.one("Book", "A")
                book.mutableSetValue(forKey: "tags").add(context.make("Tag", "y"))
                context.make("Chapter", "2", ["book": book])
                try context.save()
            }
            stack.context.refresh(book, mergeChanges: false)
            expectEqual(tags.count, 2)
            expectEqual(chapters.count, 2)
            chapters.add(stack.context.make("Chapter", "3"))
            expectEqual(book.names("chapters"), ["1", "2", "3"])
            expectEqual(chapters.array.count, 3)
        }
    }
}
