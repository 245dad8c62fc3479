// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// Makes connections: goes through the hosts, each with the timeout, and can be interrupted.
struct PostgreSQLConnector {
    let location: PostgreSQLLocation
    /// A descriptor that becomes readable when the connection is no longer wanted, or -1.
    let interrupt: Int32

    func connect() throws -> OpaquePointer {
        var first: PostgreSQLFailure?
        for attempt in location.attempts {
            do {
                return try connect(attempt)
            } catch let failure as PostgreSQLFailure {
                // Another host may have another password file entry, but the same URL has the same mistakes.
                if failure.sqlState == PostgreSQLFailure.State.queryCanceled { throw failure }
                if first == nil || !failure.isConnectionLost { first = failure }
            }
        }
        throw first ?? PostgreSQLFailure(sqlState: PostgreSQLFailure.State.cannotConnect, message: "No host is given")
    }

    private func connect(_ attempt: String) throws -> OpaquePointer {
        guard let connection = PQconnectStart(attempt) else {
            throw PostgreSQLFailure(sqlState: "53200", message: "libpq has no memory for a connection")
        }
        do {
            // A message with all its parts has the SQLSTATE, for which libpq has no other way here.
            PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
            PQsetNoticeReceiver(connection, { _, _ in }, nil)
            try wait(for: connection)
            PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
            return connection
        } catch {
            PQfinish(connection)
            throw error
        }
    }

    private func wait(for connection: OpaquePointer) throws {
        let end = ContinuousClock.now + .seconds(location.connectTimeout)
        guard PQstatus(connection) != CONNECTION_BAD else { throw failure(of: connection) }
        var status = PGRES_POLLING_WRITING
        while true {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else {
                let seconds = location.connectTimeout.formatted()
                throw PostgreSQLFailure(
                    sqlState: PostgreSQLFailure.State.cannotConnect,
                    message: "The server at \(place(of: connection)) didn\u{2019}t answer within \(seconds) seconds",
                    isConnectionLost: true)
            }
            let ready = PostgreSQLSocket.wait(
                PQsocket(connection), forWriting: status == PGRES_POLLING_WRITING, interrupt: interrupt, for: rest)
            if ready.contains(.interrupt) {
                throw PostgreSQLFailure(
                    sqlState: PostgreSQLFailure.State.queryCanceled, message: "The connecting was interrupted")
            }
            guard ready.contains(.socket) else { continue }
            status = PQconnectPoll(connection)
            if status == PGRES_POLLING_OK { return }
            if status == PGRES_POLLING_FAILED { throw failure(of: connection) }
        }
    }

    private func place(of connection: OpaquePointer) -> String {
        let host = PQhost(connection).map { String(cString: $0) } ?? ""
        let port = PQport(connection).map { String(cString: $0) } ?? ""
        return "\(host) port \(port)"
    }

    /// Takes the SQLSTATE out of a message such as "FATAL:  28P01: password authentication failed".
    private func failure(of connection: OpaquePointer) -> PostgreSQLFailure {
        var state = PostgreSQLFailure.State.cannotConnect
        var lines: [Substring] = []
        for line in String(cString: PQerrorMessage(connection)).split(separator: "\n") {
            if let found = line.firstMatch(of: #/:  ([0-9A-Z]{5}): /#) {
                state = String(found.1)
                lines.append(line[..<found.range.lowerBound] + ": " + line[found.range.upperBound...])
            } else if line.firstMatch(of: #/:  .*, [a-z_0-9]+\.c:[0-9]+$/#) == nil {
                lines.append(line)
            }
        }
        if PQconnectionNeedsPassword(connection) != 0 { state = PostgreSQLFailure.State.invalidPassword }
        let message = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: ". ")
        return PostgreSQLFailure(sqlState: state, message: location.redacted(message), isConnectionLost: true)
    }
}
