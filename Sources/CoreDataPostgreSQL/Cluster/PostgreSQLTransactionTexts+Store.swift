// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLTransactionTexts {
    /// The statements with which a transaction that changes a store begins: settings and locks, the number, and
    /// whether the store still accepts the program's model.
    ///
    /// - Parameters:
    ///   - isolation: the isolation of the transaction.
    ///   - tables: the tables that no other transaction may write until this one ends.
    init(
        _ open: PostgreSQLDatabase.OpenStore, _ dialect: PostgreSQLDialect,
        isolation: PostgreSQLIsolation = .readCommitted, lockingTables tables: [String] = []
    ) {
        let schema = open.location.schema
        let isCluster = dialect.cluster.isCluster
        var statements = dialect.cluster.transactionSettings(open.location).map { "SET LOCAL \($0)" }
        if !isCluster { statements.append(PostgreSQLModelLock.shared(dialect)) }
        statements += tables.map { "LOCK TABLE \(dialect.table($0)) IN SHARE ROW EXCLUSIVE MODE" }
        let locks =
            (isCluster ? [PostgreSQLModelLock.sharedCall(schema)] : [])
            + (open.history != nil ? [PostgreSQLHistoryTables.lockCall(schema: schema)] : [])
        let condition = PostgreSQLSession.acceptance(of: open, dialect)
        if locks.isEmpty {
            self.init(executing: statements, isolation: isolation, condition: condition)
        } else {
            self.init(
                executing: statements, locks: locks, isolation: isolation,
                earlierTransaction: open.history == nil
                    ? nil : PostgreSQLHistoryTables.earlierTransaction(schema: schema),
                condition: condition)
        }
    }
}
