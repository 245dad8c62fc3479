// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Limits how many blocks of the private queues of a coordinator's contexts run at once, while the coordinator has
/// stores on servers.
///
/// A block that waits for a server, or for a connection to one, holds a thread. More blocks than connections and
/// processors only hold more threads. So a context's next block begins when another one has ended, in the order in
/// which the contexts have asked.
///
/// A running block may wait for one that hasn't begun. If no block ends for a while, and not all that run are inside
/// requests, one more begins. The mutex guards everything.
final class BlockAdmission: Sendable {
    private struct State {
        /// How many blocks may run at once; nil for any number.
        var limit: Int?
        /// How many more may run because others waited for too long.
        var extra = 0
        var running = 0
        var ended = 0
        var waiting = FirstInFirstOut<ContextQueue>()
        var isWatching = false

        var isFree: Bool { limit.map { running < $0 + extra } ?? true }
    }

    /// After how long without the end of a block one more begins.
    private static let patience = DispatchTimeInterval.milliseconds(100)

    private let access: StoreAccess
    private let state = Locked(State())
    private let limiting = Atomic<Bool>(false)
    private let watch = DispatchQueue(label: "NSPersistentStoreCoordinator.blocks", qos: .utility)

    /// - Parameter access: the lock of the coordinator, which counts the requests that run.
    init(access: StoreAccess) { self.access = access }

    /// Whether blocks wait for their admission.
    var isLimiting: Bool { limiting.load(ordering: .relaxed) }

    /// Sets how many blocks may run at once; nil for any number.
    func setLimit(_ limit: Int?) {
        limiting.store(limit != nil, ordering: .relaxed)
        admit { $0.limit = limit }
    }

    /// The number of blocks that run.
    var runningCount: Int { state.withLock { $0.running } }

    /// Asks for the admission of a context's next block.
    func request(_ queue: ContextQueue) { admit { $0.waiting.append(queue) } }

    /// Ends an admission.
    func end() {
        admit { state in
            state.running -= 1
            state.ended &+= 1
            if state.extra > 0 { state.extra -= 1 }
        }
    }

    /// Changes the state, and admits the blocks that may begin then.
    private func admit(_ change: (inout State) -> Void) {
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
        for queue in admitted { queue.runNext(self) }
        if let ended { watchBlocks(ended) }
    }

    /// Looks some time later whether a block has ended.
    ///
    /// - Parameter ended: how many blocks have ended by now.
    private func watchBlocks(_ ended: Int) {
        watch.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
            guard let self else { return }
            let requestCount = access.count
            admit { state in
                state.isWatching = false
                if state.ended == ended, !state.waiting.isEmpty, state.running > requestCount { state.extra += 1 }
            }
        }
    }
}
