// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Limits how many blocks of the private queues of a coordinator's contexts run at once, while the coordinator has
/// stores on servers.
///
/// A block that waits for a server, or for a connection to one, holds a thread. More blocks than connections only hold
/// more threads, and hand the connections to one another. So a context's next block begins when another block has
/// ended, in the order in which the contexts have asked. It runs on the thread of the block that has ended: no other
/// thread has to wake up.
///
/// A running block may wait for a block that hasn't begun. If no block ends for a while, and some running block isn't
/// inside a request, one more block begins. The mutex guards everything.
final class BlockAdmission: Sendable {
    private struct State {
        /// How many blocks may run at once; nil for any number.
        var limit: Int?
        /// How many more blocks may run because blocks have waited for too long.
        var extra = 0
        var running = 0
        var ended = 0
        var waiting = FirstInFirstOut<ContextQueue>()
        var isWatching = false
        var patience = BlockAdmission.usualPatience
        /// The queues of threads that run no block at present.
        var idleWorkers: [DispatchQueue] = []

        var isFree: Bool { limit.map { running < $0 + extra } ?? true }
    }

    /// If no block ends within this time, one more block begins, unless ``patience`` is set.
    static let usualPatience = DispatchTimeInterval.milliseconds(100)

    private let access: StoreAccess
    private let state = Locked(State())
    private let limiting = Atomic<Bool>(false)
    private let watch = DispatchQueue(label: "NSPersistentStoreCoordinator.blocks", qos: .utility)
    /// Runs the blocks of cancelled tasks.
    private let cancelledBlocks = DispatchQueue(label: "NSPersistentStoreCoordinator.cancelled")

    /// - Parameter access: the lock of the coordinator, which counts the requests of blocks that run.
    init(access: StoreAccess) { self.access = access }

    /// Whether blocks wait for their admission.
    var isLimiting: Bool { limiting.load(ordering: .relaxed) }

    /// Sets how many blocks may run at once; nil for any number.
    func setLimit(_ limit: Int?) {
        limiting.store(limit != nil, ordering: .relaxed)
        admit { $0.limit = limit }
    }

    /// After how long without the end of a block one more begins.
    var patience: DispatchTimeInterval {
        get { state.withLock { $0.patience } }
        set { state.withLock { $0.patience = newValue } }
    }

    /// The number of contexts whose next block waits for its admission.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Asks for the admission of a context's next block.
    func request(_ queue: ContextQueue) { admit { $0.waiting.append(queue) } }

    /// Runs the next blocks of a context soon, as long as their tasks are cancelled. They need no admission, because
    /// their requests end at once.
    func runCancelled(_ queue: ContextQueue) {
        // One context after the other, so that many of them need one thread. Each context keeps its place among the
        // waiting contexts, for its other blocks.
        if queue.isNextCancelled { cancelledBlocks.async { queue.runCancelledBlocks() } }
    }

    /// Changes the state, and begins the blocks that may begin then.
    private func admit(_ change: (inout State) -> Void) {
        for queue in admitted(after: change) { start(queue) }
    }

    /// Changes the state, and counts the blocks that may begin then as running.
    private func admitted(after change: (inout State) -> Void) -> [ContextQueue] {
        let (admitted, ended) = state.withLock { state -> ([ContextQueue], Int?) in
            change(&state)
            var admitted: [ContextQueue] = []
            while state.isFree, let queue = state.waiting.popFirst() {
                state.running += 1
                admitted.append(queue)
            }
            guard !state.waiting.isEmpty, !state.isWatching else { return (admitted, nil) }
            state.isWatching = true
            return (admitted, state.ended)
        }
        if let ended { watchBlocks(ended) }
        return admitted
    }

    /// Runs the next block of a context on a worker thread, and after it the blocks that its end admits.
    private func start(_ queue: ContextQueue) {
        let worker =
            state.withLock { $0.idleWorkers.popLast() } ?? DispatchQueue(label: "NSManagedObjectContext.blocks")
        worker.async { [self] in
            var next: ContextQueue? = queue
            while let queue = next { next = run(queue) }
            state.withLock { $0.idleWorkers.append(worker) }
        }
    }

    /// Runs the next block of a context.
    ///
    /// - Returns: a context whose block was admitted instead.
    private func run(_ queue: ContextQueue) -> ContextQueue? {
        let asks = access.countingBlock { queue.runNext() }
        let admitted = admitted { state in
            // Other contexts have their turns before the next block of this one.
            if asks { state.waiting.append(queue) }
            state.running -= 1
            state.ended &+= 1
            if state.extra > 0 { state.extra -= 1 }
        }
        for queue in admitted.dropFirst() { start(queue) }
        return admitted.first
    }

    /// Looks some time later whether a block has ended.
    ///
    /// - Parameter ended: how many blocks have ended by now.
    private func watchBlocks(_ ended: Int) {
        watch.asyncAfter(deadline: .now() + patience) { [weak self] in
            guard let self else { return }
            let requestCount = access.blockCount
            admit { state in
                state.isWatching = false
                if state.ended == ended, !state.waiting.isEmpty, state.running > requestCount { state.extra += 1 }
            }
        }
    }
}
