// SPDX-License-Identifier: Apache-2.0

/// The space between two columns. Each vertical part of a line has a track in it.
struct DiagramChannel {
    /// The track of each piece, from left to right.
    private(set) var tracks: [Int]
    private(set) var trackCount = 0

    private let pieces: [[(y: Double, isOnLeft: Bool)]]
    private let spans: [(low: Double, high: Double)]

    var width: Double {
        trackCount == 0
            ? DiagramMeasures.channelMargin
            : 2 * DiagramMeasures.channelMargin + Double(trackCount - 1) * DiagramMeasures.track
    }

    /// - Parameter pieces: the ends of each piece.
    init(_ pieces: [[(y: Double, isOnLeft: Bool)]]) {
        self.pieces = pieces
        spans = pieces.map { ends in (ends.map(\.y).min() ?? 0, ends.map(\.y).max() ?? 0) }
        tracks = Array(repeating: 0, count: pieces.count)
        let order = order()
        // Each piece is as far left as possible. Pieces that don't overlap may share a track.
        for (index, piece) in order.enumerated() {
            let before = order[..<index].filter { overlaps($0, piece) }.map { tracks[$0] + 1 }
            tracks[piece] = before.max() ?? 0
        }
        trackCount = (tracks.max() ?? -1) + 1
    }

    private func overlaps(_ first: Int, _ second: Int) -> Bool {
        spans[first].low - 5 < spans[second].high + 5 && spans[second].low - 5 < spans[first].high + 5
    }

    /// The pieces from left to right with few crossings. Repeatedly, each piece moves to the position with the fewest
    /// crossings.
    private func order() -> [Int] {
        var order: [Int] = []
        let sorted = pieces.indices.sorted { (spans[$0].low, $0) < (spans[$1].low, $1) }
        for piece in sorted { insert(piece, into: &order) }
        guard pieces.count <= 400 else { return order }
        for _ in 0..<4 {
            for piece in sorted {
                order.removeAll { $0 == piece }
                insert(piece, into: &order)
            }
        }
        return order
    }

    private func insert(_ piece: Int, into order: inout [Int]) {
        // The crossings for the leftmost position.
        var cost = order.reduce(0) { $0 + crossings(left: piece, right: $1) }
        var best = (cost: cost, index: 0)
        for (index, other) in order.enumerated() {
            cost += crossings(left: other, right: piece) - crossings(left: piece, right: other)
            if cost < best.cost { best = (cost, index + 1) }
        }
        order.insert(piece, at: best.index)
    }

    /// The number of crossings of two pieces if one is left of the other.
    private func crossings(left: Int, right: Int) -> Int {
        let toTheRight = pieces[left].count { !$0.isOnLeft && $0.y > spans[right].low && $0.y < spans[right].high }
        let toTheLeft = pieces[right].count { $0.isOnLeft && $0.y > spans[left].low && $0.y < spans[left].high }
        return toTheRight + toTheLeft
    }
}
