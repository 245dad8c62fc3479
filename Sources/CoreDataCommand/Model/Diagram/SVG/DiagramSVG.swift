/// A diagram as SVG.
struct DiagramSVG {
    private let model: DiagramModel
    private let layout: DiagramLayout
    private let title: String

    static func text(of model: DiagramModel, title: String) -> String {
        DiagramSVG(model: model, layout: DiagramLayout(model), title: title).lines.joined(separator: "\n")
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
            + model.boxes.indices.flatMap { DiagramSVGBox(box: model.boxes[$0], frame: layout.boxes[$0]).lines }
            + layout.lines.map { DiagramSVGLine(line: $0, model: model).marks }
            + [
                "</g>",
                "<g transform=\"translate(\(SVGText.number(margin)) \(SVGText.number(height - legendHeight)))\">",
            ]
            + legend.lines
            + ["</g>", "</svg>"]
    }
}
