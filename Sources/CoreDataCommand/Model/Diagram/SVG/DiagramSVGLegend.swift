/// What the signs of a diagram mean, below it.
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
