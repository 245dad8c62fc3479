/// Objects as a table for a person: long text is cut, line breaks are shown as `⏎`, bytes and to-many
/// relationships as their counts.
final class TableFormatter: ObjectFormatter {
    /// The widest a cell may be; more would wrap in a terminal.
    static let widestCell = 40

    private let columns: [String]
    private let print: (String) throws -> Void
    private var rows: [[String]] = []

    init(columns: [String], print: @escaping (String) throws -> Void) {
        self.columns = columns
        self.print = print
    }

    func add(_ record: ObjectRecord) {
        let texts = Dictionary(record.cells.map { ($0.name, $0.value.text) }, uniquingKeysWith: { first, _ in first })
        rows.append([record.reference.short] + columns.map { Self.cell(texts[$0] ?? "") })
    }

    func finish() throws {
        let header = ["objectID"] + columns
        let layout = ColumnLayout(rows: [header] + rows)
        var lines = layout.lines
        lines.insert(layout.widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
        try lines.forEach(print)
        try print(rows.count == 1 ? "1 object" : "\(rows.count) objects")
    }

    private static func cell(_ text: String) -> String {
        let line = TerminalText.visible(String(text.prefix(widestCell + 1).map { $0.isNewline ? "⏎" : $0 == "\t" ? " " : $0 }))
        return TerminalText.width(of: line) > widestCell ? TerminalText.prefix(of: line, width: widestCell - 1) + "…" : line
    }
}
