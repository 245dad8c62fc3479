import CoreData
import Testing

@Suite("Relationships and their inverses")
struct InverseTests {
    @Test("one to many: the to-one side keeps the set", arguments: StoreKind.everyKind)
    func toOneSide(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let jane = context.make("Author", "Jane")
            let walter = context.make("Author", "Walter")
            let emma = context.make("Book", "Emma", ["author": jane])
            expectEqual(jane.objects("books"), [emma])
            emma.setValue(walter, forKey: "author")
            expectEmpty(jane.objects("books"))
            expectEqual(walter.objects("books"), [emma])
            try context.save()
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Author", "Walter").names("books"), ["Emma"])
                try expectEmpty(context.one("Author", "Jane").objects("books"))
            }
            emma.setValue(nil, forKey: "author")
            expectEmpty(walter.objects("books"))
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Book", "Emma").object("author"), nil) }
        }
    }

    @Test(
        "one to many: adding, removing and replacing in the set keeps the to-one side", arguments: StoreKind.everyKind)
    func setSide(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let jane = context.make("Author", "Jane")
            let walter = context.make("Author", "Walter")
            let books = ["A", "B", "C", "D"].map { context.make("Book", $0) }
            let set = jane.mutableSetValue(forKey: "books")
            set.add(books[0])
            set.addObjects(from: [books[1], books[2]])
            expectEqual(books.map { $0.object("author") === jane }, [true, true, true, false])
            set.remove(books[1])
            expectEqual(books[1].object("author"), nil)
            expectEqual(set.count, 2)
            walter.setValue(NSSet(array: [books[0], books[3]]), forKey: "books")
            #expect(books[0].object("author") === walter)
            expectEqual(jane.objects("books"), [books[2]])
            try context.save()
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Author", "Jane").names("books"), ["C"])
                try expectEqual(context.one("Author", "Walter").names("books"), ["A", "D"])
                let other = try context.one("Author", "Jane")
                other.mutableSetValue(forKey: "books").removeAllObjects()
                try context.one("Author", "Walter").mutableSetValue(forKey: "books").union([
                    try context.one("Book", "B")
                ])
                try context.save()
            }
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Author", "Jane").names("books"), [])
                try expectEqual(context.one("Author", "Walter").names("books"), ["A", "B", "D"])
                try expectEqual(context.one("Book", "C").object("author"), nil)
            }
        }
    }

    @Test("a mutable set answers like a set and follows the relationship", arguments: StoreKind.everyKind)
    func mutableSet(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let jane = context.make("Author", "Jane")
            let books = ["A", "B", "C"].map { context.make("Book", $0) }
            let set = jane.mutableSetValue(forKey: "books")
            books[0].setValue(jane, forKey: "author")
            expectEqual(set.count, 1)
            #expect(set.contains(books[0]))
            #expect(!set.contains(books[1]))
            #expect(set.anyObject() as? NSManagedObject === books[0])
            set.union([books[0], books[1], books[2]])
            expectEqual(jane.objects("books"), Set(books))
            #expect(books[2].object("author") === jane)
            set.minus([books[0]])
            set.intersect([books[1]])
            expectEqual(jane.objects("books"), [books[1]])
            expectEqual(books[2].object("author"), nil)
            set.setSet([books[2]])
            expectEqual(jane.objects("books"), [books[2]])
            #expect(set.allObjects as? [NSManagedObject] == [books[2]])
            set.filter(using: NSPredicate(format: "name == 'X'"))
            expectEmpty(jane.objects("books"))
            #expect(books.allSatisfy { $0.object("author") == nil })
        }
    }

    @Test("one to one: the newcomer takes the place of both old partners", arguments: StoreKind.everyKind)
    func oneToOne(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let books = ["A", "B"].map { context.make("Book", $0) }
            let covers = ["a", "b"].map { context.make("Cover", $0) }
            books[0].setValue(covers[0], forKey: "cover")
            covers[1].setValue(books[1], forKey: "book")
            #expect(covers[0].object("book") === books[0])
            #expect(books[1].object("cover") === covers[1])
            try context.save()
            books[0].setValue(covers[1], forKey: "cover")
            #expect(covers[1].object("book") === books[0])
            expectEqual(books[1].object("cover"), nil)
            expectEqual(covers[0].object("book"), nil)
            try context.save()
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Book", "A").object("cover")?.text("name"), "b")
                try expectEqual(context.one("Book", "B").object("cover"), nil)
                try expectEqual(context.one("Cover", "a").object("book"), nil)
            }
        }
    }

    @Test("many to many: both sides see a change of either", arguments: StoreKind.everyKind)
    func manyToMany(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let books = ["A", "B"].map { context.make("Book", $0) }
            let tags = ["x", "y"].map { context.make("Tag", $0) }
            books[0].mutableSetValue(forKey: "tags").addObjects(from: tags)
            tags[0].mutableSetValue(forKey: "books").add(books[1])
            expectEqual(tags[0].objects("books"), Set(books))
            expectEqual(tags[1].objects("books"), [books[0]])
            expectEqual(books[1].objects("tags"), [tags[0]])
            try context.save()
            try inFreshContext(stack) { context in
                let a = try context.one("Book", "A")
                let x = try context.one("Tag", "x")
                expectEqual(a.names("tags"), ["x", "y"])
                expectEqual(x.names("books"), ["A", "B"])
                x.mutableSetValue(forKey: "books").remove(a)
                expectEqual(a.names("tags"), ["y"])
                try context.save()
            }
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Book", "A").names("tags"), ["y"])
                try expectEqual(context.one("Tag", "x").names("books"), ["B"])
                try expectEqual(context.one("Tag", "y").names("books"), ["A"])
            }
        }
    }

    @Test("many to many: adding what is there already, unseen, changes nothing", arguments: StoreKind.everyKind)
    func addingTwice(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let a = stack.context.make("Book", "A")
            let x = stack.context.make("Tag", "x")
            a.mutableSetValue(forKey: "tags").add(x)
            try stack.context.save()
            try inFreshContext(stack) { context in
                let a = try context.one("Book", "A")
                let x = try context.one("Tag", "x")
                a.mutableSetValue(forKey: "tags").add(x)
                expectEqual(a.names("tags"), ["x"])
                expectEqual(x.names("books"), ["A"])
                #expect(a.committedValues(forKeys: ["tags"])["tags"] as? Set<NSManagedObject> == [x])
                context.rollback()
                expectEqual(a.names("tags"), ["x"])
                expectEqual(x.names("books"), ["A"])
                a.mutableSetValue(forKey: "tags").add(x)
                try context.save()
            }
            try inFreshContext(stack) { try expectEqual($0.one("Tag", "x").names("books"), ["A"]) }
        }
    }

    @Test("many to many to itself: friendship goes both ways", arguments: StoreKind.everyKind)
    func friends(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let people = [context.make("Author", "a"), context.make("Reader", "b"), context.make("Reader", "c")]
            people[0].mutableSetValue(forKey: "friends").addObjects(from: [people[1], people[2], people[0]])
            expectEqual(people[1].objects("friends"), [people[0]])
            expectEqual(people[0].objects("friends"), Set(people))
            try context.save()
            try inFreshContext(stack) { context in
                let a = try context.one("Person", "a")
                let b = try context.one("Person", "b")
                expectEqual(a.names("friends"), ["a", "b", "c"])
                expectEqual(b.names("friends"), ["a"])
                b.mutableSetValue(forKey: "friends").remove(a)
                a.mutableSetValue(forKey: "friends").remove(a)
                expectEqual(a.names("friends"), ["c"])
                try context.save()
            }
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Person", "a").names("friends"), ["c"])
                try expectEqual(context.one("Person", "b").names("friends"), [])
            }
        }
    }

    @Test("one to one to itself: a new marriage ends both old ones", arguments: StoreKind.everyKind)
    func spouses(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let people = ["a", "b", "c", "d"].map { context.make("Reader", $0) }
            people[0].setValue(people[1], forKey: "spouse")
            people[2].setValue(people[3], forKey: "spouse")
            #expect(people[1].object("spouse") === people[0])
            #expect(people[3].object("spouse") === people[2])
            try context.save()
            people[1].setValue(people[2], forKey: "spouse")
            expectEqual(people.map { $0.object("spouse")?.text("name") }, [nil, "c", "b", nil])
            try context.save()
            try inFreshContext(stack) { context in
                let names = try ["a", "b", "c", "d"].map {
                    try context.one("Person", $0).object("spouse")?.text("name")
                }
                expectEqual(names, [nil, "c", "b", nil])
            }
            people[3].setValue(people[3], forKey: "spouse")
            #expect(people[3].object("spouse") === people[3])
            people[3].setValue(nil, forKey: "spouse")
            expectEqual(people[3].object("spouse"), nil)
        }
    }

    @Test("one to many within one hierarchy: mentors and pupils of several entities", arguments: StoreKind.everyKind)
    func mentors(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let a = context.make("Author", "a")
            let b = context.make("Reader", "b")
            let c = context.make("Author", "c")
            a.mutableSetValue(forKey: "pupils").addObjects(from: [b, c])
            b.setValue(b, forKey: "mentor")
            expectEqual(a.names("pupils"), ["c"])
            expectEqual(b.names("pupils"), ["b"])
            try context.save()
            try inFreshContext(stack) { context in
                let a = try context.one("Person", "a")
                expectEqual(a.names("pupils"), ["c"])
                expectEqual(a.objects("pupils").first?.entity.name, "Author")
                try expectEqual(context.one("Person", "b").object("mentor")?.entity.name, "Reader")
            }
        }
    }

    @Test("relationships without inverse keep to their own side", arguments: StoreKind.everyKind)
    func withoutInverse(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let ann = context.make("Reader", "Ann")
            let books = [context.make("Book", "A"), context.make("Novel", "B"), context.make("Book", "C")]
            ann.setValue(books[0], forKey: "favourite")
            ann.mutableSetValue(forKey: "wishes").addObjects(from: [books[0], books[1]])
            try context.save()
            #expect(books.allSatisfy { !$0.hasChanges })
            try inFreshContext(stack) { context in
                let ann = try context.one("Reader", "Ann")
                expectEqual(ann.object("favourite")?.text("name"), "A")
                expectEqual(ann.names("wishes"), ["A", "B"])
                ann.mutableSetValue(forKey: "wishes").remove(try context.one("Book", "A"))
                ann.mutableSetValue(forKey: "wishes").add(try context.one("Book", "C"))
                try context.save()
            }
            try inFreshContext(stack) { try expectEqual($0.one("Reader", "Ann").names("wishes"), ["B", "C"]) }
        }
    }

    @Test("a deleted object leaves sets that have no inverse", arguments: StoreKind.everyKind)
    func deletedWithoutInverse(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let ann = stack.context.make("Reader", "Ann")
            let a = stack.context.make("Book", "A")
            let b = stack.context.make("Book", "B")
            ann.mutableSetValue(forKey: "wishes").addObjects(from: [a, b])
            try stack.context.save()
            try inFreshContext(stack) { context in
                context.delete(try context.one("Book", "A"))
                try context.save()
            }
            try inFreshContext(stack) { try expectEqual($0.one("Reader", "Ann").names("wishes"), ["B"]) }
        }
    }

    @Test("a new object in relation to saved ones is seen before and after the save", arguments: StoreKind.everyKind)
    func newAndSaved(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let jane = stack.context.make("Author", "Jane")
            stack.context.make("Book", "A", ["author": jane])
            try stack.context.save()
            try inFreshContext(stack) { context in
                // The set is not loaded when the new book joins it.
                let jane = try context.one("Author", "Jane")
                context.make("Book", "B", ["author": jane])
                expectEqual(jane.names("books"), ["A", "B"])
                context.make("Book", "C", ["author": jane])
                expectEqual(jane.names("books"), ["A", "B", "C"])
                try context.save()
                expectEqual(jane.names("books"), ["A", "B", "C"])
                expectFalse(jane.hasChanges)
                context.refreshAllObjects()
                expectEqual(jane.names("books"), ["A", "B", "C"])
            }
        }
    }

    @Test("the faults and IDs of a relationship can be asked for", arguments: StoreKind.everyKind)
    func relationshipFaults(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let jane = stack.context.make("Author", "Jane")
            let book = stack.context.make("Book", "A", ["author": jane])
            try stack.context.save()
            try inFreshContext(stack) { context in
                let jane = try context.one("Author", "Jane")
                expectTrue(jane.hasFault(forRelationshipNamed: "books"))
                expectEqual(jane.objectIDs(forRelationshipNamed: "books"), [book.objectID])
                expectEqual(jane.objects("books").count, 1)
                expectFalse(jane.hasFault(forRelationshipNamed: "books"))
            }
        }
    }

    @Test("a save with cycles of new objects keeps every link", arguments: StoreKind.everyKind)
    func cycles(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let a = stack.context.make("Reader", "a")
            let b = stack.context.make("Author", "b")
            a.setValue(b, forKey: "mentor")
            b.setValue(a, forKey: "mentor")
            a.setValue(b, forKey: "spouse")
            a.mutableSetValue(forKey: "friends").add(b)
            try stack.context.save()
            try inFreshContext(stack) { context in
                let a = try context.one("Person", "a")
                let b = try context.one("Person", "b")
                #expect(a.object("mentor") === b)
                #expect(b.object("mentor") === a)
                #expect(a.object("spouse") === b)
                #expect(b.object("spouse") === a)
                expectEqual(a.names("friends"), ["b"])
                expectEqual(a.names("pupils"), ["b"])
            }
        }
    }
}
