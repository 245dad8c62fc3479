import CoreData
import Testing

@Suite("Tokens of the history")
struct HistoryTokenTests {
    @Test("The coordinator's token is that of the newest transaction")
    func current() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            let first = try requireValue(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
            stack.context.make("Tag", "a")
            try stack.context.save()
            let second = try requireValue(stack.coordinator.currentPersistentHistoryToken(fromStores: [stack.store]))
            let newest = try stack.context.transactions().last?.token
            #expect(first != second)
            expectEqual(second, newest)
            try expectEqual(stack.context.transactions(after: first).count, 1)
            expectEmpty(try stack.context.transactions(after: second))
        }
    }

    @Test("The notification of a save has the token of its transaction")
    func tokenOfSave() throws {
        let stack = try TestStack.tracking()
        nonisolated(unsafe) var tokens: [NSPersistentHistoryToken?] = []
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil
        ) { tokens.append($0.userInfo?["newChangeToken"] as? NSPersistentHistoryToken) }
        defer { NotificationCenter.default.removeObserver(observer) }
        try on(stack.context) {
            stack.context.make("Tag", "a")
            try stack.context.save()
            expectEqual(tokens, [try stack.context.transactions().last?.token])
        }
    }

    @Test("Without a history there is no token")
    func none() throws {
        try expectEqual(TestStack(.tables).coordinator.currentPersistentHistoryToken(fromStores: nil), nil)
        try expectEqual(TestStack(.memory).coordinator.currentPersistentHistoryToken(fromStores: nil), nil)
    }

    @Test("A token survives its archive")
    func archive() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            stack.context.make("Tag", "a")
            try stack.context.save()
            let token = try requireValue(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
            try expectEqual(stack.context.transactions().map(\.ordinal), [1])
            let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
            expectEqual(read, token)
            expectEqual(read?.hash, token.hash)
            stack.context.make("Tag", "b")
            try stack.context.save()
            try expectEqual(stack.context.transactions(after: read).map(\.ordinal), [2])
        }
    }

    @Test("A token of another store is an error")
    func otherStore() throws {
        let (one, two) = (try TestStack.tracking(), try TestStack.tracking())
        let token = try requireValue(one.coordinator.currentPersistentHistoryToken(fromStores: nil))
        try on(two.context) {
            expectEqual(thrownError { _ = try two.context.transactions(after: token) }?.code, 134501)
        }
    }
}
