// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Rows as comma-separated values (RFC 4180) with a header. Bytes are Base64, composite values JSON. The objects of a
/// to-many relationship are written as `Entity/p1`, separated by spaces. An empty text is `""`, and no value is
/// nothing.
///
/// A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula. With `escapesFormulas`, such texts
/// have an apostrophe before them.
final class CSVFormatter: RecordFormatter {
    private let columns: [String]
    private let print: (String) throws -> Void
    private let escapesFormulas: Bool
    private var headerIsPrinted = false

    init(columns: [String], escapesFormulas: Bool = false, print: @escaping (String) throws -> Void) {
        self.columns = columns
        self.escapesFormulas = escapesFormulas
        self.print = print
    }

    func add(_ record: OutputRecord) throws {
        try printHeader()
        let cells = Dictionary(
            record.cells.map { ($0.name, field($0.value)) }, uniquingKeysWith: { first, _ in first })
        try line(columns.map { cells[$0] ?? "" })
    }

    func finish() throws {
        try printHeader()
    }

    private func printHeader() throws {
        guard !headerIsPrinted else { return }
        headerIsPrinted = true
        try line(columns.map(Self.quoted))
    }

    private func line(_ cells: [String]) throws {
        try print(cells.joined(separator: ",") + "\r")
    }

    private func field(_ value: CellValue) -> String {
        if escapesFormulas, case .text(let text) = value, let first = text.unicodeScalars.first,
            "=+-@\t\r".unicodeScalars.contains(first)
        {
            return Self.quoted("'\(text)")
        }
        return Self.field(value)
    }

    private static func field(_ value: CellValue) -> String {
        switch value {
        case .none: ""
        case .data(let data): data.isEmpty ? "\"\"" : data.base64EncodedString()
        case .references(let references): quoted(references.map(\.short).joined(separator: " "))
        case .composite(let elements): quoted(JSONLine.text(of: elements))
        case .text(""): "\"\""
        default: quoted(value.text)
        }
    }

    private static func quoted(_ text: String) -> String {
        // Scalars are compared: CR LF is one character, which equals neither CR nor LF.
        let needsQuotes = text.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }
        return needsQuotes ? "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : text
    }
}
