// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// The rows of a select that is executed by COPY. libpq makes a result with a description of all columns for each row
/// of a statement, and for a row of a COPY only a block of memory: reading takes it a quarter of the time.
final class PostgreSQLCopiedRows: PostgreSQLRowCursor {
    /// Signature, flags and the length of what may follow them.
    private static let headerSize = 19

    private let connection: PostgreSQLConnection
    private let select: String
    private let text: String
    /// The last message of the server, and its first byte that isn't read yet.
    @exclusivity(unchecked) private var message: UnsafeMutablePointer<CChar>?
    @exclusivity(unchecked) private var position: UnsafeRawPointer?
    @exclusivity(unchecked) private var end: UnsafeRawPointer?
    @exclusivity(unchecked) private var hasHeader = false
    @exclusivity(unchecked) private var isAtEnd = false
    @exclusivity(unchecked) private var count = 0
    /// The number of fields of the first row, which all rows have.
    @exclusivity(unchecked) private var width = -1
    /// The values of the present row.
    @exclusivity(unchecked)
    private var fields = UnsafeMutableBufferPointer<PostgreSQLRow.Field>.allocate(capacity: 16)

    init(_ connection: PostgreSQLConnection, select: String) throws {
        self.connection = connection
        self.select = select
        text = "COPY (\(select)) TO STDOUT (FORMAT binary)"
        do {
            _ = try connection.beginCopying(text, toServer: false)
        } catch {
            isAtEnd = true
            throw error
        }
    }

    deinit {
        PQfreemem(message)
        fields.deallocate()
        if !isAtEnd { connection.cancelAndDrain() }
    }

    func next() throws -> PostgreSQLRow? {
        while !isAtEnd {
            if position == end {
                try readMessage()
                continue
            }
            guard let fieldCount = readFields(), fieldCount < 0 || width < 0 || fieldCount == width else {
                throw PostgreSQLFailure(
                    sqlState: "08P01", message: "The server has sent a damaged row", statement: text)
            }
            // The end of all rows.
            if fieldCount < 0 { continue }
            count += 1
            width = fieldCount
            return PostgreSQLRow(fields: UnsafeBufferPointer(rebasing: fields[..<fieldCount]))
        }
        return nil
    }

    private func readMessage() throws {
        PQfreemem(message)
        message = nil
        position = nil
        end = nil
        guard let handle = connection.handle else {
            isAtEnd = true
            throw connection.failure(nil, text)
        }
        let size = connection.waitForCopiedData(handle, &message)
        guard size > 0, let message else { return try finish(handle) }
        position = UnsafeRawPointer(message)
        end = position.map { $0 + Int(size) }
    }

    private func finish(_ handle: OpaquePointer) throws {
        isAtEnd = true
        var failure: PostgreSQLFailure?
        while let result = connection.waitForResult(handle) {
            defer { PQclear(result) }
            // A COPY that hasn't ended here would never end.
            if PQresultStatus(result) == PGRES_COPY_OUT { throw connection.failure(result, text) }
            if PQresultStatus(result) != PGRES_COMMAND_OK, failure == nil { failure = connection.failure(result, text) }
        }
        if let failure { throw failure }
        connection.didRead(count, ofSelect: select)
    }

    /// Reads the fields of a row.
    ///
    /// - Returns: their number, negative for the end of all rows, and nil if the message isn't what a COPY sends.
    private func readFields() -> Int? {
        guard var next = position, let end else { return nil }
        defer { position = next }
        if !hasHeader {
            guard end - next >= Self.headerSize else { return nil }
            let extensionSize = Int(PostgreSQLValue.load(next + 15, as: Int32.self))
            guard extensionSize >= 0, end - next - Self.headerSize >= extensionSize else { return nil }
            next += Self.headerSize + extensionSize
            hasHeader = true
            // The rows may come in further messages.
            if position == end { return -1 }
        }
        guard end - next >= 2 else { return nil }
        let count = Int(PostgreSQLValue.load(next, as: Int16.self))
        next += 2
        if count < 0 { return next == end ? count : nil }
        if count > fields.count {
            fields.deallocate()
            fields = .allocate(capacity: count)
        }
        for index in 0..<count {
            guard end - next >= 4 else { return nil }
            let length = PostgreSQLValue.load(next, as: Int32.self)
            next += 4
            guard length >= -1, end - next >= length else { return nil }
            fields.initializeElement(at: index, to: PostgreSQLRow.Field(address: next, length: length))
            next += Int(max(length, 0))
        }
        return count
    }
}
