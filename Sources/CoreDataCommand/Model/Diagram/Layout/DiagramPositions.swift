// SPDX-License-Identifier: Apache-2.0

/// Computes the order and the vertical positions of the nodes in each column, so that connected nodes are near each
/// other.
struct DiagramPositions {
    private var grid: DiagramGrid
    /// The boxes without connections in each column. They are placed last, in free space.
    private let loners: [[Int]]

    static func placed(_ grid: DiagramGrid) -> DiagramGrid {
        var positions = DiagramPositions(grid: grid)
        positions.order()
        positions.moveToFinalRows()
        positions.addLoners()
        return positions.grid
    }

    private init(grid: DiagramGrid) {
        self.grid = grid
        loners = grid.columns.map { $0.filter { grid.piecesOfNode[$0].isEmpty } }
        for column in grid.columns.indices { self.grid.columns[column].removeAll { grid.piecesOfNode[$0].isEmpty } }
        for column in grid.columns.indices { stack(column) }
    }

    /// Sorts the nodes of each column by the positions of their connected nodes, in several sweeps, and uses the best
    /// order.
    private mutating func order() {
        var best = grid
        var bestCost = cost
        let columns = Array(grid.columns.indices)
        for sweep in 0..<24 {
            for column in sweep % 2 == 0 ? columns : columns.reversed() {
                let wanted = Dictionary(uniqueKeysWithValues: grid.columns[column].map { ($0, wantedTop(of: $0).top) })
                grid.columns[column] = grid.columns[column].enumerated().sorted { left, right in
                    let (first, second) = (center(left.element, wanted), center(right.element, wanted))
                    return first == second ? left.offset < right.offset : first < second
                }.map(\.element)
                align(column)
            }
            if sweep > 0 { swapNeighbors() }
            let cost = self.cost
            if cost < bestCost {
                best = grid
                bestCost = cost
            }
        }
        grid = best
    }

    private func center(_ node: Int, _ wanted: [Int: Double]) -> Double {
        (wanted[node] ?? 0) + grid.nodes[node].height / 2
    }

    /// Swaps consecutive nodes if lines become shorter.
    private mutating func swapNeighbors() {
        for column in grid.columns.indices {
            for index in grid.columns[column].indices.dropLast() {
                let (upper, lower) = (grid.columns[column][index], grid.columns[column][index + 1])
                let before = length(of: [upper, lower])
                let (upperTop, lowerTop) = (grid.nodes[upper].top, grid.nodes[lower].top)
                grid.columns[column].swapAt(index, index + 1)
                grid.move(lower, to: upperTop)
                grid.move(upper, to: lowerTop + grid.nodes[lower].height - grid.nodes[upper].height)
                if length(of: [upper, lower]) >= before {
                    grid.columns[column].swapAt(index, index + 1)
                    grid.move(upper, to: upperTop)
                    grid.move(lower, to: lowerTop)
                }
            }
        }
    }

    /// Moves the nodes to their final positions on the grid of rows. The top node is at 0.
    private mutating func moveToFinalRows() {
        let columns = Array(grid.columns.indices)
        for sweep in 0..<30 {
            for column in sweep % 2 == 0 ? columns : columns.reversed() { align(column) }
        }
        let placed = grid.columns.flatMap { $0 }
        let highest = placed.map { grid.nodes[$0].top }.min() ?? 0
        for index in placed {
            let offset = DiagramMeasures.offset(ofColumn: grid.nodes[index].column)
            let rows = ((grid.nodes[index].top - highest - offset) / DiagramMeasures.row).rounded()
            grid.move(index, to: max(0, rows) * DiagramMeasures.row + offset)
        }
        // Rounding may have moved nodes one row too close.
        for column in columns { separate(column) }
    }

