import CoreData

/// Bars of the times in proportion to the first arm of each workload, which the line stands for.
struct BarChart {
    let title: String
    let results: [WorkloadResult]

    /// Longer bars are cut; their number says how long they are.
    private static let longest = 10.0
    private static let (left, width, bar) = (330.0, 400.0, 14.0)

    var svg: String {
        var y = 44.0
        var body: [String] = []
        for result in results {
            body.append(text(result.workload.name, x: 10, y: y + 10))
            body.append(text("1: \(result.arms[0].name)", x: Self.left - 8, y: y + 10, anchor: "end"))
            y += Self.bar
            for arm in result.arms.dropFirst() {
                let ratio = result.ratio(arm.name) ?? 0
                let length = min(ratio, Self.longest) / Self.longest * Self.width
                body.append(text(arm.name, x: Self.left - 8, y: y + 10, anchor: "end"))
                body.append(
                    """
                    <rect x="\(Self.left)" y="\(y)" width="\(rounded(length))" height="\(Self.bar - 2)" \
                    fill="\(Self.colour(arm.name))"/>
                    """)
                body.append(text(String(format: "%.2f", ratio), x: Self.left + length + 4, y: y + 10))
                y += Self.bar
            }
            y += 8
        }
        let limit = rounded(Self.left + Self.width / Self.longest)
        let heading = "\(title): time in proportion to the first arm (the line); shorter is faster, bars end at 10"
        return SVG.document(
            width: 780, height: y + 10,
            body: [text(heading, x: 10, y: 18)] + body + [
                """
                <line x1="\(limit)" y1="36" x2="\(limit)" y2="\(y)" stroke="#d1242f" stroke-width="1.5"/>
                """
            ])
    }

    private static func colour(_ arm: String) -> String {
        switch arm {
        case _ where arm.hasPrefix(Arm.own): "#1f6feb"
        case _ where arm.hasPrefix("GRDB"): "#8b949e"
        case _ where arm.hasPrefix("SwiftData"): "#8250df"
        case Arm.python: "#d29922"
        default: "#57606a"
        }
    }

    private func text(_ text: String, x: Double, y: Double, anchor: String = "start") -> String {
        SVG.text(text, x: x, y: y, anchor: anchor)
    }

    private func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}

/// The frame of a chart.
enum SVG {
    static func document(width: Double, height: Double, body: [String]) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
        font-family="sans-serif" font-size="11" fill="#1f2328">
        <rect width="100%" height="100%" fill="#ffffff"/>
        \(body.joined(separator: "\n"))
        </svg>

        """
    }

    static func text(_ text: String, x: Double, y: Double, anchor: String = "start") -> String {
        """
        <text x="\((x * 10).rounded() / 10)" y="\((y * 10).rounded() / 10)" text-anchor="\(anchor)">\(text)</text>
        """
    }
}
