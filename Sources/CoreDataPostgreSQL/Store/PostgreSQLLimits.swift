// SPDX-License-Identifier: Apache-2.0

/// Limits of the work of an open store. Programs can't set them; tests lower them.
struct PostgreSQLLimits: Sendable {
    /// The seconds until a transaction is ended that still runs after the answer to its COMMIT was lost.
    var runningCommit: TimeInterval = 30
    /// The seconds during which the server is asked for the outcome of a COMMIT without an answer.
    var lostCommit: TimeInterval = 90
    /// How many bytes the values of several rows may have before a statement gets no further row. The server's limit
    /// is 1 GB.
    var statementSize = 32 << 20
}
