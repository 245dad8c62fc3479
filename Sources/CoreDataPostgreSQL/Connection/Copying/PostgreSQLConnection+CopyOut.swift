// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

extension PostgreSQLConnection {
    /// Executes a COPY to the standard output, and passes the data to a COPY from the standard input of another
    /// connection.
    ///
    /// - Parameters:
    ///   - text: the statement of this connection.
    ///   - target: the other connection.
    ///   - targetText: its statement.
    ///   - converting: makes the error for a failure of the other connection.
    /// - Throws: `PostgreSQLFailure` of this connection, and the errors of `converting`.
    func copyOut(
        _ text: String, into target: PostgreSQLConnection, _ targetText: String,
        converting: (PostgreSQLFailure) -> any Error
    ) throws {
        let handle = try beginCopying(text, toServer: false)
        do {
            try target.copyIn(raw: targetText) { send in
                while true {
                    var buffer: UnsafeMutablePointer<CChar>?
                    let count = waitForCopiedData(handle, &buffer)
                    defer { PQfreemem(buffer) }
                    guard count > 0, let buffer else { break }
                    guard send(buffer, count) else { break }
                }
            }
        } catch let failure as PostgreSQLFailure {
            // The rest of the rows is not wanted.
            close()
            throw converting(failure)
        }
        var failure: PostgreSQLFailure?
        while let result = waitForResult(handle) {
            if PQresultStatus(result) != PGRES_COMMAND_OK, failure == nil { failure = self.failure(result, text) }
            PQclear(result)
        }
        if let failure { throw failure }
    }

    /// Executes a COPY from the standard input with bytes in the server's form.
    private func copyIn(raw text: String, _ body: ((UnsafePointer<CChar>, Int32) -> Bool) -> Void) throws {
        let handle = try beginCopying(text, toServer: true)
        body { PQputCopyData(handle, $0, $1) == 1 }
        _ = try endCopying(handle, text)
    }
}
