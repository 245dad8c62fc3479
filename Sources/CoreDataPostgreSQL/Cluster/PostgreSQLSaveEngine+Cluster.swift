// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLSaveEngine {
    /// Reserves consecutive numbers of changes in the history.
    ///
    /// - Returns: the first number.
    func reserveNumbersOfChanges(_ count: Int64) throws -> Int64 {
        // No entity hierarchy has this number.
        try open.keys.reserve(root: .max, count: count, run: session.serverRun) {
            try session.reserveKeys(sequence: PostgreSQLHistoryTables.numberSequence, count: $0)
        }
    }
}

extension PostgreSQLLostCommit {
    /// Whether a transaction of a cluster whose COMMIT was not answered was committed; nil while it runs.
    ///
    /// The server with the tables commits before the coordinator does, which may crash in between. So the coordinator's
    /// status shows only that the transaction has ended. The trace of the save in the store decides.
    ///
    /// - Parameter status: its status on the coordinator.
    func answerOfCluster(_ status: String, _ session: PostgreSQLSession) throws -> Bool? {
        status == "in progress" ? nil : try trace?.isIn(session) ?? (status == "committed")
    }
}
