import CoreData
import Testing

/// Blocks of contexts inside blocks of other contexts. A thread that owns a queue, or that a thread with the queue
/// waits for, enters the queue without waiting.
@Suite("Nested blocks of several contexts", .timeLimit(.minutes(TestRun.hangMinutes)))
struct QueueOwnershipTests {
    private func mainContext(_ stack: TestStack) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.coordinator
        return context
    }

    @Test("from a private context back to the outer one", arguments: StoreKind.allCases)
    func back(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let outer = stack.context
        let inner = stack.newContext()
        let names = try outer.performAndWait {
            outer.make("Tag", "outer")
            return try inner.performAndWait {
                inner.make("Tag", "inner")
                return try outer.performAndWait {
                    outer.make("Tag", "again")
                    return try inner.performAndWait { try inner.names("Tag") } + outer.names("Tag")
                }
            }
        }
        expectEqual(names, ["inner", "again", "outer"])
    }

    @Test("on the main queue, from a private context back to the main queue's", arguments: StoreKind.allCases)
    @MainActor func main(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let main = mainContext(stack)
        let other = mainContext(stack)
        let child = stack.context
        main.make("Tag", "main")
        let names = try child.performAndWait {
            child.make("Tag", "child")
            return try main.performAndWait {
                try main.names("Tag") + child.performAndWait { try child.names("Tag") }
                    + other.performAndWait { try other.names("Tag") }
            }
        }
        expectEqual(names, ["main", "child"])
    }

    @Test("from another thread by way of the main queue back to a private context", arguments: StoreKind.allCases)
    func across(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let main = mainContext(stack)
        let outer = stack.context
        let inner = stack.newContext()
        let names = try outer.performAndWait {
            outer.make("Tag", "outer")
            return try main.performAndWait {
                main.make("Tag", "main")
                // The main thread owns the queue of `outer`, because a thread that owns it waits for the main thread.
                return try inner.performAndWait {
                    try outer.performAndWait { try outer.names("Tag") } + main.performAndWait { try main.names("Tag") }
                }
            }
        }
        expectEqual(names, ["outer", "main"])
    }

    @Test("the ownership of a queue ends with the block", arguments: StoreKind.allCases)
    func release(_ kind: StoreKind) async throws {
        struct Refusal: Error {}
        let stack = try TestStack(kind)
        let main = mainContext(stack)
        let context = stack.context
        #expect(throws: Refusal.self) { try context.performAndWait { try main.performAndWait { throw Refusal() } } }
        // The context's queue is busy, so the main queue must wait for it.
        let entered = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        performLater(context) {
            entered.signal()
            mayEnd.wait()
            context.make("Tag", "first")
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                entered.wait()
                continuation.resume()
            }
        }
        let sender = UnsafeSender(stack)
        let names = try await MainActor.run {
            mayEnd.signal()
            return try sender.value.context.performAndWait { try sender.value.context.names("Tag") }
        }
        expectEqual(names, ["first"])
    }

    @Test(
        "a block inside one of its own context belongs to the event of the outer block", arguments: StoreKind.allCases)
    func event(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let context = stack.context
        let other = stack.newContext()
        let recorder = NotificationRecorder(context)
        defer { recorder.stop() }
        context.performAndWait {
            context.performAndWait { _ = context.make("Tag", "a") }
            other.performAndWait { context.performAndWait { _ = context.make("Tag", "b") } }
            expectEmpty(recorder.events)
        }
        expectEqual(recorder.events, ["change inserted:a,b"])
    }

    @Test("execute() uses the context of the innermost block", arguments: StoreKind.allCases)
    func executing(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let outer = stack.context
        let inner = stack.newContext()
        let main = mainContext(stack)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        try outer.performAndWait {
            outer.make("Tag", "outer")
            try inner.performAndWait {
                inner.make("Tag", "inner")
                try expectEqual(request.execute().map { $0.text("name") }, ["inner"])
                try outer.performAndWait { try expectEqual(request.execute().map { $0.text("name") }, ["outer"]) }
                try main.performAndWait { try expectEmpty(request.execute()) }
                try expectEqual(request.execute().map { $0.text("name") }, ["inner"])
            }
            try expectEqual(request.execute().map { $0.text("name") }, ["outer"])
        }
    }

    @Test(
        "many threads enter contexts from the inner to the outer one without a deadlock", arguments: StoreKind.allCases
    )
    func manyThreads(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let root = stack.newContext()
        let middle = stack.newContext()
        let sender = UnsafeSender(stack)
        DispatchQueue.concurrentPerform(iterations: 16) { number in
            let leaf = sender.value.newContext()
            for round in 0..<20 {
                leaf.performAndWait {
                    middle.performAndWait {
                        root.performAndWait { leaf.performAndWait { _ = root.make("Tag", "\(number).\(round)") } }
                    }
                }
            }
        }
        try on(root) { try expectEqual(Set(root.names("Tag")).count, 320) }
    }
}
