// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLSession {
    /// The tables of the history, with the number that is added to those of this session's transactions.
    ///
    /// The coordinator of a cluster writes nothing of a save to its log but the end, and doesn't wait for that. So a
    /// crash takes back the numbers of its last transactions, which the history has already. It also ends all
    /// connections: in a cluster each one looks for such numbers at its first use, outside of a transaction.
    func history(_ open: PostgreSQLStore.OpenStore) throws -> PostgreSQLHistoryTables? {
        guard dialect.cluster.isCluster, open.history != nil else { return open.history }
        if let ownHistory { return ownHistory }
        guard connection.transactionStatus == .idle else { return open.history }
        ownHistory = try PostgreSQLHistoryTables(connection, dialect)
        return ownHistory
    }
}
