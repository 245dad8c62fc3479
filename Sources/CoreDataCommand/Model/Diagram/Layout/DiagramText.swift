/// How wide text is in a diagram, and the texts that fit.
///
/// Nobody knows which font shows the picture: the widths are those of a wide sans-serif, so that every other has room.
enum DiagramText {
    /// Names are cut in the middle beyond this; the whole name shows when one points at it.
    static let longestName = 56
    static let longestType = 44

    /// The width of the text in pixels.
    static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
        let thousandths = text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
        return Double(thousandths) / 1000 * size * (isBold ? 1.15 : 1)
    }

    /// How wide a box must be for its rows.
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

    /// The name of a row as it is shown.
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
        // Scripts of wide characters, and all that no table knows.
        case 0x1100...: 1_000
        default: 800
        }
    }

    /// From the space to the tilde, in thousandths of the size.
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
