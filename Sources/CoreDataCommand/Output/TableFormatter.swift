/// Rows as a table for a person: long text is cut, line breaks are shown as `⏎`, bytes and to-many
/// relationships as their counts.
final class TableFormatter: RecordFormatter {
    /// The widest a cell may be; more would wrap in a terminal.
    static let widestCell = 40

    private let columns: [String]
    private let noun: String
    private let print: (String) throws -> Void
    private var rows: [[String]] = []

    init(columns: [String], noun: String, print: @escaping (String) throws -> Void) {
        self.columns = columns
        self.noun = noun
        self.print = print
    }

    func add(_ record: OutputRecord) {
        let texts = Dictionary(record.cells.map { ($0.name, $0.value.text) }, uniquingKeysWith: { first, _ in first })
        rows.append(columns.map { Self.cell(texts[$0] ?? "") })
    }

    func finish() throws {
        let layout = ColumnLayout(rows: [columns] + rows)
        var lines = layout.lines
        lines.insert(layout.widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
        try lines.forEach(print)
        try print(rows.count == 1 ? "1 \(noun)" : "\(rows.count) \(noun)s")
    }

    private static func cell(_ text: String) -> String {
        let line = TerminalText.visible(
            String(text.prefix(widestCell + 1).map { $0.isNewline ? "⏎" : $0 == "\t" ? " " : $0 }))
        return TerminalText.width(of: line) > widestCell
            ? TerminalText.prefix(of: line, width: widestCell - 1) + "…" : line
    }
}
