// SPDX-License-Identifier: Apache-2.0

/// A node in a column of a diagram: a box, or a passage of a line between boxes.
struct DiagramNode {
    enum Kind: Equatable {
        case box(Int)
        /// The passage of the line with an index.
        case passage(Int)
    }

    let kind: Kind
    let column: Int
    let height: Double
    /// The y coordinate of the upper edge.
    var top = 0.0

    var isPassage: Bool {
        if case .passage = kind { true } else { false }
    }
}

/// The part of a line inside one channel. It connects ends on the left and on the right side of the channel.
struct DiagramPiece {
    struct End: Equatable {
        let node: Int
        /// The offset from the upper edge of the node.
        let offset: Double
        let isOnLeft: Bool
    }

    let line: Int
    /// The channel, as the number of the column on its right.
    let channel: Int
    let ends: [End]

    func heights(_ nodes: [DiagramNode]) -> [(y: Double, isOnLeft: Bool)] {
        ends.map { (nodes[$0.node].top + $0.offset, $0.isOnLeft) }
    }
}

/// The nodes of the columns of a diagram, and the pieces of its lines.
struct DiagramGrid {
    private(set) var nodes: [DiagramNode] = []
    private(set) var pieces: [DiagramPiece] = []
    /// The nodes of each column, from top to bottom after `DiagramPositions`.
    var columns: [[Int]]
    /// The pieces that end at each node.
    private(set) var piecesOfNode: [[Int]] = []

    /// - Parameter columnOfBox: the column of each box.
    init(_ model: DiagramModel, columnOfBox: [Int]) {
        let count = (columnOfBox.max() ?? 0) + 1
        columns = Array(repeating: [], count: count)
        for (index, box) in model.boxes.enumerated() {
            add(.box(index), column: columnOfBox[index], height: Double(box.rows.count) * DiagramMeasures.row)
        }
        var load = Array(repeating: 0, count: count + 1)
        for (index, line) in model.lines.enumerated() { add(line, index, columnOfBox, &load) }
        piecesOfNode = Array(repeating: [], count: nodes.count)
        for (index, piece) in pieces.enumerated() {
            for end in piece.ends { piecesOfNode[end.node].append(index) }
        }
    }

    @discardableResult
    private mutating func add(_ kind: DiagramNode.Kind, column: Int, height: Double) -> Int {
        nodes.append(DiagramNode(kind: kind, column: column, height: height))
        columns[column].append(nodes.count - 1)
        return nodes.count - 1
    }

    /// Splits a line into pieces: from its first end to the right, to the left, and to ends in the same column.
    private mutating func add(_ line: DiagramLine, _ index: Int, _ columnOfBox: [Int], _ load: inout [Int]) {
        let first = line.ends[0]
        let home = columnOfBox[first.box]
        let others = line.ends.dropFirst()
        let right = others.filter { columnOfBox[$0.box] > home }
        let left = others.filter { columnOfBox[$0.box] < home }
        let same = others.filter { columnOfBox[$0.box] == home }
        let sameGoesRight = !right.isEmpty || (left.isEmpty && load[home + 1] <= load[home])
        if !right.isEmpty || (!same.isEmpty && sameGoesRight) {
            add(index, from: first, home, to: right, same: same, step: 1, columnOfBox, &load)
        }
        if !left.isEmpty || (!same.isEmpty && !sameGoesRight) {
            add(index, from: first, home, to: left, same: sameGoesRight ? [] : same, step: -1, columnOfBox, &load)
        }
    }

    private mutating func add(
        _ line: Int, from first: DiagramLine.End, _ home: Int, to others: [DiagramLine.End], same: [DiagramLine.End],
        step: Int,
        _ columnOfBox: [Int], _ load: inout [Int]
    ) {
        let isGoingRight = step > 0
        let farthest = others.map { abs(columnOfBox[$0.box] - home) }.max() ?? 1
        var near = ([first] + same).map { end($0, isOnLeft: isGoingRight) }
        for distance in 1...farthest {
            let column = home + step * distance
            let channel = isGoingRight ? column : column + 1
            var far = others.filter { columnOfBox[$0.box] == column }.map { end($0, isOnLeft: !isGoingRight) }
            var next: [DiagramPiece.End] = []
            if distance < farthest {
                let passage = add(.passage(line), column: column, height: DiagramMeasures.row)
                far.append(DiagramPiece.End(node: passage, offset: DiagramMeasures.row / 2, isOnLeft: !isGoingRight))
                next = [DiagramPiece.End(node: passage, offset: DiagramMeasures.row / 2, isOnLeft: isGoingRight)]
            }
            pieces.append(DiagramPiece(line: line, channel: channel, ends: near + far))
            load[channel] += 1
            near = next
        }
    }

    private func end(_ end: DiagramLine.End, isOnLeft: Bool) -> DiagramPiece.End {
        DiagramPiece.End(node: end.box, offset: (Double(end.row) + 0.5) * DiagramMeasures.row, isOnLeft: isOnLeft)
    }

    mutating func move(_ node: Int, to top: Double) { nodes[node].top = top }

    /// The space between two consecutive nodes of a column.
    func gap(_ upper: Int, _ lower: Int) -> Double {
        if nodes[upper].isPassage && nodes[lower].isPassage { return 0 }
        return nodes[upper].isPassage || nodes[lower].isPassage ? DiagramMeasures.lineGap : DiagramMeasures.boxGap
    }
}
