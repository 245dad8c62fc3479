import CoreData
import Testing

/// An object that is inserted once more after its deletion was saved has another key than before.
@Suite("Members that are inserted again")
struct ReinsertedMemberTests {
    /// The number of members from which on they are found by their keys.
    private static let count = 40

    @Test("other members are still removed, and the object can be a member again", arguments: StoreKind.allCases)
    func removing(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        try on(stack.context) {
            let book = stack.context.make("Book", "b")
            let tags = (0..<Self.count).map { stack.context.make("Tag", "\($0)") }
            book.setValue(Set(tags), forKey: "tags")
            try stack.context.save()
            expectEqual(book.objects("tags").count, Self.count)
            stack.context.delete(tags[20])
            try stack.context.save()
            stack.context.insert(tags[20])
            let members = book.mutableSetValue(forKey: "tags")
            members.remove(tags[5])
            expectEqual(members.count, Self.count - 2)
            members.add(tags[20])
            #expect(members.contains(tags[20]))
            expectEqual(members.count, Self.count - 1)
            try stack.context.save()
        }
        try inFreshContext(stack) { context in
            let names = try context.one("Book", "b").names("tags")
            expectEqual(names.count, Self.count - 1)
            #expect(!names.contains("5"))
            expectContains(names, "20")
        }
    }
}
