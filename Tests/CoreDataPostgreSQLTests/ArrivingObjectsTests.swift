import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Objects that are made while the server still sends further rows: more than a buffer of rows has.
@Suite("Objects of many rows", .enabled(if: TestServer.isPresent))
struct ArrivingObjectsTests {
    private static let names = (10_000..<12_500).map { "\($0)" }

    /// A store with tags.
    ///
    /// - Parameter suffix: the end of their names.
    private func stack(_ options: [AnyHashable: Any] = [:], suffix: String = "") throws -> TestStack {
        let stack = try TestStack(.postgresql, options: options)
        let context = stack.newContext()
        try on(context) {
            for name in Self.names { context.make("Tag", name + suffix) }
            try context.save()
        }
        return stack
    }

    private func request(_ predicate: NSPredicate? = nil, faults: Bool = true) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.predicate = predicate
        request.returnsObjectsAsFaults = faults
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    @Test("are registered, and the next fetch returns them", arguments: [true, false])
    func uniqued(faults: Bool) throws {
        let stack = try stack()
        for predicate in [nil, NSPredicate(format: "name > '0'")] {
            let context = stack.newContext()
            try on(context) {
                let first = try context.fetch(request(predicate, faults: faults))
                #expect(first.allSatisfy { $0.isFault == faults && $0.managedObjectContext === context })
                expectEqual(first.map { $0.text("name") }, Self.names)
                let second = try context.fetch(request(predicate))
                let areSame = first.elementsEqual(second, by: ===)
                expectTrue(areSame)
                expectEqual(context.registeredObjects.count, Self.names.count)
            }
        }
    }

    @Test("come in the same order with one connection and in a pinned context", arguments: [true, false])
    func otherSources(isPinned: Bool) throws {
        let stack = try stack([NSPostgreSQLPoolSizeOption: isPinned ? 3 : 1])
        let context = stack.newContext()
        try on(context) {
            if isPinned { try context.setQueryGenerationFrom(.current) }
            try expectEqual(context.fetch(request()).map { $0.text("name") }, Self.names)
        }
    }

    @Test("belong to one object each beside changed and registered ones")
    func changes() throws {
        let stack = try stack()
        let context = stack.newContext()
        try on(context) {
            let some = try context.fetch(request(NSPredicate(format: "name < '10010'")))
            expectEqual(some.count, 10)
            some[3].setValue("0", forKey: "name")
            let all = try context.fetch(request())
            try #require(all.count == Self.names.count)
            #expect(all[0] === some[3])
            expectEqual(Set(all).count, Self.names.count)
        }
    }

    @Test("are made once where the server can't evaluate the predicate")
    func evaluated() throws {
        let stack = try stack()
        let context = stack.newContext()
        try on(context) {
            let found = try context.fetch(request(NSPredicate(format: "name MATCHES '1.*[0-4]'")))
            expectEqual(found.map { $0.text("name") }, Self.names.filter { "01234".contains($0.suffix(1)) })
            expectEqual(context.registeredObjects.count, found.count)
        }
    }

    @Test("are made after the connection was lost")
    func lostConnection() throws {
        let stack = try stack()
        let store = try requireValue(stack.store as? PostgreSQLStore).database
        let process = try store.read { $0.connection.backendProcess }
        _ = try TestServer.connect().execute("SELECT pg_terminate_backend(\(process))")
        let context = stack.newContext()
        try on(context) {
            let found = try context.fetch(request())
            expectEqual(found.map { $0.text("name") }, Self.names)
            expectEqual(context.registeredObjects.count, found.count)
        }
    }

    @Test("are made once where the connection is lost while rows come", arguments: [true, false])
    func lostWhileReading(isCopied: Bool) throws {
        // More than the buffers of a socket hold.
        let suffix = String(repeating: "x", count: 6000)
        let stack = try stack(suffix: suffix)
        let store = try requireValue(stack.store as? PostgreSQLStore).database
        let process = try store.read { $0.connection.backendProcess }
        let signals = Signals()
        let context = stack.newContext()
        try on(context) {
            let control = FetchControl { count in
                if count == 0 { signals.add("first row") }
                guard count > 600, signals.all == ["first row"] else { return }
                signals.add("lost")
                if let connection = try? TestServer.connect() { try? TestServer.terminate(process, by: connection) }
            }
            let found = try FetchControl.withCurrent(control) {
                try context.fetch(request(isCopied ? nil : NSPredicate(format: "name > '0'")))
            }
            expectEqual(signals.all, ["first row", "lost", "first row"])
            expectEqual(found.map { $0.text("name") }, Self.names.map { $0 + suffix })
            expectEqual(context.registeredObjects.count, found.count)
        }
    }
}
