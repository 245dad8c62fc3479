import Synchronization

/// Cancels a fetch that runs on another queue, and reports its progress. May be used on any thread.
package final class FetchControl: Sendable {
    private let cancelled = Atomic<Bool>(false)
    private let onRows: @Sendable (Int) -> Void
    private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameter onRows: called from time to time on the queue of the fetch, with the number of rows read so far.
    package init(onRows: @escaping @Sendable (Int) -> Void = { _ in }) { self.onRows = onRows }

    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    package func cancel() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        interruption.withLock { $0?() }
    }

    /// Runs a block that waits for a store, which ``cancel()`` interrupts from its own thread.
    ///
    /// - Parameter interrupt: makes the block end soon. It isn't called any more when the block has ended.
    /// - Throws: `NSUserCancelledError` (3072) if the fetch is cancelled already, or if the block throws after that;
    ///   else what the block throws.
    package func interruptible<Result>(
        by interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        interruption.withLock { $0 = interrupt }
        defer { interruption.withLock { $0 = nil } }
        do {
            if cancelled.load(ordering: .sequentiallyConsistent) { throw Self.cancelledError }
            return try body()
        } catch {
            throw isCancelled ? Self.cancelledError : error
        }
    }

    /// Reports the progress of the fetch.
    ///
    /// - Throws: `NSUserCancelledError` (3072) after ``cancel()``.
    package func report(rowCount: Int) throws {
        if isCancelled { throw Self.cancelledError }
        onRows(rowCount)
    }

    package static var cancelledError: NSError {
        CoreDataErrors.error(
            CocoaError.Code.userCancelled.rawValue, "The fetch has no results.", reason: "The fetch was cancelled.")
    }
}
