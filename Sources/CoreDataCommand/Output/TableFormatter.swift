// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Rows as a table. Long text is truncated, line breaks are shown as `⏎`, data and to-many relationships by their
/// size.
///
/// The columns are as wide as the rows of the first page need. A wider cell of a later page widens its column from
/// there on. A table on a terminal is never wider than it: the widest columns are cut, and columns for which nothing
/// is left are named below the table.
final class TableFormatter: RecordFormatter {
    /// The maximum width of a cell, so that lines fit into a terminal.
    static let maximumCellWidth = 40

    private let columns: [String]
    private let noun: String
    private let width: Int?
    private let print: (String) throws -> Void
    private var rows: [[String]] = []
    private var count = 0
    private var layout: TableWidths?

    init(columns: [String], noun: String, width: Int? = nil, print: @escaping (String) throws -> Void) {
        self.columns = columns
        self.noun = noun
        self.width = width
        self.print = print
    }

    func add(_ record: OutputRecord) {
        let texts = Dictionary(record.cells.map { ($0.name, $0.value.text) }, uniquingKeysWith: { first, _ in first })
        rows.append(columns.map { Self.cell(texts[$0] ?? "") })
        count += 1
    }

    func finishPage() throws {
        let isFirst = layout == nil
        var layout = self.layout ?? TableWidths(terminal: width)
        layout.add(isFirst ? [columns.map { Self.cell($0) }] + rows : rows)
        self.layout = layout
        if isFirst {
            try print(layout.line(columns))
            try print(layout.rule)
        }
        for row in rows { try print(layout.line(row)) }
        rows.removeAll(keepingCapacity: true)
    }

    func finish() throws {
        try finishPage()
        try print(Wording.count(count, noun))
        let left = columns.dropFirst(layout?.shown ?? columns.count)
        guard !left.isEmpty else { return }
        try print(
            """
            \(Wording.count(left.count, "column")) not shown: \(left.joined(separator: ", ")). Use --vertical, or \
            choose columns with --fetch.
            """)
    }

    private static func cell(_ text: String) -> String {
        let line = TerminalText.visible(
            String(text.prefix(maximumCellWidth + 1).map { $0.isNewline ? "⏎" : $0 == "\t" ? " " : $0 }))
        return TerminalText.cut(line, width: maximumCellWidth)
    }
}

/// The widths of a table's columns.
struct TableWidths {
    /// The width of the terminal; nil for a table that is not cut.
    let terminal: Int?
    private(set) var widths: [Int] = []
    /// The number of columns that are shown, from the first one.
    private(set) var shown = 0

    /// A column on a terminal is cut to this width before one is left out.
    static let minimumWidth = 8
    private static let gap = 2

    /// Makes the columns as wide as these rows need. On a terminal the first rows decide the widths.
    mutating func add(_ rows: [[String]]) {
        let isFirst = widths.isEmpty
        guard isFirst || terminal == nil else { return }
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], TerminalText.width(of: cell))
            }
        }
        shown = widths.count
        if let terminal, isFirst { fit(terminal) }
    }

    /// Cuts the widest columns until the other columns fit, and leaves out the last columns if there is no space for
    /// them.
    private mutating func fit(_ terminal: Int) {
        func sum(_ limit: Int) -> Int {
            widths.prefix(shown).reduce(0) { $0 + min($1, limit) } + Self.gap * max(shown - 1, 0)
        }
        while shown > 1, sum(Self.minimumWidth) > terminal { shown -= 1 }
        var limit = max(widths.prefix(shown).max() ?? 0, 1)
        while limit > 1, sum(limit) > terminal { limit -= 1 }
        // The remaining width goes to the cut columns, from the first one.
        var rest = max(terminal - sum(limit), 0)
        for column in 0..<shown where widths[column] > limit {
            let more = min(rest, widths[column] - limit)
            widths[column] = limit + min(more, 1)
            rest -= min(more, 1)
        }
    }

    /// The line of a row, without trailing spaces.
    func line(_ row: [String]) -> String {
        var line = ""
        for (column, cell) in row.prefix(shown).enumerated() {
            let text = terminal == nil ? cell : TerminalText.cut(cell, width: widths[column])
            line += text
            let padding = widths[column] - TerminalText.width(of: text) + Self.gap
            if column < shown - 1 { line += String(repeating: " ", count: padding) }
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// The line between the names and the values.
    var rule: String {
        widths.prefix(shown).map { String(repeating: "-", count: $0) }.joined(
            separator: String(repeating: " ", count: Self.gap))
    }
}

/// Rows of text in columns. Each column is as wide as its widest cell, with two spaces between columns, and without
/// trailing spaces.
struct ColumnLayout {
    let rows: [[String]]

    private var layout: TableWidths {
        var layout = TableWidths(terminal: nil)
        layout.add(rows)
        return layout
    }

    var lines: [String] { rows.map(layout.line) }
}
