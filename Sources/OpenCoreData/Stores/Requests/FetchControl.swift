import Synchronization

/// Cancels a fetch that runs on another queue, and reports its progress. May be used on any thread.
package final class FetchControl: Sendable {
    private let cancelled = Atomic<Bool>(false)
    private let onRows: @Sendable (Int) -> Void

    /// - Parameter onRows: called from time to time on the queue of the fetch, with the number of rows read so far.
    package init(onRows: @escaping @Sendable (Int) -> Void) { self.onRows = onRows }

    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    package func cancel() { cancelled.store(true, ordering: .relaxed) }

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
