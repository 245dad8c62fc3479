// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// The rows of a statement that libpq gives one by one, so that they need no memory together.
final class PostgreSQLArrivingRows: PostgreSQLRowCursor {
    private let connection: PostgreSQLConnection
    private let text: String
    private let hasParameters: Bool
    /// The result of the present row.
    @exclusivity(unchecked) private var result: OpaquePointer?
    @exclusivity(unchecked) private var count = 0
    /// Whether `next()` has given the present row.
    @exclusivity(unchecked) private var isGiven = false
    @exclusivity(unchecked) private var isAtEnd = false

    /// Waits for the first row, so that a failure before it is thrown here.
    init(_ connection: PostgreSQLConnection, _ text: String, isSent: Int32, hasParameters: Bool) throws {
        self.connection = connection
        self.text = text
        self.hasParameters = hasParameters
        guard isSent != 0, PQsetSingleRowMode(try connection.openHandle(text)) != 0 else {
            isAtEnd = true
            throw connection.failure(nil, text)
        }
        try advance()
    }

    deinit {
        PQclear(result)
        if !isAtEnd { connection.cancelAndDrain() }
    }

    func next() throws -> PostgreSQLRow? {
        if isGiven && !isAtEnd { try advance() }
        isGiven = true
        return result.map { PostgreSQLRow(result: $0, index: 0, owner: nil) }
    }

    private func advance() throws {
        PQclear(result)
        result = nil
        guard let handle = connection.handle else {
            isAtEnd = true
            throw connection.failure(nil, text)
        }
        var failure: PostgreSQLFailure?
        while let next = connection.waitForResult(handle) {
            switch PQresultStatus(next) {
            case PGRES_SINGLE_TUPLE:
                count += 1
                result = next
                return
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: PQclear(next)
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                defer { PQclear(next) }
                isAtEnd = true
                throw connection.failure(next, text)
            default:
                if failure == nil { failure = connection.failure(next, text) }
                PQclear(next)
            }
        }
        isAtEnd = true
        if let failure { throw failure }
        if !hasParameters { connection.didRead(count, ofSelect: text) }
    }
}