    /// Adds the boxes without connections at the top of their columns if there is space, else at the bottom.
    private mutating func addLoners() {
        for column in grid.columns.indices {
            let offset = DiagramMeasures.offset(ofColumn: column)
            for loner in loners[column] {
                let height = grid.nodes[loner].height
                if let first = grid.columns[column].first, let last = grid.columns[column].last {
                    let above = grid.nodes[first].top - grid.gap(loner, first) - height
                    let below = grid.nodes[last].top + grid.nodes[last].height + grid.gap(last, loner)
                    grid.move(loner, to: above >= offset ? above : below)
                    grid.columns[column].insert(loner, at: above >= offset ? 0 : grid.columns[column].count)
                } else {
                    grid.move(loner, to: offset)
                    grid.columns[column].append(loner)
                }
            }
        }
    }

    private mutating func separate(_ column: Int) {
        var previous: Int?
        for node in grid.columns[column] {
            if let previous {
                let least = grid.nodes[previous].top + grid.nodes[previous].height + grid.gap(previous, node)
                if grid.nodes[node].top < least { grid.move(node, to: least) }
            }
            previous = node
        }
    }

    private mutating func stack(_ column: Int) {
        for node in grid.columns[column] { grid.move(node, to: 0) }
        separate(column)
    }

    /// Moves the nodes of a column as near to their desired positions as their order allows. Neighbours that would
    /// overlap form a block, which moves to the mean of their desired positions.
    private mutating func align(_ column: Int) {
        var blocks: [(start: Double, weight: Double, count: Int)] = []
        var below = 0.0
        var shifts: [Double] = []
        for (index, node) in grid.columns[column].enumerated() {
            if index > 0 {
                let previous = grid.columns[column][index - 1]
                below += grid.nodes[previous].height + grid.gap(previous, node)
            }
            shifts.append(below)
            let wish = wantedTop(of: node)
            blocks.append((wish.top - below, wish.weight, 1))
            while blocks.count > 1, blocks[blocks.count - 2].start > blocks[blocks.count - 1].start {
                let last = blocks.removeLast()
                let previous = blocks.removeLast()
                let weight = last.weight + previous.weight
                blocks.append(
                    (
                        (last.start * last.weight + previous.start * previous.weight) / weight, weight,
                        last.count + previous.count
                    ))
            }
        }
        var index = 0
        for block in blocks {
            for _ in 0..<block.count {
                grid.move(grid.columns[column][index], to: block.start + shifts[index])
                index += 1
            }
        }
    }

    /// The desired position of a node, and its weight.
    private func wantedTop(of node: Int) -> (top: Double, weight: Double) {
        var sum = 0.0
        var weight = 0.0
        for piece in grid.piecesOfNode[node].map({ grid.pieces[$0] }) {
            let own = piece.ends.filter { $0.node == node }
            let others = piece.ends.filter { $0.node != node }
            guard let end = own.first, !others.isEmpty else { continue }
            // Passages have a greater weight, so that lines are straight.
            let strength = grid.nodes[node].isPassage ? 2.0 : 1.0
            let mean = others.reduce(0) { $0 + grid.nodes[$1.node].top + $1.offset } / Double(others.count)
            sum += strength * (mean - end.offset)
            weight += strength
        }
        // A node without connections stays, unless another node needs its space.
        return weight == 0 ? (grid.nodes[node].top, 0.01) : (sum / weight, weight)
    }

    /// The length of the pieces at these nodes. They are added in a fixed order: the floating-point sum, and so the
    /// layout, depends on the order.
    private func length(of nodes: [Int]) -> Double {
        Set(nodes.flatMap { grid.piecesOfNode[$0] }).sorted().reduce(0) { $0 + length(of: grid.pieces[$1]) }
    }

    private func length(of piece: DiagramPiece) -> Double {
        let heights = piece.heights(grid.nodes).map(\.y)
        return (heights.max() ?? 0) - (heights.min() ?? 0)
    }

    /// The length of all lines, and the height of the diagram.
    private var cost: Double {
        let placed = grid.columns.flatMap { $0 }.map { grid.nodes[$0] }
        let height = (placed.map { $0.top + $0.height }.max() ?? 0) - (placed.map(\.top).min() ?? 0)
        return grid.pieces.reduce(0) { $0 + length(of: $1) } + 2 * height
    }
}
