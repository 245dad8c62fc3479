// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// A value in a file.
enum ImportValue {
    /// Nothing between two commas.
    case missing
    case text(String)
    case json(JSONValue)

    var isMissing: Bool {
        switch self {
        case .missing, .json(.null): true
        case .text, .json: false
        }
    }

    /// The value in words.
    var kind: String {
        switch self {
        case .missing: "nothing"
        case .text(let text): "'\(ObjectLabel.cut(text, to: 100))'"
        case .json(let value): value.kind
        }
    }
}

/// The values of one object in a file.
struct ImportRow {
    let line: Int
    var values: [(name: String, value: ImportValue)] = []
    /// Why the row can't be used; nil if it can.
    var problem: String?
}

/// The format of a file of rows.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, json, jsonl

    /// The format of a file, by its extension; nil for others.
    init?(path: String) {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "csv", "tsv", "tab": self = .csv
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        default: return nil
        }
    }
}

/// Reads the rows of a file, one after the other.
final class ImportReader {
    let source: ByteSource
    private let format: ImportFormat
    private let csv: CSVReader
    private let json: JSONReader
    /// The names of the columns of a CSV file; nil for other formats.
    let header: [String]?
    /// Whether the array of a JSON file has begun, and has ended.
    private var hasBegun = false
    private var hasEnded = false

    /// - Throws: `ImportFault` for a file without a header, or of UTF-16.
    init(_ file: FileHandle, format: ImportFormat, delimiter: UInt8) throws {
        source = try ByteSource(file: file)
        self.format = format
        csv = CSVReader(source, delimiter: delimiter)
        json = JSONReader(source: source)
        guard !source.isWide else {
            throw ImportFault(
                line: 1, text: "the file is UTF-16 or UTF-32. Convert it, for example by iconv -f UTF-16 -t UTF-8.")
        }
        guard format == .csv else {
            header = nil
            return
        }
        guard let record = try csv.next() else {
            throw ImportFault(line: 1, text: "the file is empty. Its first line has the names of the columns.")
        }
        if let problem = record.problem { throw ImportFault(line: record.line, text: problem) }
        header = record.fields.map { $0.text.trimmingCharacters(in: .whitespaces) }
    }

    /// The next row; nil at the end.
    ///
    /// - Throws: `ImportFault` where nothing more can be read, and what reading the file throws.
    func next() throws -> ImportRow? {
        switch format {
        case .csv: try csv.next().map(row)
        case .jsonl: try nextLine()
        case .json: try nextElement()
        }
    }

    private func row(_ record: CSVReader.Record) -> ImportRow {
        let header = header ?? []
        var row = ImportRow(line: record.line, problem: record.problem)
        guard record.problem == nil else { return row }
        guard record.fields.count == header.count else {
            row.problem =
                """
                the row has \(Wording.count(record.fields.count, "column")), and the header \(header.count).\
                \(record.fields.count > header.count ? " A text with a comma needs quotes." : "")
                """
            return row
        }
        row.values = zip(header, record.fields).map { name, field in
            (name, field.text.isEmpty && !field.isQuoted ? .missing : .text(field.text))
        }
        return row
    }

    private func nextElement() throws -> ImportRow? {
        if hasEnded { return nil }
        if !hasBegun {
            guard try json.peek() == UInt8(ascii: "[") else {
                throw try json.unexpected("a JSON file is an array of objects, which begins with '['. It is missing")
            }
            _ = try source.next()
            hasBegun = true
            if try json.peek() == UInt8(ascii: "]") { return try end() }
        }
        _ = try json.peek()
        let line = source.line
        let row = Self.row(try json.value(), line)
        if try json.peek() == UInt8(ascii: ",") {
            _ = try source.next()
        } else {
            _ = try end()
        }
        return row
    }

    private func end() throws -> ImportRow? {
        try json.take("]")
        guard try json.peek() == nil else { throw try json.unexpected("something follows the array") }
        hasEnded = true
        return nil
    }

    /// A line that is no JSON concerns this row alone.
    private func nextLine() throws -> ImportRow? {
        while true {
            let line = source.line
            var bytes: [UInt8] = []
            var isLast = true
            while let byte = try source.next() {
                if byte == 10 || byte == 13 {
                    isLast = false
                    break
                }
                bytes.append(byte)
            }
            if bytes.allSatisfy({ $0 == 32 || $0 == 9 }) {
                if isLast { return nil }
                continue
            }
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw ImportFault(notUTF8: bytes, line: line)
            }
            let reader = JSONReader(source: ByteSource(bytes: bytes, line: line))
            do {
                let value = try reader.value()
                guard try reader.peek() == nil else { throw try reader.unexpected("something follows the object") }
                return Self.row(value, line)
            } catch let fault as ImportFault {
                return ImportRow(line: line, problem: fault.text)
            }
        }
    }

    private static func row(_ value: JSONValue, _ line: Int) -> ImportRow {
        guard case .object(let members) = value else {
            return ImportRow(line: line, problem: "\(value.kind) stands where an object is expected.")
        }
        return ImportRow(line: line, values: members.map { ($0.name, .json($0.value)) })
    }
}
