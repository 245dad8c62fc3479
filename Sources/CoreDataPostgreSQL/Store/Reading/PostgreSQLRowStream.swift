// SPDX-License-Identifier: Apache-2.0

/// The rows of a query. The server still sends rows while objects are made from the rows that have arrived.
///
/// The stream has a connection of the pool from its first rows to its last ones.
final class PostgreSQLRowStream: RowStream {
    private let database: PostgreSQLDatabase
    private let open: PostgreSQLDatabase.OpenStore
    private let query: StoreQuery
    private var session: PostgreSQLSession?
    private var buffers: PostgreSQLRowBuffers?
    /// The generation of the row cache before the rows were read.
    private var generation = 0
    private var hasGivenRows = false
    /// Whether the connection was lost once.
    private var isRepeated = false
    private var isAtEnd = false
    private(set) var rows: RowList

    init(_ query: StoreQuery, _ database: PostgreSQLDatabase, _ open: PostgreSQLDatabase.OpenStore) {
        self.query = query
        self.database = database
        self.open = open
        rows = RowList(layout: query.layout, includesSubentities: query.includesSubentities)
    }

    deinit { release() }

    func next() throws -> RowArrival? {
        try PostgreSQLStoreErrors.converting(open.location.publicURL, .reading) {
            while !isAtEnd {
                do {
                    if let buffer = try nextBuffer() { return .rows(buffer) }
                } catch {
                    release(after: error)
                    try recover(from: error)
                    if hasGivenRows {
                        hasGivenRows = false
                        return .restart
                    }
                }
            }
            return nil
        }
    }

    private func nextBuffer() throws -> RowBuffer? {
        let session = try self.session ?? open.pool.checkOut()
        self.session = session
        let buffer = try session.connection.cancellable(query.control) {
            let buffers = try self.buffers ?? begin(session)
            self.buffers = buffers
            return try buffers.next()
        }
        if let buffer {
            hasGivenRows = true
            return buffer
        }
        if let buffers { rows = buffers.list }
        if !rows.isPartial { database.rowCache.add(rows.buffers, readIn: generation) }
        isAtEnd = true
        release()
        return nil
    }

    private func begin(_ session: PostgreSQLSession) throws -> PostgreSQLRowBuffers {
        generation = database.rowCache.generation.current
        let (plan, statement) = try session.rowStatement(query)
        return try PostgreSQLRowBuffers(session, plan, statement, expected: query.limit, control: query.control)
    }

    /// Prepares to read the rows once more: on another connection, or as rows that the process finds.
    private func recover(from error: any Error) throws {
        if let failure = error as? PostgreSQLFailure, failure.isConnectionLost, !isRepeated {
            isRepeated = true
            return open.pool.closeIdleConnections()
        }
        if error.isUnavailability {
            rows = try database.evaluatedRows(query)
            isAtEnd = true
            return
        }
        if let failure = error as? PostgreSQLFailure, failure.concernsTables { try database.checkModel() }
        throw error
    }

    /// Ends the statement, and gives the connection back.
    private func release(after error: (any Error)? = nil) {
        buffers = nil
        if let session { open.pool.checkIn(session, after: error) }
        session = nil
    }
}

extension PostgreSQLDatabase {
    func rowStream(_ query: StoreQuery) throws -> (any RowStream)? {
        let open = try requireOpen()
        // The initializer of a program's class could read too, and then needs another connection.
        guard open.location.poolSize > 1 else { return nil }
        faultMonitor.didFetch(query.layout)
        return PostgreSQLRowStream(query, self, open)
    }
}
