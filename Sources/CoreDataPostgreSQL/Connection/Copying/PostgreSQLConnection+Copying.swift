// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// How a COPY begins and ends.
extension PostgreSQLConnection {
    /// Executes a COPY, whose rows then follow.
    ///
    /// - Parameters:
    ///   - text: the statement.
    ///   - isToServer: whether this connection sends the rows. Otherwise it gets them.
    /// - Returns: the handle to send or get the rows with.
    func beginCopying(_ text: String, toServer isToServer: Bool) throws -> OpaquePointer {
        let handle = try openHandle(text)
        log?(text, nil)
        roundTripCount += 1
        let start = lastResult(handle, ofScript: text)
        guard PQresultStatus(start) == (isToServer ? PGRES_COPY_IN : PGRES_COPY_OUT) else {
            _ = try complete(start, text)
            let place = isToServer ? "from the standard input" : "to the standard output"
            throw PostgreSQLFailure(sqlState: "42601", message: "The statement is no COPY \(place)", statement: text)
        }
        PQclear(start)
        return handle
    }

    /// Ends a COPY to the server.
    func endCopying(_ handle: OpaquePointer, _ text: String) throws -> PostgreSQLResult {
        // Without success the connection is broken, and the result says why.
        _ = PQputCopyEnd(handle, nil)
        let end = waitForResult(handle)
        let isPresent = end != nil
        while isPresent, let further = waitForResult(handle) { PQclear(further) }
        return try complete(end, text)
    }
}
