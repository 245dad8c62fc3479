internal import CLibPQ

/// Selects of many rows by COPY. libpq makes a result with a description of all columns for each row of a statement,
/// and for a row of a COPY only a block of memory: reading takes it a quarter of the time.
extension PostgreSQLConnection {
    /// A statement with fewer rows is prepared for its next use: the server parses and plans a COPY each time.
    private static let rowsOfLargeResult = 1000

    /// Executes a select without parameters and calls a body with each row as it arrives. One that isn't known to have
    /// few rows is executed by COPY, which has no parameters.
    ///
    /// An error of the body cancels the statement, and is thrown on.
    ///
    /// - Throws: `PostgreSQLFailure`, also after some rows, and what the body throws.
    package func forEachRow(ofSelect text: String, _ body: (borrowing PostgreSQLRow) throws -> Void) throws {
        var count = 0
        func counted(_ row: borrowing PostgreSQLRow) throws {
            count += 1
            try body(row)
        }
        if location.usesNamedStatements, statements.isSmall(text) {
            try forEachRow(text, PostgreSQLParameters(), counted)
        } else {
            try forEachCopiedRow("COPY (\(text)) TO STDOUT (FORMAT binary)", counted)
        }
        statements.setSmall(text, count < Self.rowsOfLargeResult)
    }

    private func forEachCopiedRow(_ text: String, _ body: (borrowing PostgreSQLRow) throws -> Void) throws {
        let handle = try beginCopying(text, toServer: false)
        var reader = PostgreSQLCopyReader()
        defer { reader.deallocate() }
        while true {
            var buffer: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(handle, &buffer, 0)
            defer { PQfreemem(buffer) }
            guard count > 0, let buffer else { break }
            do {
                let isSound = try reader.read(UnsafeRawBufferPointer(start: buffer, count: Int(count)), body)
                guard isSound else {
                    throw PostgreSQLFailure(
                        sqlState: "08P01", message: "The server has sent a damaged row", statement: text)
                }
            } catch {
                cancelAndDrain(handle)
                throw error
            }
        }
        var failure: PostgreSQLFailure?
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            // A copying that didn't end would never do so.
            if PQresultStatus(result) == PGRES_COPY_OUT { throw self.failure(result, text) }
            if PQresultStatus(result) != PGRES_COMMAND_OK, failure == nil { failure = self.failure(result, text) }
        }
        if let failure { throw failure }
    }
}

/// Takes the rows of a COPY in binary form apart.
private struct PostgreSQLCopyReader {
    /// Signature, flags and the length of what may follow them.
    private static let headerSize = 19

    private var hasHeader = false
    /// The values of one row.
    private var fields = UnsafeMutableBufferPointer<PostgreSQLRow.Field>.allocate(capacity: 16)

    func deallocate() { fields.deallocate() }

    /// Calls a body with each row of a message. The rows are valid in the body only.
    ///
    /// - Returns: false if the message isn't what a COPY sends.
    mutating func read(
        _ message: UnsafeRawBufferPointer, _ body: (borrowing PostgreSQLRow) throws -> Void
    ) rethrows -> Bool {
        guard var next = message.baseAddress else { return true }
        let end = next + message.count
        if !hasHeader {
            guard end - next >= Self.headerSize else { return false }
            let extensionSize = Int(PostgreSQLValue.load(next + 15, as: Int32.self))
            guard extensionSize >= 0, end - next - Self.headerSize >= extensionSize else { return false }
            next += Self.headerSize + extensionSize
            hasHeader = true
        }
        while next < end {
            guard end - next >= 2 else { return false }
            let count = Int(PostgreSQLValue.load(next, as: Int16.self))
            next += 2
            // The end of all rows.
            if count < 0 { return next == end }
            if count > fields.count {
                fields.deallocate()
                fields = .allocate(capacity: count)
            }
            for index in 0..<count {
                guard end - next >= 4 else { return false }
                let length = PostgreSQLValue.load(next, as: Int32.self)
                next += 4
                guard end - next >= length else { return false }
                fields.initializeElement(at: index, to: PostgreSQLRow.Field(address: next, length: length))
                next += Int(max(length, 0))
            }
            try body(PostgreSQLRow(fields: UnsafeBufferPointer(rebasing: fields[..<count])))
        }
        return true
    }
}
