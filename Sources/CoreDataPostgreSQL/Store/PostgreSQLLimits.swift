// SPDX-License-Identifier: Apache-2.0

/// Limits of the work of an open store. They are no options of programs; tests lower them.
struct PostgreSQLLimits: Sendable {
    /// After how many seconds a transaction is ended that goes on though the answer to its COMMIT is lost.
    var runningCommit: TimeInterval = 30
    /// How many seconds the server is asked what became of a COMMIT without an answer.
    var lostCommit: TimeInterval = 90
    /// How many bytes the values of several rows may have before a statement gets no further row. The server's limit
    /// is 1 GB.
    var statementSize = 32 << 20
}
