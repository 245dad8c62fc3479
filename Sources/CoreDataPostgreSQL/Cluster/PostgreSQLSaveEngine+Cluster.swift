extension PostgreSQLSaveEngine {
    /// Reserves consecutive numbers of changes in the history.
    ///
    /// - Returns: the first number.
    func reserveNumbersOfChanges(_ count: Int64) throws -> Int64 {
        // No entity hierarchy has this number.
        try open.keys.reserve(root: .max, count: count) {
            try session.reserveKeys(sequence: PostgreSQLHistoryTables.numberSequence, count: $0)
        }
    }

    /// Whether a transaction of a cluster whose COMMIT was not answered took place. Asked on another connection.
    ///
    /// The server with the tables commits before the coordinator does, which may crash in between. So the coordinator
    /// tells only that the transaction has ended; whether the store has what the save has written decides.
    func wasCommittedInCluster(_ transaction: String) throws -> Bool {
        let end = ContinuousClock.now + .seconds(open.location.poolTimeout)
        open.pool.closeIdleConnections()
        while true {
            do {
                let session = try open.pool.checkOut()
                defer { open.pool.checkIn(session) }
                let status = try status(of: transaction, session)
                if status != "in progress" { return try trace?.isIn(session) ?? (status == "committed") }
            } catch let failure as PostgreSQLFailure where failure.isConnectionLost {
                if ContinuousClock.now >= end { throw failure }
            }
            if ContinuousClock.now >= end { return false }
            Thread.sleep(forTimeInterval: 0.05)
        }
    }

    /// The status of a transaction on the coordinator.
    private func status(of transaction: String, _ session: PostgreSQLSession) throws -> String {
        do {
            let result = try session.execute("SELECT pg_xact_status($1::text::xid8)", [.text(transaction)])
            return result.rowCount > 0 && !result[0].isNull(0) ? result[0].text(0) : ""
        } catch let failure as PostgreSQLFailure where failure.sqlState == PostgreSQLFailure.State.invalidParameter {
            // The number is in the future: a crash has taken it back.
            return "aborted"
        }
    }
}
