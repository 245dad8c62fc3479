// SPDX-License-Identifier: Apache-2.0

/// The question what became of a transaction whose COMMIT was not answered.
struct PostgreSQLLostCommit {
    let open: PostgreSQLStore.OpenStore
    /// The number of the transaction.
    let transaction: String
    /// The run of the server in which it began; nil if that isn't known. In another run its number may be that of
    /// another transaction: then the trace of the save decides.
    let run: String?
    let trace: PostgreSQLSaveTrace?

    /// Whether the transaction took place. Asked on other connections.
    ///
    /// The transaction may still run, for instance because it waits for a synchronous replica. Its caller would make
    /// the changes a second time if it were told as failed. So it is ended after a while, and asked for again: it takes
    /// place then if it has only waited for the replica.
    ///
    /// - Throws: `PostgreSQLFailure` with the state 08007 if the server doesn't tell it in time.
    func wasCommitted() throws -> Bool {
        let limits = open.limits.withLock { $0 }
        let begin = ContinuousClock.now
        var wasEnded = false
        var last: PostgreSQLFailure?
        open.pool.closeIdleConnections()
        while true {
            do {
                // All connections may be lost at once, each in the hands of a save that asks this.
                let session = try open.pool.makeReplacement()
                defer { session.connection.close() }
                if let answer = try answer(session) { return answer }
                if !wasEnded, ContinuousClock.now - begin >= .seconds(limits.runningCommit) {
                    try end(session)
                    wasEnded = true
                }
            } catch let failure as PostgreSQLFailure {
                last = failure
            }
            if ContinuousClock.now - begin >= .seconds(limits.lostCommit) {
                throw unknownOutcome(after: limits.lostCommit, last)
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
    }

    /// Whether the transaction took place; nil while it runs.
    private func answer(_ session: PostgreSQLSession) throws -> Bool? {
        let status = try status(session)
        if session.dialect.cluster.isCluster { return try answerOfCluster(status, session) }
        switch status {
        case "committed":
            guard let run else { return try trace?.isIn(session) ?? true }
            return try session.serverRun == run || trace?.isIn(session) ?? false
        case "aborted": return false
        // The server is still ending it; or, after a restart, has not yet recovered it.
        default: return nil
        }
    }

    /// The status of the transaction, as the server names it; empty if it doesn't know it.
    private func status(_ session: PostgreSQLSession) throws -> String {
        do {
            let result = try session.execute("SELECT pg_xact_status($1::text::xid8)", [.text(transaction)])
            return result.rowCount > 0 && !result[0].isNull(0) ? result[0].text(0) : ""
        } catch let failure as PostgreSQLFailure where failure.sqlState == PostgreSQLFailure.State.invalidParameter {
            // The number is in the future: a crash has taken it back.
            return "aborted"
        }
    }

    /// Ends the server's process that has the transaction. In another run of the server its number may be that of
    /// another program's transaction.
    private func end(_ session: PostgreSQLSession) throws {
        guard let run, session.serverRun == run else { return }
        _ = try session.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'transactionid' \
            AND mode = 'ExclusiveLock' AND granted AND transactionid = $1::text::xid8::xid
            """, [.text(transaction)])
    }

    /// - Parameter last: why the server couldn't be asked; nil if the transaction still ran.
    private func unknownOutcome(after seconds: TimeInterval, _ last: PostgreSQLFailure?) -> PostgreSQLFailure {
        var failure = PostgreSQLFailure(
            sqlState: PostgreSQLFailure.State.unknownOutcome,
            message: """
                The connection was lost during the COMMIT, and within \(seconds.formatted()) seconds the server \
                didn\u{2019}t tell whether the transaction took place, so that its outcome is unknown: look whether the \
                changes are in the store before you make them again
                """,
            isConnectionLost: true, statement: "COMMIT")
        failure.detail = last?.message
        return failure
    }
}
