// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Rows as one JSON array of objects, or as JSON lines, with all values: data as Base64, dates as ISO 8601, related
/// objects as URIs. Managed objects also have `objectID` and `entity`.
final class JSONFormatter: RecordFormatter {
    private let array: JSONArray

    /// - Parameter isLines: whether each row is written as one line, without an array around the rows.
    init(isLines: Bool, print: @escaping (String) throws -> Void) {
        array = JSONArray(isLines: isLines, print: print)
    }

    func add(_ record: OutputRecord) throws { try array.add(text: JSONLine.text(of: record)) }

    func finish() throws { try array.finish() }
}

/// The JSON form of a cell.
struct JSONCell: Encodable {
    let value: CellValue

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .none: try container.encodeNil()
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .real(let number): try container.encode(number)
        case .decimal(let number): try container.encode(number)
        case .boolean(let flag): try container.encode(flag)
        case .date(let date): try container.encode(DateText.text(of: date))
        case .data(let data): try container.encode(data.base64EncodedString())
        case .composite(let elements):
            try container.encode(
                Dictionary(elements.map { ($0.name, JSONCell(value: $0.value)) }, uniquingKeysWith: { $1 }))
        case .reference(let reference): try container.encode(reference.uri)
        case .references(let references): try container.encode(references.map(\.uri))
        }
    }
}

/// JSON with sorted keys, so that equal values give equal texts.
enum JSONText {
    /// The value in one line.
    static func line(of value: some Encodable) throws -> String { try text(of: value, []) }

    /// The value in indented lines.
    static func of(_ value: some Encodable) throws -> String { try text(of: value, .prettyPrinted) }

    private static func text(of value: some Encodable, _ form: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = form.union([.sortedKeys, .withoutEscapingSlashes])
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return escapingControls(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Escapes characters that JSON allows in strings, but that control a terminal. They occur in strings only.
    private static func escapingControls(_ text: String) -> String {
        let isControl: (Unicode.Scalar) -> Bool = { $0 != "\n" && TerminalText.isControl($0) }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The escape of a character below U+10000: `\u001b`.
    static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
