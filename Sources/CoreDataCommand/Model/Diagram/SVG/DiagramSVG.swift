// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A diagram as SVG.
struct DiagramSVG {
    private let model: DiagramModel
    private let layout: DiagramLayout
    private let title: String
    private let link: (String) -> String?

    /// - Parameter link: the address to which the box of an entity leads; nil for none.
    static func text(of model: DiagramModel, title: String, link: @escaping (String) -> String? = { _ in nil })
        -> String
    {
        DiagramSVG(model: model, layout: DiagramLayout(model), title: title, link: link).lines
            .joined(separator: "\n")
    }

    private let headerHeight = 34.0
    private let legendHeight = 54.0

    private var lines: [String] {
        let margin = DiagramMeasures.outerMargin
        let legend = DiagramSVGLegend()
        let width = max(layout.width, legend.width, DiagramText.width(title, size: 16, isBold: true)) + 2 * margin
        let height = layout.height + headerHeight + legendHeight + 2 * margin
        let size = "\(SVGText.number(width))\" height=\"\(SVGText.number(height))"
        return [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size)\" "
                + "viewBox=\"0 0 \(SVGText.number(width)) \(SVGText.number(height))\" "
                    + """
                    font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" \
                    font-size=\"\(SVGText.number(DiagramMeasures.textSize))\">
                    """,
            "<title>\(SVGText.escaped(title))</title>",
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
            """
            <text x=\"\(SVGText.number(margin))\" y=\"\(SVGText.number(margin + 10))\" font-size=\"16\" \
            font-weight=\"bold\">\(SVGText.escaped(title))</text>
            """,
            "<g transform=\"translate(\(SVGText.number(margin)) \(SVGText.number(margin + headerHeight)))\">",
        ]
            + layout.lines.map { DiagramSVGLine(line: $0, model: model).strokes }
            + model.boxes.indices.flatMap(box)
            + layout.lines.map { DiagramSVGLine(line: $0, model: model).marks }
            + [
                "</g>",
                "<g transform=\"translate(\(SVGText.number(margin)) \(SVGText.number(height - legendHeight)))\">",
            ]
            + legend.lines
            + ["</g>", "</svg>"]
    }

    private func box(_ index: Int) -> [String] {
        let box = model.boxes[index]
        let lines = DiagramSVGBox(box: box, frame: layout.boxes[index]).lines
        guard let link = link(box.name) else { return lines }
        return ["<a href=\"\(SVGText.escaped(link))\">"] + lines + ["</a>"]
    }
}

/// The legend below a diagram.
struct DiagramSVGLegend {
    private let marks: [(mark: DiagramLine.Mark, text: String)] = [
        (.one(isOptional: true), "one or none"), (.one(isOptional: false), "exactly one"),
        (.many(isOptional: true), "many or none"), (.many(isOptional: false), "at least one"),
        (.parent, "inherits from"),
    ]
    private let note =
        """
        Type? optional · /name derived · italic: transient, or an abstract entity's name · ← related from there, \
        without inverse
        """

    var width: Double { max(x(ofMark: marks.count), DiagramText.width(note, size: DiagramMeasures.textSize)) }

    var lines: [String] {
        marks.enumerated().map { index, entry in
            let left = x(ofMark: index)
            let mark = DiagramSVGMark.text(
                entry.mark, at: DiagramLayout.Point(x: left + 34, y: 8), isRightOfBox: false, color: "#44566c")
            return "<path d=\"M\(SVGText.number(left)) 8 h34\" stroke=\"#44566c\" stroke-width=\"1.3\"/>\(mark)"
                + "<path d=\"M\(SVGText.number(left + 34)) 0 v16\" stroke=\"#44566c\" stroke-width=\"3\"/>"
                + "<text x=\"\(SVGText.number(left + 42))\" y=\"12\" fill=\"#44566c\">\(entry.text)</text>"
        } + ["<text x=\"0\" y=\"36\" fill=\"#44566c\">\(SVGText.escaped(note))</text>"]
    }

    private func x(ofMark index: Int) -> Double {
        marks.prefix(index).reduce(0) { $0 + 66 + DiagramText.width($1.text, size: DiagramMeasures.textSize) }
    }
}

/// The SVG form of text and numbers.
enum SVGText {
    /// The text with escaped markup, and without characters that XML doesn't allow.
    static func escaped(_ text: String) -> String { MarkupText.escaped(TerminalText.visible(text)) }

    /// A number with at most one fraction digit.
    static func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }
}
