// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLTransactionTexts {
    /// The statements with which a transaction that changes a store begins: settings and locks, the number, and
    /// whether the store still accepts the program's model.
    init(_ open: PostgreSQLStore.OpenStore, _ dialect: PostgreSQLDialect) {
        let settings = dialect.cluster.transactionSettings(open.location)
        let condition = open.modelNumber.map { PostgreSQLSession.acceptance(ofModel: $0, dialect) }
        let schema = open.location.schema
        guard !dialect.cluster.isCluster else {
            var locks = [PostgreSQLModelLock.sharedCall(schema)]
            if open.history != nil { locks.append(PostgreSQLHistoryTables.lockCall(schema: schema)) }
            self.init(settings: settings, locks: locks, condition: condition)
            return
        }
        var statements = settings.map { "SET LOCAL \($0)" } + [PostgreSQLModelLock.shared(dialect)]
        if open.history != nil { statements.append("SELECT \(PostgreSQLHistoryTables.lockCall(schema: schema))") }
        self.init(executing: statements, condition: condition)
    }
}
