// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLSession {
    /// The tables of the history, with the offset that is added to the numbers of this session's transactions.
    ///
    /// The coordinator of a cluster writes only the end of a save to its log, and doesn't wait for this write. So a
    /// crash of the coordinator can take back the numbers of its last transactions, although the history already
    /// contains these transactions. The crash also ends all connections. So in a cluster each connection determines the
    /// offset at its first use, outside of a transaction.
    func history(_ open: PostgreSQLDatabase.OpenStore) throws -> PostgreSQLHistoryTables? {
        guard dialect.cluster.isCluster, open.history != nil else { return open.history }
        if let ownHistory { return ownHistory }
        guard connection.transactionStatus == .idle else { return open.history }
        ownHistory = try PostgreSQLHistoryTables(connection, dialect)
        return ownHistory
    }
}
