/// Rows of text set in columns, each as wide as its widest cell, two spaces apart; nothing trails.
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
