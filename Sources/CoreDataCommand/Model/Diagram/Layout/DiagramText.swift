// SPDX-License-Identifier: Apache-2.0

/// The width of text in a diagram, and truncated text.
///
/// The font of the viewer is unknown. The widths are taken from a wide sans-serif font, so that other fonts fit.
enum DiagramText {
    /// The maximum width of names. A longer name is truncated in the middle; the tooltip has the complete name.
    static let longestName = 56
    static let longestType = 44

    /// The width of the text in pixels.
    static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
        let thousandths = text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
        return Double(thousandths) / 1000 * size * (isBold ? 1.15 : 1)
    }

    /// The width of a box for its rows.
    static func width(of box: DiagramBox) -> Double {
        let rows = box.rows.map { row in
            let name = width(shownName(of: row), size: size(of: row), isBold: row.kind == .title)
            let type =
                row.type.isEmpty
                ? 0 : DiagramMeasures.nameGap + width(shownType(of: row), size: DiagramMeasures.textSize)
            return name + type
        }
        return max(90, ((rows.max() ?? 0) + 2 * DiagramMeasures.inset).rounded(.up))
    }

    static func size(of row: DiagramRow) -> Double {
        row.kind == .title ? DiagramMeasures.titleSize : DiagramMeasures.textSize
    }

    /// The displayed name of a row.
    static func shownName(of row: DiagramRow) -> String {
        let name = shortened(TerminalText.visible(row.name), to: longestName)
        return switch row.kind {
        case .parent: ": \(name)"
        case .incoming: "← \(name)"
        default: name
        }
    }

    static func shownType(of row: DiagramRow) -> String { shortened(TerminalText.visible(row.type), to: longestType) }

    private static func shortened(_ text: String, to limit: Int) -> String {
        guard text.count > limit else { return text }
        return text.prefix(limit / 2) + "…" + text.suffix(limit - limit / 2 - 1)
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7f: widths[Int(scalar.value) - 0x20]
        case 0x300...0x36f, 0x200b...0x200d, 0xfe00...0xfe0f: 0
        // Scripts with wide characters, and characters that aren't in the table.
        case 0x1100...: 1_000
        default: 800
        }
    }

    /// The widths from space to tilde, in thousandths of the font size.
    private static let widths = [
        318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636,
        636, 636, 636, 636,
        337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
        603, 787, 695, 635,
        611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278,
        278, 579, 278, 974,
        634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
    ]
}

/// The measures of a diagram, in pixels.
///
/// All vertical positions are on a grid of rows. Columns with odd numbers are half a row lower. So two lines that enter
/// a channel from its two sides have different heights and don't overlap.
enum DiagramMeasures {
    static let row = 20.0
    static let titleSize = 13.0
    static let textSize = 12.0
    /// The space between the edge of a box and its text.
    static let inset = 10.0
    /// The space between a name and its type.
    static let nameGap = 22.0
    /// The space between the edge of a box and its first or last row.
    static let boxPadding = 4.0
    static let boxGap = 2 * row
    static let lineGap = row
    /// The space between two vertical lines.
    static let track = 9.0
    /// The space between a box and the first vertical line, for a crow's foot.
    static let channelMargin = 30.0
    static let outerMargin = 24.0

    static func offset(ofColumn column: Int) -> Double { column % 2 == 0 ? 0 : row / 2 }
}
