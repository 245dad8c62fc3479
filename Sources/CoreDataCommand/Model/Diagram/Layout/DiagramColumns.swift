// SPDX-License-Identifier: Apache-2.0

/// Assigns boxes to columns: connected boxes near each other, and columns of similar height.
struct DiagramColumns {
    private let heights: [Double]
    /// The connected boxes of each box, with the weights of the connections.
    private let neighbors: [[(box: Int, weight: Double)]]
    private let count: Int
    private let target: Double
    private var columnOfBox: [Int]
    private var columnHeights: [Double]

    /// The column of each box.
    ///
    /// - Parameter width: the width of a column with its channel.
    static func columns(of model: DiagramModel, width: Double) -> [Int] {
        guard !model.boxes.isEmpty else { return [] }
        var columns = DiagramColumns(model, width: width)
        columns.improve()
        return columns.withoutEmptyColumns
    }

    private init(_ model: DiagramModel, width: Double) {
        heights = model.boxes.map { Double($0.rows.count) * DiagramMeasures.row + DiagramMeasures.boxGap }
        let total = heights.reduce(0, +)
        let tallest = heights.max() ?? 1
        // The aspect ratio of a screen.
        let ideal = (1.5 * total / width).squareRoot()
        count = max(1, min(model.boxes.count, Int(ideal.rounded()), Int((1.3 * total / tallest).rounded(.up))))
        target = total / Double(count)

        var weights = Array(repeating: [Int: Double](), count: model.boxes.count)
        for line in model.lines {
            let first = line.ends[0].box
            for end in line.ends.dropFirst() where end.box != first {
                let weight = line.kind == .inheritance ? 1.5 : 1.0
                weights[first][end.box, default: 0] += weight
                weights[end.box][first, default: 0] += weight
            }
        }
        neighbors = weights.map { $0.sorted { $0.key < $1.key }.map { (box: $0.key, weight: $0.value) } }
        columnOfBox = Array(repeating: 0, count: heights.count)
        columnHeights = Array(repeating: 0, count: count)
        fill()
    }

    /// Fills column after column with boxes in the order of a graph traversal.
    private mutating func fill() {
        var column = 0
        for box in walk() {
            if column < count - 1, columnHeights[column] > 0, columnHeights[column] + heights[box] / 2 > target {
                column += 1
            }
            columnOfBox[box] = column
            columnHeights[column] += heights[box]
        }
    }

    /// Traverses each component of the graph breadth-first, from a peripheral box.
    private func walk() -> [Int] {
        var order: [Int] = []
        var isSeen = Array(repeating: false, count: heights.count)
        // Large components are first. Boxes without connections are last and fill gaps.
        let starts = heights.indices.sorted {
            (neighbors[$0].isEmpty ? 1 : 0, $0) < (neighbors[$1].isEmpty ? 1 : 0, $1)
        }
        for start in starts where !isSeen[start] {
            let rim = breadthFirst(from: start).last ?? start
            for box in breadthFirst(from: rim) {
                isSeen[box] = true
                order.append(box)
            }
        }
        return order
    }

    private func breadthFirst(from start: Int) -> [Int] {
        var order = [start]
        var isSeen: Set<Int> = [start]
        var next = 0
        while next < order.count {
            for neighbor in neighbors[order[next]] where isSeen.insert(neighbor.box).inserted {
                order.append(neighbor.box)
            }
            next += 1
        }
        return order
    }

    /// Moves and swaps boxes while lines become shorter or columns more similar in height.
    private mutating func improve() {
        let boxes = heights.indices
        for _ in 0..<40 {
            var hasImproved = false
            for box in boxes {
                for column in 0..<count where column != columnOfBox[box] {
                    if tryChange({ $0.place(box, in: column) }, of: [box]) { hasImproved = true }
                }
            }
            // All pairs are tried for few boxes only.
            if boxes.count <= 150 {
                for box in boxes {
                    for other in boxes where other > box && columnOfBox[other] != columnOfBox[box] {
                        let (left, right) = (columnOfBox[box], columnOfBox[other])
                        if tryChange(
                            {
                                $0.place(box, in: right)
                                $0.place(other, in: left)
                            }, of: [box, other])
                        {
                            hasImproved = true
                        }
                    }
                }
            }
            if !hasImproved { return }
        }
    }

    private mutating func tryChange(_ change: (inout DiagramColumns) -> Void, of boxes: [Int]) -> Bool {
        let columns = boxes.map { columnOfBox[$0] }
        let before = cost(of: boxes)
        change(&self)
        if cost(of: boxes) < before - 1e-9 { return true }
        for (box, column) in zip(boxes, columns) { place(box, in: column) }
        return false
    }

    private mutating func place(_ box: Int, in column: Int) {
        columnHeights[columnOfBox[box]] -= heights[box]
        columnOfBox[box] = column
        columnHeights[column] += heights[box]
    }

    private func cost(of boxes: [Int]) -> Double {
        var cost = 0.0
        for box in boxes {
            for neighbor in neighbors[box] {
                let distance = abs(columnOfBox[box] - columnOfBox[neighbor.box])
                cost += neighbor.weight * (distance == 0 ? 0.7 : Double(distance - 1) * 2.2)
            }
        }
        for height in columnHeights {
            let excess = (height - target) / target
            // A column that is too high costs more than a low one: it makes the diagram higher.
            cost += excess * excess * (excess > 0 ? 40 : 12)
        }
        return cost
    }

    private var withoutEmptyColumns: [Int] {
        let used = Set(columnOfBox).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($0.element, $0.offset) })
        return columnOfBox.map { numbers[$0] ?? 0 }
    }
}
