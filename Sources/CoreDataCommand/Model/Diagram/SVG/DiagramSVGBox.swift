// SPDX-License-Identifier: Apache-2.0

/// The SVG of the box of an entity: a bar with its name, and a row for each property.
struct DiagramSVGBox {
    let box: DiagramBox
    let frame: DiagramLayout.Rectangle

    var lines: [String] {
        let headRows = box.rows.count > 1 && box.rows[1].kind == .parent ? 2 : 1
        let headHeight = Double(headRows) * DiagramMeasures.row + DiagramMeasures.boxPadding
        let dashes = box.isAbstract ? " stroke-dasharray=\"5 3\"" : ""
        var lines = [
            "<g class=\"entity\"><title>\(SVGText.escaped(box.name))</title>",
            "<rect class=\"box\" \(rectangle(height: frame.height)) rx=\"5\" fill=\"#ffffff\"/>",
            "<path d=\"\(headPath(headHeight))\" fill=\"#dfe8f5\"/>",
            """
            <rect \(rectangle(height: frame.height)) rx=\"5\" fill=\"none\" stroke=\"#44566c\" \
            stroke-width=\"1.2\"\(dashes)/>
            """,
        ]
        for (index, row) in box.rows.enumerated() { lines += text(of: row, at: index) }
        return lines + ["</g>"]
    }

    private func rectangle(height: Double) -> String {
        """
        x=\"\(SVGText.number(frame.x))\" y=\"\(SVGText.number(frame.y))\" width=\"\(SVGText.number(frame.width))\" \
        height=\"\(SVGText.number(height))\"
        """
    }

    /// The bar with the name, with round upper corners.
    private func headPath(_ height: Double) -> String {
        let (x, y) = (SVGText.number(frame.x), SVGText.number(frame.y + height))
        let isWhole = height >= frame.height - DiagramMeasures.boxPadding
        let bottom = isWhole ? frame.y + frame.height - 5 : frame.y + height
        let foot = isWhole ? "v0 a5 5 0 0 1 -5 5 h\(SVGText.number(10 - frame.width)) a5 5 0 0 1 -5 -5" : "H\(x)"
        let start = isWhole ? "M\(x) \(SVGText.number(bottom))" : "M\(x) \(y)"
        return
            """
            \(start) V\(SVGText.number(frame.y + 5)) a5 5 0 0 1 5 -5 h\(SVGText.number(frame.width - 10)) a5 5 0 0 \
            1 5 5 
            """
                + "V\(SVGText.number(bottom)) \(foot) Z"
    }

    private func text(of row: DiagramRow, at index: Int) -> [String] {
        let middle = frame.y + DiagramMeasures.boxPadding + (Double(index) + 0.5) * DiagramMeasures.row
        let y = SVGText.number(middle + DiagramText.size(of: row) * 0.35)
        let name = DiagramText.shownName(of: row)
        let type = DiagramText.shownType(of: row)
        let isCut = name.count < row.name.count || type.count < row.type.count
        let whole = isCut ? "<title>\(SVGText.escaped("\(row.name)  \(row.type)"))</title>" : ""
        var lines: [String] = []
        if index > 0, row.kind == .relationship, box.rows[index - 1].kind == .attribute {
            let top = SVGText.number(middle - DiagramMeasures.row / 2)
            lines.append(
                "<path d=\"M\(SVGText.number(frame.x)) \(top) h\(SVGText.number(frame.width))\" stroke=\"#c4cedb\"/>")
        }
        lines.append(
            """
            <text x=\"\(SVGText.number(frame.x + DiagramMeasures.inset))\" \
            y=\"\(y)\"\(style(of: row))>\(SVGText.escaped(name))\(whole)</text>
            """
        )
        if !type.isEmpty {
            lines.append(
                """
                <text x=\"\(SVGText.number(frame.x + frame.width - DiagramMeasures.inset))\" y=\"\(y)\" \
                text-anchor=\"end\" fill=\"#5b6673\">
                """
                    + "\(SVGText.escaped(type))\(whole)</text>")
        }
        return lines
    }

    private func style(of row: DiagramRow) -> String {
        switch row.kind {
        case .title:
            return " font-size=\"\(SVGText.number(DiagramMeasures.titleSize))\" font-weight=\"bold\""
                + (box.isAbstract ? " font-style=\"italic\"" : "")
        case .parent: return " fill=\"#44566c\""
        case .incoming, .fetchedProperty: return " fill=\"#5b6673\" font-style=\"italic\""
        case .attribute, .relationship: return row.isTransient ? " font-style=\"italic\"" : ""
        }
    }
}
