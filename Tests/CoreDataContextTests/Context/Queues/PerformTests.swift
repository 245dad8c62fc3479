import CoreData
import Testing

@Suite("Blocks on a context's queue", .timeLimit(.minutes(TestRun.hangMinutes)))
struct PerformTests {
    private struct Refusal: Error {}

    @Test("perform returns before its block runs, and the block is an event of its own", arguments: StoreKind.allCases)
    func event(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let context = stack.context
        let recorder = NotificationRecorder(context)
        defer { recorder.stop() }
        context.performAndWait {
            context.perform { _ = context.make("Tag", "a") }
            context.perform { _ = context.make("Tag", "b") }
            expectEmpty(context.insertedObjects)
        }
        context.performAndWait {}
        expectEqual(recorder.events, ["change inserted:a", "change inserted:b"])
    }

    @Test("deletions reach related objects when the block has ended", arguments: StoreKind.allCases)
    func deletions(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let context = stack.context
        context.perform {
            let author = context.make("Author", "a")
            context.make("Book", "b", ["author": author])
            do { try context.save() } catch { Issue.record(error) }
            context.delete(author)
            expectEqual(context.deletedObjects.count, 1)
        }
        context.performAndWait { expectEqual(context.deletedObjects.count, 2) }
    }

    @Test("perform retains its context until the block has run")
    func retaining() throws {
        let stack = try TestStack(.memory)
        let mayRun = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let names = UnsafeSender(NSMutableArray())
        func perform() {
            let context = stack.newContext()
            context.perform { [weak context] in
                mayRun.wait()
                names.value.add(context?.make("Tag", "a").text("name") ?? "gone")
                done.signal()
            }
        }
        perform()
        mayRun.signal()
        done.wait()
        expectEqual(names.value, ["a"])
    }

    @Test("a block with a result, one without, and one that throws", arguments: StoreKind.allCases)
    func results(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind)
        let context = stack.context
        let count: Int = context.performAndWait { context.insertedObjects.count }
        var names: [String] = []
        context.performAndWait { names.append("waited") }
        expectEqual(count, 0)
        expectEqual(names, ["waited"])
        #expect(throws: Refusal.self) { try context.performAndWait { throw Refusal() } }
        let later: String = await context.perform { "later" }
        expectEqual(later, "later")
        await #expect(throws: Refusal.self) { try await context.perform { throw Refusal() } }
        await #expect(throws: Refusal.self) { try await context.perform(schedule: .enqueued) { throw Refusal() } }
    }

    @Test("the changes of a block that throws are processed", arguments: StoreKind.allCases)
    func throwing(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind)
        let context = stack.context
        let recorder = NotificationRecorder(context)
        defer { recorder.stop() }
        try? context.performAndWait {
            context.make("Tag", "a")
            throw Refusal()
        }
        try? await context.perform {
            context.make("Tag", "b")
            throw Refusal()
        }
        expectEqual(recorder.events, ["change inserted:a", "change inserted:b"])
    }

    @Test("immediate runs a block at once on the queue, enqueued after the waiting blocks")
    @MainActor func schedule() async throws {
        let stack = try TestStack(.memory)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.coordinator
        var order: [String] = []
        performLater(context) { order.append("waiting") }
        await context.perform { order.append("immediate") }
        expectEqual(order, ["immediate"])
        await context.perform(schedule: .enqueued) { order.append("enqueued") }
        expectEqual(order, ["immediate", "waiting", "enqueued"])
    }

    @Test("a cancelled task's block runs", arguments: StoreKind.allCases)
    func cancellation(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind)
        let context = stack.context
        let mayEnd = DispatchSemaphore(value: 0)
        performLater(context) {
            mayEnd.wait()
        }
        let task = Task { await context.perform { context.make("Tag", "a").text("name") } }
        task.cancel()
        mayEnd.signal()
        await expectEqual(task.value, "a")
    }

    @Test("outside of blocks, the main queue's events process changes", arguments: StoreKind.allCases)
    @MainActor func mainQueue(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind)
        for type in [NSManagedObjectContextConcurrencyType.mainQueueConcurrencyType, .confinementConcurrencyType] {
            let context = NSManagedObjectContext(concurrencyType: type)
            context.persistentStoreCoordinator = stack.coordinator
            let recorder = NotificationRecorder(context)
            context.make("Tag", "a")
            context.make("Tag", "b")
            expectEmpty(recorder.events)
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
            expectEqual(recorder.events, ["change inserted:a,b"])
            recorder.stop()
        }
    }

    @Test("a confined context is used without blocks on the thread that created it", arguments: StoreKind.allCases)
    func confinement(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let context = DeprecatedAPI.context()
        expectEqual(context.concurrencyType, .confinementConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        context.make("Tag", "a")
        try context.save()
        try inFreshContext(stack) { try expectEqual($0.names("Tag"), ["a"]) }
    }

    @Test("a context's lock is recursive and excludes other threads")
    func locking() throws {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        let lock: any NSLocking = context
        lock.lock()
        lock.lock()
        expectTrue(DeprecatedAPI.tryLock(context))
        let isFree = { Self.onAnotherThread { DeprecatedAPI.tryLock(context) } }
        lock.unlock()
        lock.unlock()
        expectFalse(isFree())
        lock.unlock()
        expectTrue(isFree())
    }

    private static func onAnotherThread(_ body: @escaping () -> Bool) -> Bool {
        let result = UnsafeSender(NSMutableArray())
        let body = UnsafeSender(body)
        let done = DispatchSemaphore(value: 0)
        Thread {
            result.value.add(body.value())
            done.signal()
        }.start()
        done.wait()
        return result.value.firstObject as? Bool ?? false
    }

    @Test("the raw value of a concurrency type is the context's concurrencyType")
    func types() {
        expectEqual(NSManagedObjectContext.ConcurrencyType(rawValue: .privateQueueConcurrencyType), .privateQueue)
        expectEqual(NSManagedObjectContext.ConcurrencyType.mainQueue.rawValue, .mainQueueConcurrencyType)
    }
}

/// Deprecated functions, without the warnings.
private protocol Deprecated {
    static func context() -> NSManagedObjectContext
    static func tryLock(_ context: NSManagedObjectContext) -> Bool
}

private enum DeprecatedCalls: Deprecated {
    @available(*, deprecated) static func context() -> NSManagedObjectContext { NSManagedObjectContext() }
    @available(*, deprecated) static func tryLock(_ context: NSManagedObjectContext) -> Bool { context.tryLock() }
}

private enum DeprecatedAPI {
    private static var calls: any Deprecated.Type { DeprecatedCalls.self }

    static func context() -> NSManagedObjectContext { calls.context() }
    static func tryLock(_ context: NSManagedObjectContext) -> Bool { calls.tryLock(context) }
}
