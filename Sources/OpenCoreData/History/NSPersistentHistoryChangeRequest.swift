// SPDX-License-Identifier: Apache-2.0

/// A request for the changes that were saved into stores, or to delete the record of such changes.
///
/// Stores that were added with `NSPersistentHistoryTrackingKey` record their changes. `execute(_:)` of a context
/// executes the request, and returns an ``NSPersistentHistoryResult``:
///
/// ```swift
/// func changedSongs(
///     since token: NSPersistentHistoryToken?, in context: NSManagedObjectContext
/// ) throws -> [NSManagedObjectID] {
///     let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
///     request.resultType = .changesOnly
///     let result = try context.execute(request) as? NSPersistentHistoryResult
///     let changes = result?.result as? [NSPersistentHistoryChange] ?? []
///     return changes.filter { $0.changedObjectID.entity.name == "Song" }.map(\.changedObjectID)
/// }
/// ```
///
/// A request belongs to one thread.
nonisolated open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// The part of the history that a request is about.
    enum Scope {
        case all
        case nothing
        case date(Date)
        case token(NSPersistentHistoryToken)
        /// The transactions with these numbers, in each of the stores.
        case transactions([Int64])
    }

    final var scope = Scope.all
    final var isDeletion = false

    /// Makes a request for the whole history.
    public required override init() { super.init() }

    private static func request(_ scope: Scope, isDeletion: Bool) -> Self {
        let request = Self()
        request.scope = scope
        request.isDeletion = isDeletion
        if isDeletion { request.resultType = .statusOnly }
        return request
    }

    // MARK: Fetching

    /// Makes a request for the transactions after a date.
    ///
    /// - Parameter date: the date. A transaction of exactly this date is not fetched.
    open class func fetchHistory(after date: Date) -> Self { request(.date(date), isDeletion: false) }

    /// Makes a request for the transactions after a token.
    ///
    /// The request is executed by the stores that the token names. Its execution throws
    /// `NSPersistentHistoryTokenExpiredError` (134301) if transactions that follow the token were deleted.
    ///
    /// ```swift
    /// func merge(after token: NSPersistentHistoryToken?) throws -> NSPersistentHistoryToken? {
    ///     let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    ///     let result = try context.execute(request) as? NSPersistentHistoryResult
    ///     let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
    ///     for transaction in transactions {
    ///         context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
    ///     }
    ///     return transactions.last?.token ?? token
    /// }
    /// ```
    ///
    /// - Parameter token: the token; nil for the whole history of all stores.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self {
        request(token.map { .token($0) } ?? .all, isDeletion: false)
    }

    /// Makes a request for the transactions of a store after one of them.
    ///
    /// - Parameter transaction: the transaction; nil for the whole history of all stores.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
        fetchHistory(after: transaction?.token)
    }

    /// Makes a request for the transactions, or changes, that a fetch request selects.
    ///
    /// ```swift
    /// func transactionsOfImports(in context: NSManagedObjectContext) throws -> [NSPersistentHistoryTransaction] {
    ///     guard let fetch = NSPersistentHistoryTransaction.fetchRequest else { return [] }
    ///     fetch.predicate = NSPredicate(format: "author == %@", "import")
    ///     let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    ///     let result = try context.execute(request) as? NSPersistentHistoryResult
    ///     return result?.result as? [NSPersistentHistoryTransaction] ?? []
    /// }
    /// ```
    ///
    /// - Parameter fetchRequest: a fetch request for `NSPersistentHistoryTransaction.entityDescription` or
    ///   `NSPersistentHistoryChange.entityDescription`.
    open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
        let request = request(.all, isDeletion: false)
        request.fetchRequest = fetchRequest
        return request
    }

    // MARK: Deleting

    /// Makes a request that deletes the transactions before a date.
    ///
    /// ```swift
    /// let week = Date(timeIntervalSinceNow: -7 * 24 * 60 * 60)
    /// try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: week))
    /// ```
    ///
    /// - Parameter date: the date. A transaction of exactly this date remains.
    open class func deleteHistory(before date: Date) -> Self { request(.date(date), isDeletion: true) }

    /// Makes a request that deletes the transactions before the transaction of a token. That transaction remains.
    ///
    /// - Parameter token: the token; nil deletes nothing.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
        request(token.map { .token($0) } ?? .nothing, isDeletion: true)
    }

    /// Makes a request that deletes the transactions of a store before one of them, which remains.
    ///
    /// - Parameter transaction: the transaction; nil deletes nothing.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
        deleteHistory(before: transaction?.token)
    }

    /// Makes a request that deletes transactions by their numbers, in the affected stores.
    package static func deleteHistory(transactions: [Int64]) -> Self {
        request(.transactions(transactions), isDeletion: true)
    }

    // MARK: Options

    /// The kind of the result: `.transactionsAndChanges` for a fetch, `.statusOnly` for a deletion, unless set.
    open var resultType: NSPersistentHistoryResultType = .transactionsAndChanges

    /// The token of the request; nil for a request with a date, or without a limit.
    open var token: NSPersistentHistoryToken? { if case .token(let token) = scope { token } else { nil } }

    /// Selects and sorts the results of a request that fetches, by its entity, predicate, sort descriptors, offset and
    /// limit. A request that deletes must have none.
    ///
    /// The store reads the changes of the transactions that the fetch request selects. It reads the changes of all
    /// transactions if the fetch request is for changes, or if its predicate or order uses `changes`. A limit without a
    /// predicate also bounds the transactions that are read, if the request has no order or sorts by ascending
    /// transaction numbers.
    ///
    /// The request retains the object, and reads it when it is executed.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    /// The kind of the request: `.batchDeleteRequestType` if it deletes, otherwise `.fetchRequestType`. No kind stands
    /// for the history.
    open override var requestType: NSPersistentStoreRequestType {
        isDeletion ? .batchDeleteRequestType : .fetchRequestType
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Swift.type(of: self).init()
        copy.scope = scope
        copy.isDeletion = isDeletion
        copy.resultType = resultType
        copy.fetchRequest = fetchRequest.flatMap { $0.copy() as? NSFetchRequest<any NSFetchRequestResult> }
        copy.affectedStoresStorage = affectedStoresStorage
        return copy
    }
}

extension NSPersistentHistoryChangeRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let coordinator = try context.requireCoordinator()
        return try coordinator.activity.observe(StoreEvent(.history, [], coordinator.persistentStores)) {
            try coordinator.executeHistoryRequest(self)
        } count: {
            ($0.result as? [Any])?.count ?? 1
        }
    }
}
