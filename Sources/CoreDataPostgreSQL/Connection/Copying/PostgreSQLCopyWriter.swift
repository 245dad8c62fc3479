// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// Takes the rows of a binary COPY. Each row starts with `beginRow(columns:)` and has that many values.
struct PostgreSQLCopyWriter: PostgreSQLValueWriter {
    var bytes = PostgreSQLBytes()
    private let handle: OpaquePointer
    private var start = 0
    private var missingValues = 0
    private(set) var isBroken = false

    private static let bufferSize = 65_536
    /// The signature, then flags and the length of an extension, which are 0.
    private static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A] + [UInt8](repeating: 0, count: 9)

    init(_ handle: OpaquePointer) {
        self.handle = handle
        bytes.reserve(Self.bufferSize + 4096)
        Self.header.withUnsafeBytes { bytes.append($0) }
    }

    /// Starts a row.
    mutating func beginRow(columns: Int) {
        precondition(missingValues == 0, "The row before has too few values.")
        if bytes.count >= Self.bufferSize { flush() }
        bytes.append(bigEndian: Int16(columns))
        missingValues = columns
    }

    @inline(__always) mutating func beginValue(_ type: PostgreSQLType) {
        precondition(missingValues > 0, "The row has more values than columns.")
        missingValues -= 1
        start = bytes.count
        bytes.append(bigEndian: Int32(0))
    }

    @inline(__always) mutating func endValue() {
        bytes.replace(at: start, bigEndian: Int32(clamping: bytes.count - start - 4))
    }

    @inline(__always) mutating func writeNull(_ type: PostgreSQLType) { appendNull() }

    @inline(__always) mutating func appendNull() {
        precondition(missingValues > 0, "The row has more values than columns.")
        missingValues -= 1
        bytes.append(bigEndian: Int32(-1))
    }

    mutating func finish() {
        precondition(missingValues == 0, "The last row has too few values.")
        bytes.append(bigEndian: Int16(-1))
        flush()
    }

    /// Sends the buffer. After a failure nothing more is sent: the end of the COPY reports it.
    private mutating func flush() {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !isBroken, !rest.isEmpty {
                // libpq takes the size as a number of 32 bits.
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 28))
                let status = PQputCopyData(
                    handle, part.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(part.count))
                isBroken = status != 1
                rest = rest.dropFirst(part.count)
            }
        }
        bytes.removeAll()
    }
}

extension PostgreSQLConnection {
    /// Executes `COPY … FROM STDIN (FORMAT binary)`.
    ///
    /// - Parameters:
    ///   - text: the statement.
    ///   - body: writes the rows. If it throws, nothing is copied.
    /// - Returns: the count of copied rows.
    /// - Throws: `PostgreSQLFailure`, and the errors of the body.
    func copyIn(_ text: String, _ body: (inout PostgreSQLCopyWriter) throws -> Void) throws -> Int {
        let handle = try beginCopying(text, toServer: true)
        var writer = PostgreSQLCopyWriter(handle)
        do {
            try body(&writer)
            writer.finish()
        } catch {
            _ = PQputCopyEnd(handle, "The rows could not be written")
            while let result = waitForResult(handle) { PQclear(result) }
            throw error
        }
        return try endCopying(handle, text).affectedRows
    }
}
