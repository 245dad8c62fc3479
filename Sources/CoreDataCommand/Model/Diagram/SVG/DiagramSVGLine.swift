// SPDX-License-Identifier: Apache-2.0

/// The SVG of a line of a diagram.
struct DiagramSVGLine {
    let line: DiagramLayout.Line
    let model: DiagramModel

    /// Colors that are visible on white, and that distinguish crossing lines.
    private static let colors = [
        "#1f5fa8", "#b3471d", "#2f7d3b", "#7a3f98", "#8a6a00", "#0e7c86", "#a8275e", "#4f5b66",
    ]

    private var color: String {
        model.lines[line.line].kind == .inheritance ? "#222222" : Self.colors[line.line % Self.colors.count]
    }

    var strokes: String {
        let paths = line.strokes.map(path).joined(separator: " ")
        return "<path class=\"line\" d=\"\(paths)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.3\">"
            + "<title>\(SVGText.escaped(model.lines[line.line].label))</title></path>"
    }

    /// A stroke with round corners.
    private func path(_ points: [DiagramLayout.Point]) -> String {
        guard let first = points.first, let last = points.last else { return "" }
        var path = "M\(text(first))"
        for index in points.indices.dropFirst().dropLast() {
            let (before, corner, after) = (points[index - 1], points[index], points[index + 1])
            let radius = min(5, distance(before, corner) / 2, distance(corner, after) / 2)
            path +=
                """
                 L\(text(toward(before, from: corner, radius))) Q\(text(corner)) \
                \(text(toward(after, from: corner, radius)))
                """
        }
        return path + " L\(text(last))"
    }

    private func text(_ point: DiagramLayout.Point) -> String {
        "\(SVGText.number(point.x)) \(SVGText.number(point.y))"
    }

    private func distance(_ first: DiagramLayout.Point, _ second: DiagramLayout.Point) -> Double {
        abs(first.x - second.x) + abs(first.y - second.y)
    }

    private func toward(_ target: DiagramLayout.Point, from corner: DiagramLayout.Point, _ length: Double)
        -> DiagramLayout.Point
    {
        let whole = distance(target, corner)
        guard whole > 0 else { return corner }
        return DiagramLayout.Point(
            x: corner.x + (target.x - corner.x) / whole * length, y: corner.y + (target.y - corner.y) / whole * length)
    }

    /// The marks at the ends of the line.
    var marks: String {
        line.marks.map { DiagramSVGMark.text($0.mark, at: $0.point, isRightOfBox: $0.isRightOfBox, color: color) }
            .joined()
    }
}

/// The mark at an end of a line: the maximum count next to the box, then the minimum count.
enum DiagramSVGMark {
    static func text(_ mark: DiagramLine.Mark, at point: DiagramLayout.Point, isRightOfBox: Bool, color: String)
        -> String
    {
        let (x, y) = (point.x, point.y)
        func at(_ distance: Double) -> String { SVGText.number(isRightOfBox ? x + distance : x - distance) }
        func bar(_ distance: Double) -> String { "M\(at(distance)) \(SVGText.number(y - 6)) v12" }
        func stroke(_ path: String) -> String {
            "<path d=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.3\"/>"
        }
        func circle(_ distance: Double) -> String {
            """
            <circle cx=\"\(at(distance))\" cy=\"\(SVGText.number(y))\" r=\"4\" fill=\"#ffffff\" \
            stroke=\"\(color)\" stroke-width=\"1.3\"/>
            """
        }
        switch mark {
        case .none: return ""
        case .parent:
            return
                """
                <path d=\"M\(at(0)) \(SVGText.number(y)) L\(at(13)) \(SVGText.number(y - 7)) v14 Z\" \
                fill=\"#ffffff\" stroke=\"\(color)\" stroke-width=\"1.3\"/>
                """
        case .one(let isOptional):
            return isOptional ? stroke(bar(6)) + circle(14) : stroke(bar(6) + " " + bar(11))
        case .many(let isOptional):
            let foot =
                "M\(at(0)) \(SVGText.number(y - 6)) L\(at(12)) \(SVGText.number(y)) L\(at(0)) \(SVGText.number(y + 6))"
            return isOptional ? stroke(foot) + circle(16) : stroke(foot + " " + bar(15))
        }
    }
}
