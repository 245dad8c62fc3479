import CoreData

/// Bars of the times in proportion to the first arm of each workload that has several kinds of arms.
struct BarChart {
    let results: [WorkloadResult]

    private static let order = [
        (Arm.own, "#1f6feb"), (Arm.structs, "#8b949e"), (Arm.records, "#bc8cff"), (Arm.python, "#d29922"),
    ]
    private static let colours = Dictionary(uniqueKeysWithValues: order)
    /// Longer bars are cut; their number says how long they are.
    private static let longest = 10.0
    private static let (left, width, bar) = (170.0, 520.0, 14.0)

    var svg: String {
        let shown = results.filter { result in
            result.arms.first?.name == Arm.raw && result.arms.contains { $0.name == Arm.own }
        }
        var y = 60.0
        var body: [String] = []
        for result in shown {
            let arms = result.arms.filter { Self.colours[$0.name] != nil }
            let middle = y + Double(arms.count) * Self.bar / 2 + 4
            body.append(text(result.workload.name, x: Self.left - 8, y: middle, anchor: "end"))
            for arm in arms {
                let ratio = result.ratio(arm.name) ?? 0
                let length = min(ratio, Self.longest) / Self.longest * Self.width
                body.append(
                    """
                    <rect x="\(Self.left)" y="\(y)" width="\(rounded(length))" height="\(Self.bar - 2)" \
                    fill="\(Self.colours[arm.name] ?? "")"/>
                    """)
                body.append(text(String(format: "%.2f", ratio), x: Self.left + length + 4, y: y + 10))
                y += Self.bar
            }
            y += 8
        }
        let limit = Self.left + Self.width / Self.longest
        let legend = Self.order.enumerated().map { index, entry in
            let x = Self.left + Double(index) * 135
            return """
                <rect x="\(x)" y="30" width="10" height="10" fill="\(entry.1)"/>
                \(text(entry.0, x: x + 14, y: 39))
                """
        }
        return SVG.document(
            width: 780, height: y + 10,
            body: [
                text(
                    "Time in proportion to SQLite's C API (the line); shorter is faster, bars end at 10",
                    x: 10, y: 18)
            ] + legend
                + body + [
                    """
                    <line x1="\(limit)" y1="52" x2="\(limit)" y2="\(y)" stroke="#d1242f" stroke-width="1.5"/>
                    """
                ])
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
