import Synchronization

/// Lets somebody watch a fetch that runs on another queue, and let go of it. May be used on any thread.
final class FetchControl: Sendable {
    private let cancelled = Atomic<Bool>(false)
    private let onRows: @Sendable (Int) -> Void

    /// - Parameter onRows: called now and then, on the fetch's queue, with the number of rows that were read.
    init(onRows: @escaping @Sendable (Int) -> Void) { self.onRows = onRows }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Tells how far the fetch is.
    ///
    /// - Throws: `NSUserCancelledError` (3072) if nobody wants its results any more.
    func note(rowCount: Int) throws {
        if isCancelled { throw Self.cancelledError }
        onRows(rowCount)
    }

    static var cancelledError: NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: CocoaError.Code.userCancelled.rawValue,
            userInfo: [
                NSLocalizedDescriptionKey: "The fetch was cancelled."
            ])
    }
}
