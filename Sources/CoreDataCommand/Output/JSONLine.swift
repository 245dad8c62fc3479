// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A row as a JSON object in one line, with sorted keys. An encoder takes several times as long, which counts in
/// millions of rows.
enum JSONLine {
    static func text(of record: OutputRecord) -> String {
        var cells = Dictionary(record.details.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        for cell in record.cells where cells[cell.name] == nil { cells[cell.name] = cell.value }
        return object(cells.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// The elements of a composite value.
    static func text(of elements: [CellValue.CompositeElement]) -> String {
        object(elements.map { ($0.name, $0.value) }.sorted { $0.0 < $1.0 })
    }

    private static func object(_ cells: [(name: String, value: CellValue)]) -> String {
        var text = "{"
        for (index, cell) in cells.enumerated() {
            if index > 0 { text += "," }
            append(cell.name, to: &text)
            text += ":"
            append(cell.value, to: &text)
        }
        return text + "}"
    }

    private static func append(_ value: CellValue, to text: inout String) {
        switch value {
        case .none: text += "null"
        case .text(let string): append(string, to: &text)
        case .integer(let number): text += String(number)
        case .real(let number): text += Self.text(of: number)
        case .decimal(let number): text += number.isNaN ? "\"NaN\"" : number.description
        case .boolean(let flag): text += flag ? "true" : "false"
        case .date(let date): append(DateText.text(of: date), to: &text)
        case .data(let data): text += "\"\(data.base64EncodedString())\""
        case .composite(let elements):
            text += Self.text(of: elements)
        case .reference(let reference): append(reference.uri, to: &text)
        case .references(let references):
            text += "["
            for (index, reference) in references.enumerated() {
                if index > 0 { text += "," }
                append(reference.uri, to: &text)
            }
            text += "]"
        }
    }

    /// The shortest text that reads as the number. What is no number in JSON is a string.
    private static func text(of number: Double) -> String {
        guard number.isFinite else {
            return number.isNaN ? "\"NaN\"" : number < 0 ? "\"-Infinity\"" : "\"Infinity\""
        }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// A string, in which what controls a terminal is escaped.
    private static func append(_ string: String, to text: inout String) {
        text += "\""
        if string.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }) {
            text += string
        } else {
            for scalar in string.unicodeScalars {
                switch scalar {
                case "\"": text += "\\\""
                case "\\": text += "\\\\"
                case "\n": text += "\\n"
                case "\r": text += "\\r"
                case "\t": text += "\\t"
                case _ where TerminalText.isControl(scalar): text += JSONText.escape(scalar)
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }
}
