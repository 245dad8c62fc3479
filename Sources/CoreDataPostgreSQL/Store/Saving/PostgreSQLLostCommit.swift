// SPDX-License-Identifier: Apache-2.0

/// Finds out the outcome of a transaction whose COMMIT was not answered.
struct PostgreSQLLostCommit {
    let open: PostgreSQLDatabase.OpenStore
    /// The number of the transaction.
    let transaction: String
    /// The run of the server in which the transaction began; nil if the run isn't known. In another run the same number
    /// may belong to another transaction.
    let run: String?
    /// Something that the transaction has written; nil if there is nothing by which to recognize it.
    let trace: PostgreSQLSaveTrace?

    /// Whether the transaction was committed. Other connections ask the server.
    ///
    /// The transaction may still run, for instance because it waits for a synchronous replica. If it were reported as
    /// failed, the caller would make its changes a second time. So the server process is ended after a while, and the
    /// outcome asked for again: a transaction that has only waited for the replica is committed then.
    ///
    /// - Throws: `PostgreSQLFailure` with the state 08007 if the outcome stays unknown.
    func wasCommitted() throws -> Bool {
        let limits = open.limits.withLock { $0 }
        let begin = ContinuousClock.now
        var wasEnded = false
        var last: PostgreSQLFailure?
        open.pool.closeIdleConnections()
        while true {
            do {
                // All connections of the pool may be lost at once, each in use by a save that asks for its outcome.
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

    /// Whether the transaction was committed; nil while it runs.
    private func answer(_ session: PostgreSQLSession) throws -> Bool? {
        let status = try status(session)
        if session.dialect.cluster.isCluster { return try answerOfCluster(status, session) }
        // A lost connection throws here, and the question is repeated: it must not look like another run.
        let present = try PostgreSQLServerRun.present(session.connection, session.dialect)
        if let run, let present, present.value != run {
            return try answerAfterCrash(status, present, session)
        }
        switch status {
        case "committed": return run != nil && present != nil ? true : try trace?.isIn(session) ?? true
        case "aborted": return false
        // The server is still ending it.
        default: return nil
        }
    }

    /// Whether a transaction of an earlier run of the server was committed. It no longer runs. If a transaction with
    /// its number runs or was rolled back, the number belongs to another transaction, and this one is lost.
    private func answerAfterCrash(
        _ status: String, _ present: PostgreSQLServerRun, _ session: PostgreSQLSession
    ) throws -> Bool? {
        if status.isEmpty { return nil }
        guard status == "committed", let number = UInt64(transaction), !present.hasGiven(number) else { return false }
        // A program that doesn't use this store may have got the number before the run was recorded, or in a run
        // between the two. So the trace of the transaction decides, if there is one.
        return try trace?.isIn(session) ?? true
    }

    /// The status of the transaction, in the server's words; empty if the server doesn't know the transaction.
    private func status(_ session: PostgreSQLSession) throws -> String {
        do {
            let result = try session.execute("SELECT pg_xact_status($1::text::xid8)", [.text(transaction)])
            return result.rowCount > 0 && !result[0].isNull(0) ? result[0].text(0) : ""
        } catch let failure as PostgreSQLFailure where failure.sqlState == PostgreSQLFailure.State.invalidParameter {
            // The number is in the future: a crash has taken it back.
            return "aborted"
        }
    }

    /// Ends the server process that executes the transaction. Does nothing in another run of the server, where the
    /// number may belong to another program's transaction.
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
                didn\u{2019}t tell whether the transaction took place, so that its outcome is unknown: look whether \
                the changes are in the store before you make them again
                """,
            isConnectionLost: true, statement: "COMMIT")
        failure.detail = last?.message
        return failure
    }
}
