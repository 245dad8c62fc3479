// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Reads comma-separated values (RFC 4180), a record at a time.
///
/// Lines end with LF, CR LF or CR, also within quotes. A quote in a field that doesn't begin with one is a character
/// like others. Blank lines are passed over.
struct CSVReader {
    struct Field {
        let text: String
        let isQuoted: Bool
    }

    struct Record {
        /// The line in which the record begins.
        let line: Int
        var fields: [Field] = []
        /// Why the record can't be used; nil if it can.
        var problem: String?
    }

    private let source: ByteSource
    private let delimiter: UInt8
    /// A missing quote makes the rest of a file one record, which must not fill the memory.
    private let maximumSize: Int

    init(_ source: ByteSource, delimiter: UInt8, maximumSize: Int = 268_435_456) {
        self.source = source
        self.delimiter = delimiter
        self.maximumSize = maximumSize
    }

    /// The next record; nil at the end.
    ///
    /// - Throws: `ImportFault` for bytes that are no UTF-8 and for a quote that is not closed, and what reading the
    ///   file throws.
    func next() throws -> Record? {
        while let first = try source.peek() {
            guard first == 10 || first == 13 else { return try record() }
            _ = try source.next()
        }
        return nil
    }

    private func record() throws -> Record {
        var record = Record(line: source.line)
        let start = source.offset
        var isOpen = true
        while isOpen { isOpen = try readField(into: &record, start: start) }
        return record
    }

    /// - Returns: whether another field follows.
    private func readField(into record: inout Record, start: Int) throws -> Bool {
        var bytes: [UInt8] = []
        let line = source.line
        let isQuoted = try source.peek() == UInt8(ascii: "\"")
        if isQuoted {
            _ = try source.next()
            try readQuoted(into: &bytes, line: line, start: start)
        }
        var end: UInt8?
        while let byte = try source.next() {
            if byte == delimiter || byte == 10 || byte == 13 {
                end = byte
                break
            }
            if isQuoted {
                record.problem =
                    "column \(record.fields.count + 1) has text after the closing quote. Double the quotes in a text."
            }
            bytes.append(byte)
            if source.offset - start > maximumSize { throw tooLong(record.line) }
        }
        if end == 13, try source.peek() == 10 { _ = try source.next() }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ImportFault(notUTF8: bytes, line: line) }
        record.fields.append(Field(text: text, isQuoted: isQuoted))
        return end == delimiter
    }

    private func readQuoted(into bytes: inout [UInt8], line: Int, start: Int) throws {
        while let byte = try source.next() {
            if byte == UInt8(ascii: "\"") {
                guard try source.peek() == UInt8(ascii: "\"") else { return }
                _ = try source.next()
            }
            bytes.append(byte)
            if source.offset - start > maximumSize { throw tooLong(line) }
        }
        throw ImportFault(line: line, text: "the quote that begins here is never closed.")
    }

    private func tooLong(_ line: Int) -> ImportFault {
        ImportFault(
            line: line,
            text:
                "the record that begins here is longer than \(maximumSize / 1_048_576) MB. Is a closing quote missing?")
    }
}
