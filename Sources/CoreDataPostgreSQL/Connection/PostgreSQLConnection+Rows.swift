internal import CLibPQ

extension PostgreSQLConnection {
    /// Executes a statement and calls a body with each row as it arrives, so that the rows need no memory together.
    ///
    /// An error of the body cancels the statement, and is thrown on. A transaction block fails by that; the connection
    /// stays usable.
    ///
    /// - Throws: `PostgreSQLFailure`, also after some rows, and what the body throws.
    package func forEachRow(
        _ text: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters(),
        _ body: (borrowing PostgreSQLRow) throws -> Void
    ) throws {
        let handle = try openHandle(text)
        try check(parameters, text)
        log?(text, parameters.values)
        guard location.usesNamedStatements else {
            roundTripCount += 1
            let isSent = parameters.withArguments {
                PQsendQueryParams(handle, text, $0.count, $0.types, $0.values, $0.lengths, $0.formats, 1)
            }
            return try receiveRows(isSent, text, body)
        }
        // A statement that fails after its first row must not be repeated; such a failure has another SQLSTATE.
        func receive(_ name: String) throws {
            roundTripCount += 1
            let isSent = parameters.withArguments {
                PQsendQueryPrepared(handle, name, $0.count, $0.values, $0.lengths, $0.formats, 1)
            }
            try receiveRows(isSent, text, body)
        }
        try withStatement(text, parameters, receive) { key in try receive(prepare(key)) }
    }

    /// Runs a block whose statements the server ends soon after a fetch is cancelled, even while they return no rows.
    ///
    /// - Throws: `NSUserCancelledError` (3072) after the cancellation, and what the block throws.
    func cancellable<Result>(_ control: FetchControl?, _ body: () throws -> Result) throws -> Result {
        guard let control else { return try body() }
        guard let handle, let cancellation = StatementCancellation(handle) else { return try body() }
        return try control.interruptible(by: { cancellation.send() }, body)
    }

    private func receiveRows(
        _ isSent: Int32, _ text: String, _ body: (borrowing PostgreSQLRow) throws -> Void
    ) throws {
        let handle = try openHandle(text)
        guard isSent != 0, PQsetSingleRowMode(handle) != 0 else { throw failure(nil, text) }
        var failure: PostgreSQLFailure?
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_SINGLE_TUPLE:
                do {
                    try body(PostgreSQLRow(result: result, index: 0, owner: nil))
                } catch {
                    cancelAndDrain(handle)
                    throw error
                }
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: throw self.failure(result, text)
            default: if failure == nil { failure = self.failure(result, text) }
            }
        }
        if let failure { throw failure }
    }

    /// Ends the running statement, and throws away what still comes.
    func cancelAndDrain(_ handle: OpaquePointer) {
        // Without success the rest of the rows is read.
        StatementCancellation(handle)?.send()
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COPY_OUT else { continue }
            var buffer: UnsafeMutablePointer<CChar>?
            while PQgetCopyData(handle, &buffer, 0) > 0 { PQfreemem(buffer) }
        }
    }
}

/// Ends the running statement of a connection. May be used on any thread.
private final class StatementCancellation: Sendable {
    /// Unchecked: libpq allows PQcancel on any thread, and nothing changes what this points to.
    private nonisolated(unsafe) let cancellation: OpaquePointer

    init?(_ connection: OpaquePointer) {
        guard let cancellation = PQgetCancel(connection) else { return nil }
        self.cancellation = cancellation
    }

    deinit { PQfreeCancel(cancellation) }

    /// Asks the server over a connection of its own. A connection without a running statement ignores it.
    func send() {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) {
            _ = PQcancel(cancellation, $0.baseAddress, 256)
        }
    }
}
