// SPDX-License-Identifier: Apache-2.0

/// A database that can record the history of its changes. Every method may be called on any thread.
package protocol HistoryDatabase: StoreDatabase {
    /// Whether the store has a history that can be read.
    var hasHistory: Bool { get }
    /// The number of the newest transaction ever recorded, 0 if there was none.
    func newestTransaction() throws -> Int64
    /// The transactions of a part of the history with their changes, in order.
    ///
    /// - Throws: `NSPersistentHistoryTokenExpiredError` (134301) if transactions of the part were deleted.
    func history(_ range: HistoryRange, content: HistoryContent) throws -> [HistoryTransactionRecord]
    /// The transactions of a part of the history without their changes, in order.
    ///
    /// - Parameter limit: how many of the first transactions are read; nil for all.
    /// - Throws: as ``history(_:content:)``.
    func transactions(_ range: HistoryRange, limit: Int?) throws -> [HistoryTransactionRecord]
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
    /// Observes the commits of all processes, if the store learns of them by itself, as a store on a server does.
    ///
    /// - Parameter handler: called on any thread after commits of any process, while the result exists.
    /// - Returns: nil for a store in a file, whose writes the system reports.
    func observeCommits(_ handler: @escaping @Sendable () -> Void) -> AnyObject?
}

extension HistoryDatabase {
    package func observeCommits(_ handler: @escaping @Sendable () -> Void) -> AnyObject? { nil }
}

extension NSPersistentStore {
    /// The rows, if the store can record the history of its changes.
    final var historyDatabase: (any HistoryDatabase)? { snapshotStore?.database as? any HistoryDatabase }
}
