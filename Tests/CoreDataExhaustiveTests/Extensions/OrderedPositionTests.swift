import CoreData
import Testing

@Suite("Positions of ordered relationships in a SQLite store")
struct OrderedPositionTests {
    private let count = 200

    private func withBook(_ body: (TestStack, NSManagedObject) throws -> Void) throws {
        try withStack(.sqlite) { stack in
            let book = stack.context.make("Book", "Emma")
            book.setValue(
                NSOrderedSet(array: (0..<count).map { stack.context.make("Chapter", "\($0)") }), forKey: "chapters")
            try stack.context.save()
            try body(stack, book)
        }
    }

    private func positions(_ stack: TestStack) throws -> [Int64: Int64] {
        let rows = try SQLiteFile(stack.url).rows("SELECT Z_PK, Z_FOK_BOOK FROM ZCHAPTER")
        return Dictionary(
            uniqueKeysWithValues: rows.map { ($0["Z_PK"]?.integer ?? 0, $0["Z_FOK_BOOK"]?.integer ?? -1) })
    }

    private func stored(_ stack: TestStack) throws -> [String] {
        var names: [String] = []
        try inFreshContext(stack) { names = try $0.one("Book", "Emma").names("chapters") }
        return names
    }

    /// How many rows a change and its save write.
    private func writtenRows(_ stack: TestStack, _ change: () -> Void) throws -> Int {
        let before = try positions(stack)
        change()
        try stack.context.save()
        return try positions(stack).count { before[$0.key] != $0.value }
    }

    @Test("a move writes one row")
    func move() throws {
        try withBook { stack, book in
            let set = book.mutableOrderedSetValue(forKey: "chapters")
            try expectEqual(writtenRows(stack) { set.moveObjects(at: [150], to: 20) }, 1)
            try expectEqual(writtenRows(stack) { set.moveObjects(at: [0], to: 199) }, 1)
            try expectEqual(writtenRows(stack) { set.exchangeObject(at: 10, withObjectAt: 100) }, 2)
            try expectEqual(stored(stack), book.names("chapters"))
        }
    }

    @Test("a member that is removed by the set leaves the place to those that follow it")
    func removal() throws {
        try withBook { stack, book in
            let set = book.mutableOrderedSetValue(forKey: "chapters")
            let member = set.object(at: 150)
            expectEqual(set.index(of: member), 150)
            try expectEqual(writtenRows(stack) { set.remove(member) }, 1)
            expectEqual(set.index(of: member), NSNotFound)
            expectEqual(set.count, 199)
            #expect(!set.contains(member))
            try expectEqual(stored(stack), book.names("chapters"))
            expectEqual(book.names("chapters"), (0..<200).map(String.init).filter { $0 != "150" })
            set.remove(member)
            expectEqual(set.count, 199)
            expectFalse(book.hasChanges)
        }
    }

    @Test("a saved deletion of the owner lets go of the members of its mutable ordered set")
    func ownerDeletion() throws {
        try withBook { stack, book in
            weak var member: NSManagedObject?
            func deleteBook() throws {
                let set = book.mutableOrderedSetValue(forKey: "chapters")
                set.moveObjects(at: [150], to: 20)
                member = set.object(at: 20) as? NSManagedObject
                #expect(member != nil)
                try stack.context.save()
                stack.context.delete(book)
                try stack.context.save()
            }
            try deleteBook()
            expectEqual(member, nil)
        }
    }

    @Test("moves to one place write few rows on average", arguments: [0, 100, 199])
    func moves(to target: Int) throws {
        try withBook { stack, book in
            var written = 0
            for step in 0..<60 {
                let set = book.mutableOrderedSetValue(forKey: "chapters")
                written += try writtenRows(stack) { set.moveObjects(at: [(step * 37 + 50) % count], to: target) }
            }
            #expect(written < 60 * 4)
            try expectEqual(stored(stack), book.names("chapters"))
        }
    }

    @Test("after changes at random the store has the order", arguments: 0..<4)
    func random(_ number: Int) throws {
        let seed = TestRun.seed(for: "ordered positions")
        var random = SeededGenerator(seed: seed)
        try withBook { stack, book in
            for _ in 0..<25 {
                let set = book.mutableOrderedSetValue(forKey: "chapters")
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<set.count, using: &random)
                    let other = Int.random(in: 0..<set.count, using: &random)
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: set.moveObjects(at: [index], to: other)
                    case 1: set.exchangeObject(at: index, withObjectAt: other)
                    case 2: set.insert(stack.context.make("Chapter", "new"), at: index)
                    case 3:
                        let member = set.object(at: index)
                        set.removeObject(at: index)
                        set.insert(member, at: min(other, set.count))
                    default: set.removeObject(at: index)
                    }
                    try checkInvariants(of: stack.context)
                }
                try stack.context.save()
                try checkInvariants(of: stack.context)
                try expectEqual(stored(stack), book.names("chapters"), "seed \(seed)")
            }
        }
    }
}
