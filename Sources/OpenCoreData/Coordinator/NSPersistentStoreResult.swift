// SPDX-License-Identifier: Apache-2.0

/// The result of a request: the superclass of the results of batch requests and asynchronous fetches.
nonisolated open class NSPersistentStoreResult: NSObject {}

/// The result of an asynchronous request.
///
/// Its values belong to the queue of the context; ``cancel()`` may be called on any thread.
nonisolated open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
    /// The context that executes the request.
    open var managedObjectContext: NSManagedObjectContext { context }
    private let context: NSManagedObjectContext
    private let state = RequestState()

    init(managedObjectContext: NSManagedObjectContext) { context = managedObjectContext }

    /// The error of the request, `NSUserCancelledError` (3072) after ``cancel()``; nil while the request runs.
    open var operationError: (any Error)? { state.error }

    /// The progress of the request, a child of the progress that was current at its execution; nil if there was none.
    ///
    /// The progress counts results, out of the request's `estimatedResultCount` if that is set. Cancelling the progress
    /// cancels the request.
    open var progress: Progress? { state.progress }

    /// Cancels the request if it still runs. Its completion block is called with a result without values.
    open func cancel() { state.cancel() }

    final func setOperationError(_ error: any Error) { state.error = error }

    /// - Parameter cancelling: ends the request's work.
    final func begin(_ progress: Progress?, cancelling: @escaping @Sendable () -> Void) {
        state.begin(progress, cancelling)
    }
}

/// The values of an asynchronous result that several threads use. The lock guards all of them.
private final class RequestState: @unchecked Sendable {
    private let lock = NSLock()
    private var errorStorage: (any Error)?
    private var progressStorage: Progress?
    private var cancelling: (@Sendable () -> Void)?

    var error: (any Error)? {
        get { lock.withLock { errorStorage } }
        set { lock.withLock { errorStorage = newValue } }
    }

    var progress: Progress? { lock.withLock { progressStorage } }

    func begin(_ progress: Progress?, _ cancelling: @escaping @Sendable () -> Void) {
        lock.withLock {
            progressStorage = progress
            self.cancelling = cancelling
        }
    }

    func cancel() { lock.withLock { cancelling }?() }
}
