import CoreData

/// Lines over sizes, both axes logarithmic.
struct LineChart {
    struct Line {
        let name: String
        let colour: String
        let isDashed: Bool
        let points: [(x: Double, y: Double)]
    }

    let title: String
    let lines: [Line]

    private static let (left, top, width, height) = (80.0, 40.0, 520.0, 340.0)

    var svg: String {
        let points = lines.flatMap(\.points)
        let x = Axis(points.map(\.x), start: Self.left, length: Self.width)
        let y = Axis(points.map(\.y), start: Self.top + Self.height, length: -Self.height)
        var body = [SVG.text(title, x: 10, y: 20)]
        for power in x.powers {
            body.append(grid(x.place(pow(10, Double(power))), Self.top, 0, Self.height))
            let label = Numbers.count(Int(pow(10, Double(power))))
            body.append(
                SVG.text(label, x: x.place(pow(10, Double(power))), y: Self.top + Self.height + 18, anchor: "middle"))
        }
        for power in y.powers {
            body.append(grid(Self.left, y.place(pow(10, Double(power))), Self.width, 0))
            let label = Numbers.seconds(pow(10, Double(power)))
            body.append(SVG.text(label, x: Self.left - 6, y: y.place(pow(10, Double(power))) + 4, anchor: "end"))
        }
        for (index, line) in lines.enumerated() {
            let coordinates = line.points.map {
                String(format: "%.1f,%.1f", x.place($0.x), y.place($0.y))
            }
            let dashes = line.isDashed ? " stroke-dasharray=\"5 4\"" : ""
            body.append(
                """
                <polyline points="\(coordinates.joined(separator: " "))" fill="none" stroke="\(line.colour)" \
                stroke-width="2"\(dashes)/>
                """)
            let place = Self.top + 10 + Double(index) * 20
            body.append(
                """
                <line x1="\(Self.left + Self.width + 15)" y1="\(place)" x2="\(Self.left + Self.width + 40)" \
                y2="\(place)" stroke="\(line.colour)" stroke-width="2"\(dashes)/>
                """)
            body.append(SVG.text(line.name, x: Self.left + Self.width + 46, y: place + 4))
        }
        return SVG.document(width: Self.left + Self.width + 220, height: Self.top + Self.height + 35, body: body)
    }

    private func grid(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        """
        <line x1="\(x)" y1="\(y)" x2="\(x + width)" y2="\(y + height)" stroke="#d0d7de"/>
        """
    }

    /// From one power of ten to another.
    private struct Axis {
        let powers: ClosedRange<Int>
        let start: Double
        let length: Double

        init(_ values: [Double], start: Double, length: Double) {
            let logarithms = values.filter { $0 > 0 }.map(log10)
            let first = Int((logarithms.min() ?? 0).rounded(.down))
            powers = first...max(first + 1, Int((logarithms.max() ?? 1).rounded(.up)))
            self.start = start
            self.length = length
        }

        func place(_ value: Double) -> Double {
            let part = (log10(value) - Double(powers.lowerBound)) / Double(powers.count - 1)
            return ((start + part * length) * 10).rounded() / 10
        }
    }
}
