// SPDX-License-Identifier: Apache-2.0

/// A state of a store's data: each commit changes it.
package struct StoreCommitState: Equatable {
    /// A number that each commit of another connection changes.
    let others: Int64
    /// The number of commits of the store's own connection.
    let own: Int

    package init(others: Int64, own: Int) {
        self.others = others
        self.own = own
    }
}

/// A part of the history of one store.
package enum HistoryRange {
    case all
    case nothing
    /// The transactions after a transaction that a program has seen.
    case afterTransaction(Int64)
    case afterDate(Date)
    case beforeTransaction(Int64)
    case beforeDate(Date)
    /// The transactions with these numbers.
    case transactions([Int64])
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
    func beginChanges() { changes = [] }
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
}
