/// What the execution of a request gives: the common part of the results of batch requests and asynchronous fetches.
open class NSPersistentStoreResult: NSObject {}

/// The result of a request that runs on while the program goes on.
///
/// Its values are for the context's queue; `cancel()` may be called on any thread.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
    /// The context that executes the request.
    public let managedObjectContext: NSManagedObjectContext
    private let state = RequestState()

    init(managedObjectContext: NSManagedObjectContext) { self.managedObjectContext = managedObjectContext }

    /// What kept the request from its result; `NSUserCancelledError` (3072) after `cancel()`. Nil while it runs.
    open var operationError: (any Error)? { state.error }

    /// The request's part of the progress that was current when it was executed; nil if there was none.
    ///
    /// Counts results, out of the request's `estimatedResultCount` if that was given. Cancelling it cancels the
    /// request.
    open var progress: Progress? { state.progress }

    /// Lets go of the request, if it isn't done yet: its completion block gets a result without values.
    open func cancel() { state.cancel() }

    final func setOperationError(_ error: any Error) { state.error = error }

    /// - Parameter cancelling: ends the request's work.
    final func begin(_ progress: Progress?, cancelling: @escaping @Sendable () -> Void) {
        state.begin(progress, cancelling)
    }
}

/// The parts of an asynchronous result that several threads may touch, under one lock.
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
