import OpenCoreData

/// Rows as a table. Long text is truncated, line breaks are shown as `⏎`, data and to-many relationships by their
/// size.
final class TableFormatter: RecordFormatter {
    /// The maximum width of a cell, so that lines fit into a terminal.
    static let maximumCellWidth = 40

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
        try print(Wording.count(rows.count, noun))
    }

    private static func cell(_ text: String) -> String {
        let line = TerminalText.visible(
            String(text.prefix(maximumCellWidth + 1).map { $0.isNewline ? "⏎" : $0 == "\t" ? " " : $0 }))
        return TerminalText.width(of: line) > maximumCellWidth
            ? TerminalText.prefix(of: line, width: maximumCellWidth - 1) + "…" : line
    }
}

/// Rows of text in columns. Each column is as wide as its widest cell, with two spaces between columns, and without
/// trailing spaces.
struct ColumnLayout {
    let rows: [[String]]

    var lines: [String] {
        let widths = self.widths
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                let padding = widths[column] - Self.width(of: cell) + 2
                if column < row.count - 1 { line += String(repeating: " ", count: padding) }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    var widths: [Int] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], Self.width(of: cell))
            }
        }
        return widths
    }

    private static func width(of text: String) -> Int { TerminalText.width(of: text) }
}
