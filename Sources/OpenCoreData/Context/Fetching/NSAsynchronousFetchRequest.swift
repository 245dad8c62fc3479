// SPDX-License-Identifier: Apache-2.0

/// Called on the context's queue when an asynchronous fetch has ended.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
    NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch that reads the stores on another queue, while the context goes on.
///
/// `NSManagedObjectContext.execute(_:)` returns at once, with an `NSAsynchronousFetchResult` that is filled later:
///
/// ```swift
/// func load(_ context: NSManagedObjectContext, show: @escaping ([NSManagedObject]) -> Void) {
///     context.perform {
///         let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
///         request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
///         let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
///             if let error = result.operationError { return print("No books: \(error)") }
///             show(result.finalResult ?? [])
///         }
///         do { try context.execute(asynchronous) } catch { print("A bad request: \(error)") }
///     }
/// }
/// ```
///
/// It runs the same SQL as `fetch(_:)`, in a separate read transaction. If the context saves or merges rows of the
/// result during the fetch, or its unsaved changes need more rows, the context fetches again on its queue.
///
/// **Queue.** Execute it on the context's queue. The completion block runs there, too. `cancel()` of the result, and
/// the `Progress` that was current at the execution, may be used on any queue.
///
/// **Errors.** `execute(_:)` throws for a request that doesn't fit the model, with `NSCoreDataError` (134060). Errors
/// of the store are the result's `operationError`. A cancelled fetch has `NSUserCancelledError` (3072).
nonisolated open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// The fetch.
    open private(set) var fetchRequest: NSFetchRequest<ResultType>

    /// Called on the context's queue with the result, when the fetch has ended, by an error or `cancel()` too.
    public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

    /// The expected number of results, for progress reports; 0 if it isn't known.
    open var estimatedResultCount = 0

    /// Makes an asynchronous fetch.
    ///
    /// ```swift
    /// let songs = NSFetchRequest<Song>(entityName: "Song")
    /// let request = NSAsynchronousFetchRequest(fetchRequest: songs) { result in
    ///     print(result.finalResult?.count ?? 0, "songs")
    /// }
    /// try context.execute(request)
    /// ```
    ///
    /// - Parameters:
    ///   - request: what to fetch. It is read when the request is executed.
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
nonisolated open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult, @unchecked Sendable {
    /// The request that was executed.
    open private(set) var fetchRequest: NSAsynchronousFetchRequest<ResultType>

    /// The results; nil while the fetch runs, and if it failed or was cancelled. Used on the context's queue.
    open internal(set) var finalResult: [ResultType]?

    init(fetchRequest: NSAsynchronousFetchRequest<ResultType>, managedObjectContext: NSManagedObjectContext) {
        self.fetchRequest = fetchRequest
        super.init(managedObjectContext: managedObjectContext)
    }
}
