/// Called on the context's queue when an asynchronous fetch has ended.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
    NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch whose stores are asked on another queue, while the context goes on.
///
/// Give it to `NSManagedObjectContext.execute(_:)`, which returns at once with an `NSAsynchronousFetchResult`.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// What is fetched.
    public let fetchRequest: NSFetchRequest<ResultType>

    /// Called on the context's queue with the result, when the fetch has ended, by an error or `cancel()` too.
    public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

    /// How many results are expected, for progress; 0 if that isn't known.
    open var estimatedResultCount = 0

    /// Makes an asynchronous fetch.
    ///
    /// - Parameters:
    ///   - request: what to fetch; read when the request is executed.
    ///   - blk: called on the context's queue when the fetch has ended.
    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request
        completionBlock = blk
        super.init()
    }

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let request = fetchRequest.copy() as! NSFetchRequest<ResultType>
        let copy = NSAsynchronousFetchRequest(fetchRequest: request, completionBlock: completionBlock)
        copy.estimatedResultCount = estimatedResultCount
        copy.affectedStoresStorage = affectedStoresStorage
        return copy
    }
}

/// The result of an asynchronous fetch: complete when the completion block is called.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult, @unchecked Sendable {
    /// The request that was executed.
    public let fetchRequest: NSAsynchronousFetchRequest<ResultType>

    /// What was fetched; nil while the fetch runs, and if it failed or was cancelled. For the context's queue.
    public internal(set) final var finalResult: [ResultType]?

    init(fetchRequest: NSAsynchronousFetchRequest<ResultType>, managedObjectContext: NSManagedObjectContext) {
        self.fetchRequest = fetchRequest
        super.init(managedObjectContext: managedObjectContext)
    }
}
