import CoreData
import Testing

/// Costs that must grow as the number of objects does, not as its square.
@Suite("Large relationships", .serialized)
struct LargeRelationshipTests {
    private static let size = TestRun.quick(1000, long: 3000)

    /// How much longer a piece of work takes on twice the number of objects: about 2 if it is linear, 4 if it is
    /// quadratic.
    private func growth(_ work: (Int) throws -> Void) rethrows -> Double {
        try TestRun.growth(upTo: Self.size * 2, factor: 2, below: 3, work)
    }

    /// An owner and members, new or saved and fetched again without what relates them.
    private func withMembers(
        _ count: Int, _ owner: String, _ key: String, _ member: String, isSaved: Bool = false, areRelated: Bool,
        _ body: (NSManagedObjectContext, NSManagedObject, [NSManagedObject]) throws -> Void
    ) throws {
        try withStack(.memory) { stack in
            let object = stack.context.make(owner, "owner")
            let members = (0..<count).map { _ in stack.context.make(member) }
            if areRelated {
                object.setValue(
                    owner == "Author" || key == "tags" ? NSSet(array: members) : NSOrderedSet(array: members),
                    forKey: key)
            }
            guard isSaved else { return try body(stack.context, object, members) }
            try stack.context.save()
            try inFreshContext(stack) { try body($0, try $0.one(owner, "owner"), try $0.all(member, "name == nil")) }
        }
    }

    @Test("adding one by one, reading count and members of the mutable set in between", arguments: [true, false])
    func adding(_ isSaved: Bool) throws {
        let growth = try growth { count in
            try withMembers(count, "Author", "books", "Book", isSaved: isSaved, areRelated: false) {
                _, owner, members in
                let set = owner.mutableSetValue(forKey: "books")
                for (index, member) in members.enumerated() {
                    set.add(member)
                    if set.count != index + 1 || !set.contains(member) || set.anyObject() == nil {
                        throw TestFailure("\(index)")
                    }
                }
            }
        }
        #expect(growth < 3)
    }

    @Test("joining from the to-one side, ordered and not", arguments: ["books", "chapters"])
    func joining(_ key: String) throws {
        let (owner, member, inverse) = key == "books" ? ("Author", "Book", "author") : ("Book", "Chapter", "book")
        let growth = try growth { count in
            try withMembers(count, owner, key, member, areRelated: false) { _, owner, members in
                for member in members { member.setValue(owner, forKey: inverse) }
                if (owner.value(forKeyPath: "\(key).@count") as? NSNumber)?.intValue != count {
                    throw TestFailure("lost members")
                }
            }
        }
        #expect(growth < 3)
    }

    @Test("leaving an ordered relationship, one by one, the first or the last first", arguments: [true, false])
    func leaving(_ isFirstFirst: Bool) throws {
        let growth = try growth { count in
            try withMembers(count, "Book", "chapters", "Chapter", areRelated: true) { _, owner, members in
                for member in isFirstFirst ? members : members.reversed() { member.setValue(nil, forKey: "book") }
                if !owner.ordered("chapters").isEmpty { throw TestFailure("members left") }
            }
        }
        #expect(growth < 3)
    }

    @Test(
        "deleting an owner with all members, by cascade and by nullify, ordered and not",
        arguments: ["books", "chapters", "tags"], [true, false])
    func deleting(_ key: String, _ isSaved: Bool) throws {
        let (owner, member) = key == "books" ? ("Author", "Book") : ("Book", key == "tags" ? "Tag" : "Chapter")
        let growth = try growth { count in
            try withMembers(count, owner, key, member, isSaved: isSaved, areRelated: true) { context, owner, members in
                context.delete(owner)
                try context.save()
                if try context.all(member).count != (key == "tags" ? count : 0) { throw TestFailure("members left") }
            }
        }
        #expect(growth < 3)
    }

    @Test("deleting all members, each an event", arguments: ["books", "chapters"])
    func deletingMembers(_ key: String) throws {
        let (owner, member) = key == "books" ? ("Author", "Book") : ("Book", "Chapter")
        let growth = try growth { count in
            try withMembers(count, owner, key, member, isSaved: true, areRelated: true) { context, owner, members in
                for member in members {
                    context.delete(member)
                    context.processPendingChanges()
                }
                try context.save()
                if !owner.names(key).isEmpty { throw TestFailure("members left") }
            }
        }
        #expect(growth < 3)
    }
}
