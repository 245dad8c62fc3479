/// A store that can record the history of its changes. Every method may be called on any thread.
package protocol HistoryStore: SnapshotStore {
    /// Whether saves into the store are recorded.
    var tracksHistory: Bool { get }
    /// Whether the store has a history that can be read.
    var hasHistory: Bool { get }
    /// The number of the newest transaction ever recorded, 0 if there was none.
    func newestTransaction() throws -> Int64
    /// The transactions of a part of the history with their changes, in order.
    ///
    /// - Throws: `NSPersistentHistoryTokenExpiredError` (134301) if transactions of the part were deleted.
    func history(_ range: HistoryRange, content: HistoryContent) throws -> [HistoryTransactionRecord]
    /// The number of the changes in a part of the history.
    ///
    /// - Throws: as ``history(_:content:)``.
    func changeCount(_ range: HistoryRange) throws -> Int
    /// Deletes transactions with their changes.
    ///
    /// - Returns: the number of the deleted transactions and of the deleted changes.
    func deleteHistory(_ range: HistoryRange) throws -> (transactions: Int, changes: Int)
    /// A value that differs after each commit of any process to the store.
    func commitState() throws -> StoreCommitState
    /// Observes the commits of all processes, if the store learns of them by itself, as one on a server does.
    ///
    /// - Parameter handler: called on any thread after commits of any process, while the result exists.
    /// - Returns: nil for a store in a file, whose writes the system reports.
    func observeCommits(_ handler: @escaping @Sendable () -> Void) -> AnyObject?
}

extension HistoryStore {
    package func observeCommits(_ handler: @escaping @Sendable () -> Void) -> AnyObject? { nil }
}

/// A state of a store's data: each commit changes it.
package struct StoreCommitState: Equatable {
    /// A number that each commit of another connection changes.
    package let others: Int64
    /// The number of commits of the store's own connection.
    package let own: Int

    package init(others: Int64, own: Int) {
        self.others = others
        self.own = own
    }
}

/// A part of the history of one store.
package enum HistoryRange {
    case all
    case nothing
    /// The transactions that follow one that a program has seen.
    case afterTransaction(Int64)
    case afterDate(Date)
    case beforeTransaction(Int64)
    case beforeDate(Date)
}

/// The part of the history's records that is read.
package enum HistoryContent {
    case transactions
    case transactionsAndChanges
}

/// One transaction of a store's history. Immutable.
package final class HistoryTransactionRecord: @unchecked Sendable {
    package let number: Int64
    package let store: StoreIdentity
    package let timestamp: Date
    package let author: String?
    package let contextName: String?
    package let bundleID: String
    package let processID: String
    /// The changes, in order; nil if they were not read. The store adds them before any other code has the record.
    package private(set) var changes: [HistoryChangeRecord]?

    package init(
        number: Int64, store: StoreIdentity, timestamp: Date, author: String?, contextName: String?, bundleID: String,
        processID: String
    ) {
        self.number = number
        self.store = store
        self.timestamp = timestamp
        self.author = author
        self.contextName = contextName
        self.bundleID = bundleID
        self.processID = processID
    }

    /// Adds a change that was read.
    package func append(_ change: HistoryChangeRecord) { changes?.append(change) }

    /// Says that the changes are going to be read.
    package func beginChanges() { changes = [] }
}

/// One change of a transaction. Immutable, hence Sendable.
package struct HistoryChangeRecord: @unchecked Sendable {
    package let number: Int64
    package let type: NSPersistentHistoryChangeType
    package let objectID: NSManagedObjectID
    /// The changed properties of an update.
    package let updatedProperties: [NSPropertyDescription]?
    /// The preserved values of a deleted object, nil if its entity preserves none.
    package let tombstone: [AnyHashable: Any]?

    package init(
        number: Int64, type: NSPersistentHistoryChangeType, objectID: NSManagedObjectID,
        updatedProperties: [NSPropertyDescription]?, tombstone: [AnyHashable: Any]?
    ) {
        self.number = number
        self.type = type
        self.objectID = objectID
        self.updatedProperties = updatedProperties
        self.tombstone = tombstone
    }
}
