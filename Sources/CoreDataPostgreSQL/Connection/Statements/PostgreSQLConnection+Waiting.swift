// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// How a thread waits for an answer: not for ever if the connection is open, but silent.
extension PostgreSQLConnection {
    /// The setting of a transaction in which the program may do nothing for long.
    static let unlimitedIdleTime = "SET LOCAL idle_in_transaction_session_timeout = 0"

    /// The next result of the statements that were sent; nil at the end.
    func waitForResult(_ handle: OpaquePointer) -> OpaquePointer? {
        while PQisBusy(handle) != 0, waitForBytes(handle) {}
        return PQgetResult(handle)
    }

    /// The last result of the statements that were sent. Where rows follow it, the caller reads them.
    ///
    /// - Parameter isSent: whether it was sent. Without that, the connection has the message.
    func lastResult(_ handle: OpaquePointer, isSent: Bool) -> OpaquePointer? {
        guard isSent else { return nil }
        var last: OpaquePointer?
        while let next = waitForResult(handle) {
            PQclear(last)
            last = next
            if last.isCopying || PQstatus(handle) != CONNECTION_OK { break }
        }
        return last
    }

    /// The last result of statements without parameters.
    func lastResult(_ handle: OpaquePointer, ofScript text: String) -> OpaquePointer? {
        lastResult(handle, isSent: PQsendQuery(handle, text) != 0)
    }

    /// Reads the next part of a COPY to this connection, as `PQgetCopyData` does.
    func waitForCopiedData(_ handle: OpaquePointer, _ buffer: inout UnsafeMutablePointer<CChar>?) -> Int32 {
        while true {
            let count = PQgetCopyData(handle, &buffer, 1)
            if count != 0 { return count }
            // libpq has the error of what can't be read.
            guard waitForBytes(handle) else { return PQgetCopyData(handle, &buffer, 0) }
        }
    }

    /// Waits until the server has sent something, and reads it.
    ///
    /// - Returns: false if the connection can't be read.
    private func waitForBytes(_ handle: OpaquePointer) -> Bool {
        let limit = isQuestion ? location.connectTimeout : location.silenceTimeout
        var start = ContinuousClock.now
        while PQsocket(handle) >= 0 {
            let rest = limit > 0 ? Duration.seconds(limit) - (ContinuousClock.now - start) : .seconds(3_600)
            let ready = rest > .zero ? PostgreSQLSocket.wait(PQsocket(handle), for: rest) : []
            if ready.contains(.socket) { return PQconsumeInput(handle) != 0 }
            guard limit > 0, ContinuousClock.now - start >= .seconds(limit) else { continue }
            if !isQuestion, serverWorks(), wait(interrupt: -1, for: .zero).isEmpty {
                start = .now
                continue
            }
            // The answer may have come while the server was asked.
            if wait(interrupt: -1, for: .milliseconds(isQuestion ? 0 : 500)).contains(.socket) {
                return PQconsumeInput(handle) != 0
            }
            if !isQuestion {
                CoreDataLog.warning(
                    """
                    The server at \(location.publicURL.absoluteString) has been silent for \(limit.formatted()) \
                    seconds, and does not work on the request. The connection counts as lost.
                    """)
            }
            // libpq then reads the end of the connection.
            shutdown(PQsocket(handle), Int32(SHUT_RDWR))
            return PQconsumeInput(handle) != 0
        }
        return false
    }

    /// Asks the server over another connection whether it works on the request of this one.
    ///
    /// - Returns: false if it doesn't, or can't be reached. A process that waits for the program, or whose rows the
    ///   network doesn't take, doesn't work.
    private func serverWorks() -> Bool {
        // The pooler does not say which process executes the statement.
        guard location.usesNamedStatements else { return false }
        do {
            let other = try PostgreSQLConnection(location)
            other.isQuestion = true
            defer { other.close() }
            let result = try other.resultOfScript(
                """
                SELECT 1 FROM pg_stat_activity WHERE pid = \(serverProcess ?? backendProcess) \
                AND coalesce(state, '') NOT LIKE 'idle%' \
                AND coalesce(wait_event, '') NOT IN ('ClientRead', 'ClientWrite')
                """)
            return result.rowCount > 0
        } catch let failure as PostgreSQLFailure {
            // A server that refuses the connection for another reason, such as too many connections, may still work.
            return !["08", "57"].contains(failure.sqlState.prefix(2))
        } catch {
            return true
        }
    }
}
