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

    private struct Admission {
        /// Blocks that have not been admitted, in their order.
        var waiting = FirstInFirstOut<@Sendable () -> Void>()
        /// Whether the queue has asked for the admission of its next block.
        var hasAsked = false
    }

    private let admission = Mutex(Admission())

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
    /// - Parameter blocks: the admission that the block of a private queue waits for; nil if it waits for none.
    func async(admittedBy blocks: BlockAdmission? = nil, _ block: @escaping @Sendable () -> Void) {
        guard type == .privateQueueConcurrencyType, let dispatchQueue else {
            return (dispatchQueue ?? .main).async(execute: block)
        }
        let blocks = blocks.flatMap { $0.isLimiting ? $0 : nil }
        let asks = admission.withLock { admission in
            // A block doesn't overtake those that wait.
            if blocks == nil && admission.waiting.isEmpty {
                dispatchQueue.async(execute: block)
                return false
            }
            admission.waiting.append(block)
            defer { if blocks != nil { admission.hasAsked = true } }
            return !admission.hasAsked
        }
        if asks { blocks?.request(self) }
    }

    /// Runs a block on the queue, after all blocks before it, and waits for its end. The calling thread runs it, so it
    /// waits for no admission, nor do the blocks before it.
    func sync<Result>(_ dispatchQueue: DispatchQueue, _ block: () throws -> Result) rethrows -> Result {
        if type == .privateQueueConcurrencyType {
            admission.withLock { admission in
                for waiting in admission.waiting.popAll() { dispatchQueue.async(execute: waiting) }
            }
        }
        return try dispatchQueue.sync(execute: block)
    }

    /// Whether blocks wait for their admission.
    var hasWaitingBlocks: Bool { admission.withLock { !$0.waiting.isEmpty } }

    /// Runs the next block that waits, on the queue, after all blocks before it.
    ///
    /// - Returns: whether the queue asks for the admission of another one.
    func runNext() -> Bool {
        dispatchQueue?.sync {
            let block = admission.withLock { $0.waiting.popFirst() }
            block?()
        }
        return admission.withLock { admission in
            admission.hasAsked = !admission.waiting.isEmpty
            return admission.hasAsked
        }
    }
}
