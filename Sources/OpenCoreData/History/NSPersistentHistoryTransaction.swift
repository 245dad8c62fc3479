// SPDX-License-Identifier: Apache-2.0

/// One save in the history of a store: who made it, when, and what it changed.
///
/// Immutable: any thread may use it.
nonisolated open class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
    final let record: HistoryTransactionRecord
    /// Set once, before another thread can see the transaction.
    private var changeStorage: [NSPersistentHistoryChange]?

    /// - Parameter changes: the changes that the transaction shows; nil for a transaction without changes.
    init(_ record: HistoryTransactionRecord, changes: [HistoryChangeRecord]?) {
        self.record = record
        super.init()
        changeStorage = changes.map { changes in
            changes.map { NSPersistentHistoryChange($0, of: record, owner: self) }
        }
    }

    /// When the changes were saved.
    open var timestamp: Date { record.timestamp }
    /// The changes, in order; nil for a request with the result type `.transactionsOnly`.
    ///
    /// ```swift
    /// func describe(_ transaction: NSPersistentHistoryTransaction) {
    ///     for change in transaction.changes ?? [] {
    ///         print(change.changedObjectID, change.changeType.rawValue, change.updatedProperties?.map(\.name) ?? [])
    ///     }
    /// }
    /// ```
    open var changes: [NSPersistentHistoryChange]? { changeStorage }
    /// The number of the transaction in its store. Later transactions have higher numbers.
    open var transactionNumber: Int64 { record.number }
    /// The UUID of the store.
    open var storeID: String { record.store.uuid }
    /// The bundle identifier of the program that saved; the name of the process for a program without a bundle.
    open var bundleID: String { record.bundleID }
    /// The name of the process that saved.
    open var processID: String { record.processID }
    /// The name of the context that saved.
    open var contextName: String? { record.contextName }
    /// The `transactionAuthor` of the context that saved.
    open var author: String? { record.author }
    /// The point in the history after this transaction.
    open var token: NSPersistentHistoryToken { NSPersistentHistoryToken([storeID: transactionNumber]) }

    /// A notification with the IDs of the changed objects, for
    /// `NSManagedObjectContext.mergeChanges(fromContextDidSave:)`.
    ///
    /// ```swift
    /// func merge(_ transactions: [NSPersistentHistoryTransaction], into context: NSManagedObjectContext) {
    ///     for transaction in transactions {
    ///         context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
    ///     }
    /// }
    /// ```
    ///
    /// - Returns: a notification of the name `NSManagedObjectContextDidSaveObjectIDs`. It has no object, and no IDs if
    ///   the transaction was fetched without changes.
    open func objectIDNotification() -> Notification {
        var ids: [String: Set<NSManagedObjectID>] = [:]
        for change in changes ?? [] {
            let key =
                switch change.changeType {
                case .insert: NSInsertedObjectIDsKey
                case .update: NSUpdatedObjectIDsKey
                case .delete: NSDeletedObjectIDsKey
                }
            ids[key, default: []].insert(change.changedObjectID)
        }
        return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: ids)
    }

    /// Returns the transaction itself, which is immutable.
    ///
    /// - Parameter zone: not used.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var description: String {
        """
        <NSPersistentHistoryTransaction> (transactionNumber: \(transactionNumber), storeID: \(storeID), \
        author: \(author ?? "nil"), contextName: \(contextName ?? "nil"), timestamp: \(timestamp))
        """
    }

    // MARK: Fetching

    /// The entity of transactions, for a fetch request of
    /// ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
    ///
    /// Its keys are `transactionNumber`, `timestamp`, `author`, `contextName`, `bundleID`, `processID`, `storeID`,
    /// `token` and `changes`. The predicate `token > %@` selects the transactions after a token, of the stores that the
    /// token names.
    open class var entityDescription: NSEntityDescription? { HistoryModel.transaction }

    /// A new request for all transactions, to be completed by a predicate, sort descriptors and limits.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryModel.fetchRequest(HistoryModel.transaction)
    }

    /// The entity of transactions.
    ///
    /// - Parameter context: not used: all contexts have the same entity.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }
}

extension NSPersistentHistoryTransaction: KeyValueCoding {
    /// The value of one of the transaction's properties, for predicates and sort descriptors.
    ///
    /// - Parameter key: the name of a property. Stops the program for another key.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "self", "SELF": self
        case "transactionNumber": NSNumber(value: transactionNumber)
        case "timestamp": timestamp
        case "author": author
        case "contextName": contextName
        case "bundleID": bundleID
        case "processID": processID
        case "storeID": storeID
        case "token": token
        case "changes": changes
        default: HistoryModel.undefinedKey(key, of: self)
        }
    }
}
