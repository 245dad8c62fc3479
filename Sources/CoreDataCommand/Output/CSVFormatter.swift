import OpenCoreData

/// Rows as comma-separated values (RFC 4180) with a header. Bytes are Base64. The objects of a to-many relationship are
/// written as `Entity/p1`, separated by spaces.
final class CSVFormatter: RecordFormatter {
    private let columns: [String]
    private let print: (String) throws -> Void
    private var headerIsPrinted = false

    init(columns: [String], print: @escaping (String) throws -> Void) {
        self.columns = columns
        self.print = print
    }

    func add(_ record: OutputRecord) throws {
        try printHeader()
        let cells = Dictionary(
            record.cells.map { ($0.name, Self.text(of: $0.value)) }, uniquingKeysWith: { first, _ in first })
        try line(columns.map { cells[$0] ?? "" })
    }

    func finish() throws {
        try printHeader()
    }

    private func printHeader() throws {
        guard !headerIsPrinted else { return }
        headerIsPrinted = true
        try line(columns)
    }

    private func line(_ cells: [String]) throws {
        try print(cells.map(Self.quoted).joined(separator: ",") + "\r")
    }

    private static func text(of value: CellValue) -> String {
        switch value {
        case .data(let data): data.base64EncodedString()
        case .references(let references): references.map(\.short).joined(separator: " ")
        default: value.text
        }
    }

    private static func quoted(_ text: String) -> String {
        // Scalars are compared: CR LF is one character, which equals neither CR nor LF.
        let needsQuotes = text.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }
        return needsQuotes ? "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : text
    }
}
