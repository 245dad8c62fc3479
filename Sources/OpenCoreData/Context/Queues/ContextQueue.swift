// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The queue of a context. `QueueOwnership` tracks which thread holds it.
///
/// The blocks of a context with a store on a server wait for a ``BlockAdmission``. They run in their order all the
/// same.
final class ContextQueue: @unchecked Sendable {
    let type: NSManagedObjectContextConcurrencyType
    /// The queue on which blocks run; nil for a confined context.
    let dispatchQueue: DispatchQueue?
    /// The lock of `lock()`.
    let lock = NSRecursiveLock()
    /// Whether a warning was logged that a block waits long for the main queue. Guarded by the lock of
    /// `MainQueueMonitor`.
    private(set) var hasLoggedMainQueueWarning = false

    /// A block that has not been admitted.
    private struct Block {
        /// The number of the block. Later blocks have greater numbers.
        let number: Int
        /// The control of the block's requests, which the cancellation of its task cancels.
        let control: FetchControl?
        let run: @Sendable () -> Void
    }

    private struct Waiting {
        /// In their order.
        var blocks = FirstInFirstOut<Block>()
        var lastNumber = 0
        /// The admission that was asked for the next block; nil if none was asked. Never nil while blocks wait.
        var asked: BlockAdmission?
        /// How many threads run blocks, or wait for the queue to do so.
        var runnerCount = 0

        var isNextCancelled: Bool { blocks.next?.control?.isCancelled == true }
    }

    private let waiting = Mutex(Waiting())

    init(_ type: NSManagedObjectContextConcurrencyType) {
        self.type = type
        dispatchQueue =
            switch type {
            case .confinementConcurrencyType: nil
            case .privateQueueConcurrencyType: DispatchQueue(label: "NSManagedObjectContext")
            case .mainQueueConcurrencyType: .main
            }
        if type == .mainQueueConcurrencyType { MainQueue.mark() }
    }

    /// Called under the lock of `MainQueueMonitor`.
    func recordMainQueueWarning() { hasLoggedMainQueueWarning = true }

    // MARK: Blocks

    /// Runs a block on the queue, asynchronously. The queue of a confined context is the main queue.
    ///
    /// - Parameters:
    ///   - blocks: the admission that the block of a private queue waits for; nil if it waits for none.
    ///   - control: cancels the requests of the block. A cancelled block needs no admission.
    func async(
        admittedBy blocks: BlockAdmission? = nil, cancelledBy control: FetchControl? = nil,
        _ block: @escaping @Sendable () -> Void
    ) {
        guard type == .privateQueueConcurrencyType, let dispatchQueue else {
            return (dispatchQueue ?? .main).async(execute: block)
        }
        let blocks = blocks.flatMap { $0.isLimiting ? $0 : nil }
        let asks = waiting.withLock { waiting in
            // A block doesn't overtake waiting blocks.
            if blocks == nil && waiting.blocks.isEmpty {
                dispatchQueue.async(execute: block)
                return false
            }
            waiting.lastNumber += 1
            waiting.blocks.append(Block(number: waiting.lastNumber, control: control, run: block))
            guard waiting.asked == nil else { return false }
            waiting.asked = blocks
            return true
        }
        if asks { blocks?.request(self) }
    }

    /// Runs a block on the queue, after all blocks before it, and waits for its end. The calling thread runs the block,
    /// so neither it nor the blocks before it wait for an admission.
    func sync<Result>(_ dispatchQueue: DispatchQueue, _ block: () throws -> Result) rethrows -> Result {
        guard type == .privateQueueConcurrencyType else { return try dispatchQueue.sync(execute: block) }
        waiting.withLock { waiting in
            waiting.runnerCount += 1
            // A block is taken when its turn has come: a thread that runs blocks may take it earlier. No block is taken
            // that came after the caller.
            let last = waiting.lastNumber
            for _ in 0..<waiting.blocks.count {
                dispatchQueue.async { self.take { $0.number <= last }?.run() }
            }
        }
        defer {
            let cancelling = waiting.withLock { waiting in
                waiting.runnerCount -= 1
                return waiting.isNextCancelled ? waiting.asked : nil
            }
            cancelling?.runCancelled(self)
        }
        return try dispatchQueue.sync(execute: block)
    }

    /// How many threads run blocks, or wait for the queue to do so.
    var runnerCount: Int { waiting.withLock { $0.runnerCount } }

    /// Whether the next waiting block belongs to a cancelled task.
    var isNextCancelled: Bool { waiting.withLock { $0.isNextCancelled } }

    /// Runs the next waiting block on the queue, after all blocks before it. Then runs the following blocks whose tasks
    /// are cancelled: their requests end at once.
    ///
    /// - Returns: whether the queue asks for the admission of another block.
    func runNext() -> Bool {
        waiting.withLock { $0.runnerCount += 1 }
        dispatchQueue?.sync { take { _ in true }?.run() }
        return runCancelled { waiting in
            if waiting.blocks.isEmpty { waiting.asked = nil }
            return waiting.asked != nil
        }
    }

    /// Runs the next blocks as long as they belong to cancelled tasks. If another thread runs a block, that thread runs
    /// them when the block has ended, so the current thread doesn't wait for it.
    func runCancelledBlocks() {
        let begins = waiting.withLock { waiting in
            guard waiting.runnerCount == 0, waiting.isNextCancelled else { return false }
            waiting.runnerCount = 1
            return true
        }
        if begins { runCancelled { _ in } }
    }

    /// Runs the next blocks as long as they belong to cancelled tasks, and ends the run of the thread.
    ///
    /// - Parameter end: called at the end, under the lock.
    private func runCancelled<Result: Sendable>(_ end: (inout Waiting) -> Result) -> Result {
        while true {
            let result: Result? = waiting.withLock { waiting in
                if waiting.isNextCancelled { return nil }
                waiting.runnerCount -= 1
                return end(&waiting)
            }
            if let result { return result }
            dispatchQueue?.sync { take { $0.control?.isCancelled == true }?.run() }
        }
    }

    /// Takes the next waiting block, if it meets a condition.
    private func take(_ condition: (Block) -> Bool) -> Block? {
        waiting.withLock { waiting in
            guard let next = waiting.blocks.next, condition(next) else { return nil }
            return waiting.blocks.popFirst()
        }
    }
}
