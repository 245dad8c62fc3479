import CoreData
import Testing

@Suite("Many writers on one store")
struct ConcurrentWritersTests {
    private static let writers = 8, rounds = 25, counters = 4

    private func counters(_ stack: TestStack) throws {
        try on(stack.context) {
            for index in 0..<Self.counters { stack.context.make("Book", "\(index)", ["pages": 0]) }
            try stack.context.save()
        }
    }

    private func total(_ stack: TestStack) throws -> Int64 {
        var total: Int64 = 0
        try inFreshContext(stack) { total = try $0.all("Book").reduce(0) { $0 + ($1.number("pages") ?? 0) } }
        return total
    }

    /// Lets every writer increment counters; gives what went wrong.
    private func run(
        _ stack: TestStack, increment: @escaping @Sendable (NSManagedObjectContext, NSManagedObject) throws -> Void
    ) -> [String] {
        let failures = UnsafeSender(NSMutableArray())
        let lock = NSLock()
        let sender = UnsafeSender(stack)
        DispatchQueue.concurrentPerform(iterations: Self.writers) { writer in
            do {
                // Half of them use another coordinator, as another process would.
                let stack = sender.value
                let context = writer % 2 == 0 || stack.kind == .memory ? stack.newContext() : try stack.afresh()
                try context.performAndWait {
                    let books = try context.all("Book", sort: [NSSortDescriptor(key: "name", ascending: true)])
                    for round in 0..<Self.rounds { try increment(context, books[(writer + round) % Self.counters]) }
                }
            } catch {
                lock.withLock { failures.value.add("\(error)") }
            }
        }
        return failures.value.compactMap { $0 as? String }
    }

    @Test(
        "without a policy, refreshing and saving again keeps every increment",
        arguments: StoreKind.allCases.without(.fileReadOnce))
    func retrying(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        try counters(stack)
        let failures = run(stack) { context, book in
            while true {
                book.setValue((book.number("pages") ?? 0) + 1, forKey: "pages")
                do {
                    try context.save()
                    return
                } catch let error as NSError where error.code == NSManagedObjectMergeError {
                    context.refresh(book, mergeChanges: false)
                }
            }
        }
        expectEmpty(failures)
        try expectEqual(total(stack), Int64(Self.writers * Self.rounds))
    }

    @Test(
        "a policy that adds the increments keeps all, and no save fails",
        arguments: StoreKind.allCases.without(.fileReadOnce))
    func adding(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        try counters(stack)
        let failures = run(stack) { context, book in
            context.mergePolicy = AddingUp(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            book.setValue((book.number("pages") ?? 0) + 1, forKey: "pages")
            try context.save()
        }
        expectEmpty(failures)
        try expectEqual(total(stack), Int64(Self.writers * Self.rounds))
    }

    @Test(
        "importing the same keys at once makes one object of each",
        arguments: StoreKind.allCases.without(.fileReadOnce, .noUniqueness))
    func upserting(_ kind: StoreKind) throws {
        let stack = try TestStack(kind, model: UniqueModel.make())
        let sender = UnsafeSender(stack)
        let failures = UnsafeSender(NSMutableArray())
        let lock = NSLock()
        DispatchQueue.concurrentPerform(iterations: Self.writers) { writer in
            do {
                let stack = sender.value
                let context = writer % 2 == 0 || kind == .memory ? stack.newContext() : try stack.afresh()
                context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                for _ in 0..<5 {
                    try context.performAndWait {
                        for name in 0..<10 { context.make("Item", "\(name)", ["size": writer]) }
                        try context.save()
                    }
                }
            } catch {
                lock.withLock { failures.value.add("\(error)") }
            }
        }
        expectEqual(failures.value.count, 0, "\(failures.value)")
        try inFreshContext(stack) { try expectEqual($0.names("Item"), (0..<10).map { "\($0)" }) }
    }

    private final class AddingUp: NSMergePolicy, @unchecked Sendable {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            for conflict in list {
                let book = conflict.sourceObject
                let increment =
                    (book.number("pages") ?? 0)
                    - ((book.committedValues(forKeys: ["pages"])["pages"] as? NSNumber)?.int64Value ?? 0)
                try super.resolve(optimisticLockingConflicts: [conflict])
                let newest = (book.committedValues(forKeys: ["pages"])["pages"] as? NSNumber)?.int64Value ?? 0
                book.setValue(newest + increment, forKey: "pages")
            }
        }
    }
}
