import Foundation
import Testing

@testable import OpenCoreData

/// How many blocks of contexts run at once while their coordinator has a store on a server.
@Suite struct BlockAdmissionTests {
    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())

    /// No further block begins because others last long: on a slow machine they do.
    init() { coordinator.blocks.patience = .seconds(3_600) }

    private func makeContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private final class Counter: Sendable {
        private let state = Locked((running: 0, maximum: 0, names: [Int]()))

        func run(_ name: Int, _ body: () -> Void = {}) {
            state.withLock { state in
                state.running += 1
                state.maximum = max(state.maximum, state.running)
                state.names.append(name)
            }
            body()
            state.withLock { $0.running -= 1 }
        }

        var maximum: Int { state.withLock { $0.maximum } }
        var names: [Int] { state.withLock { $0.names } }
    }

    @Test("No more blocks run at once than the limit allows")
    func noMoreBlocksRun() async throws {
        coordinator.blocks.setLimit(3)
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let context = makeContext()
                    await context.perform { counter.run(number) { Thread.sleep(forTimeInterval: 0.001) } }
                }
            }
        }
        expectEqual(counter.names.sorted(), Array(0..<200))
        #expect(counter.maximum <= 3)
    }

    @Test("The blocks of a context run in their order, whatever their method")
    func theBlocksOfAContext() {
        coordinator.blocks.setLimit(1)
        let (context, other) = (makeContext(), makeContext())
        let counter = Counter()
        let isFree = DispatchSemaphore(value: 0)
        other.perform { isFree.wait() }
        context.perform { counter.run(0) }
        context.perform { counter.run(1) }
        // The calling thread runs the block: it waits for no admission, nor do the blocks before it.
        context.performAndWait { counter.run(2) }
        expectEqual(counter.names, [0, 1, 2])
        context.perform { counter.run(3) }
        isFree.signal()
        context.performAndWait { counter.run(4) }
        expectEqual(counter.names, [0, 1, 2, 3, 4])
    }

    @Test("A block doesn't overtake one for which an admitted thread waits for the queue")
    func aBlockDoesNotOvertake() {
        coordinator.blocks.setLimit(1)
        let context = makeContext()
        let counter = Counter()
        let isFree = hold(context)
        context.perform { counter.run(1) }
        while context.queue.runnerCount < 2 { sched_yield() }
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) { context.performAndWait { counter.run(2) } }
        while context.queue.runnerCount < 3 { sched_yield() }
        context.perform { counter.run(3) }
        isFree.signal()
        group.wait()
        context.performAndWait {}
        // The other thread may come between.
        expectEqual(counter.names.filter { $0 != 2 }, [1, 3])
        expectContains(counter.names, 2)
    }

    /// Keeps the queue of a context busy until the result is signalled.
    private func hold(_ context: NSManagedObjectContext) -> DispatchSemaphore {
        let (hasBegun, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            context.performAndWait {
                hasBegun.signal()
                isFree.wait()
            }
        }
        hasBegun.wait()
        return isFree
    }

    /// Takes the only place for blocks until the result is signalled.
    private func takePlace() -> DispatchSemaphore {
        let (hasBegun, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        makeContext().perform {
            hasBegun.signal()
            isFree.wait()
        }
        hasBegun.wait()
        return isFree
    }

    /// Submits a block of a task that is cancelled.
    private func submitCancelled(_ context: NSManagedObjectContext, _ block: @escaping @Sendable () -> Void) {
        let control = FetchControl.ofTask()
        context.queue.async(admittedBy: coordinator.blocks, cancelledBy: control, block)
        control.cancel()
        coordinator.blocks.runCancelled(context.queue)
    }

    @Test("The block of a cancelled task needs no admission, but those before it do")
    func theBlockOfACancelledTask() {
        coordinator.blocks.setLimit(1)
        let isFree = takePlace()
        let (first, second) = (makeContext(), makeContext())
        let counter = Counter()
        first.perform { counter.run(1) }
        submitCancelled(first) { counter.run(2) }
        let hasRun = DispatchSemaphore(value: 0)
        submitCancelled(second) { hasRun.signal() }
        hasRun.wait()
        expectEqual(counter.names, [])
        isFree.signal()
        first.performAndWait {}
        expectEqual(counter.names, [1, 2])
    }

    @Test("A busy context keeps no cancelled task of another one waiting, and runs its own without an admission")
    func aBusyContext() {
        coordinator.blocks.setLimit(1)
        let isFree = takePlace()
        let (busy, other) = (makeContext(), makeContext())
        let isBusyFree = hold(busy)
        let (hasRun, hasOtherRun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        submitCancelled(busy) { hasRun.signal() }
        submitCancelled(other) { hasOtherRun.signal() }
        hasOtherRun.wait()
        isBusyFree.signal()
        hasRun.wait()
        isFree.signal()
    }

    @Test("A context asks once for its admission, however many of its tasks are cancelled")
    func aContextAsksOnce() {
        coordinator.blocks.setLimit(1)
        let isFree = takePlace()
        let context = makeContext()
        let hasRun = DispatchSemaphore(value: 0)
        for _ in 0..<5 {
            submitCancelled(context) { hasRun.signal() }
            hasRun.wait()
            expectEqual(coordinator.blocks.waitingCount, 1)
        }
        context.perform { hasRun.signal() }
        isFree.signal()
        hasRun.wait()
    }

    @Test("Requests outside of blocks don't keep a block waiting for which another one waits")
    func requestsOutsideOfBlocks() {
        coordinator.blocks.patience = BlockAdmission.usualPatience
        coordinator.blocks.setLimit(1)
        let (hasAccess, endsAccess) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let access = coordinator.access
        Thread.detachNewThread {
            access.share {
                hasAccess.signal()
                endsAccess.wait()
            }
        }
        hasAccess.wait()
        let (isDone, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        makeContext().perform {
            isDone.wait()
            hasEnded.signal()
        }
        makeContext().perform { isDone.signal() }
        hasEnded.wait()
        endsAccess.signal()
    }

    @Test("A block that waits for one that hasn't begun doesn't wait for ever")
    func aBlockThatWaits() {
        coordinator.blocks.patience = BlockAdmission.usualPatience
        coordinator.blocks.setLimit(2)
        let contexts = (0..<6).map { _ in makeContext() }
        let isLastDone = DispatchSemaphore(value: 0)
        let counter = Counter()
        let group = DispatchGroup()
        for (number, context) in contexts.enumerated() {
            group.enter()
            context.perform {
                counter.run(number) {
                    if number < 5 { isLastDone.wait() } else { for _ in 0..<5 { isLastDone.signal() } }
                }
                group.leave()
            }
        }
        group.wait()
        expectEqual(counter.names.sorted(), Array(0..<6))
    }

    @Test("Blocks that wait run when the last store on a server has gone")
    func blocksThatWaitRun() {
        coordinator.blocks.setLimit(1)
        let (context, other) = (makeContext(), makeContext())
        let isFree = DispatchSemaphore(value: 0)
        let hasRun = DispatchSemaphore(value: 0)
        other.perform { isFree.wait() }
        context.perform { hasRun.signal() }
        coordinator.blocks.setLimit(nil)
        hasRun.wait()
        isFree.signal()
        other.performAndWait {}
    }

    @Test("Blocks of contexts without a server wait for nothing")
    func blocksOfContextsWithout() {
        let contexts = (0..<20).map { _ in makeContext() }
        let group = DispatchGroup()
        let isFree = DispatchSemaphore(value: 0)
        let counter = Counter()
        for (number, context) in contexts.enumerated() {
            group.enter()
            context.perform {
                counter.run(number) {
                    group.leave()
                    isFree.wait()
                }
            }
        }
        group.wait()
        expectEqual(counter.maximum, 20)
        for _ in contexts { isFree.signal() }
        for context in contexts { context.performAndWait {} }
    }
}
