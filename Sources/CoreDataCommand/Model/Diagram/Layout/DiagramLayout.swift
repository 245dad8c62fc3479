// SPDX-License-Identifier: Apache-2.0

/// The layout of a diagram: boxes in columns, and lines in the channels between columns.
///
/// Boxes don't overlap, lines don't cross boxes, and lines don't overlap each other. Boxes are stacked in columns. A
/// line leaves its row to the side, has its own vertical track in the channel beside the column, and crosses other
/// columns in gaps that are reserved for it. The same model gives the same layout.
struct DiagramLayout {
    struct Rectangle: Equatable {
        var x, y, width, height: Double
    }

    struct Point: Equatable {
        var x, y: Double
    }

    struct Mark {
        let mark: DiagramLine.Mark
        /// The point at the box.
        let point: Point
        let isRightOfBox: Bool
    }

    /// A drawn line: its strokes, and the marks at its ends.
    struct Line {
        let line: Int
        var strokes: [[Point]] = []
        var marks: [Mark] = []
    }

    private(set) var boxes: [Rectangle] = []
    private(set) var lines: [Line]
    private(set) var width = 0.0
    private(set) var height = 0.0

    init(_ model: DiagramModel) {
        let widths = model.boxes.map(DiagramText.width(of:))
        let mean = widths.isEmpty ? 0 : widths.reduce(0, +) / Double(widths.count)
        let columnOfBox = DiagramColumns.columns(of: model, width: mean + 110)
        let grid = DiagramPositions.placed(DiagramGrid(model, columnOfBox: columnOfBox))
        lines = model.lines.indices.map { Line(line: $0) }
        guard !model.boxes.isEmpty else { return }

        let columnCount = grid.columns.count
        let piecesOfChannel = (0...columnCount).map { channel in
            grid.pieces.indices.filter { grid.pieces[$0].channel == channel }
        }
        let channels = piecesOfChannel.map { DiagramChannel($0.map { grid.pieces[$0].heights(grid.nodes) }) }
        let columnWidths = (0..<columnCount).map { column in
            model.boxes.indices.filter { columnOfBox[$0] == column }.map { widths[$0] }.max() ?? 0
        }
        // From left to right, channels and columns alternate.
        var lefts: [Double] = []
        var channelLefts: [Double] = []
        var x = 0.0
        for column in 0...columnCount {
            channelLefts.append(x)
            x +=
                column == 0 || column == columnCount
                ? (channels[column].trackCount == 0 ? 0 : channels[column].width) : channels[column].width
            if column < columnCount {
                lefts.append(x)
                x += columnWidths[column]
            }
        }
        width = x
        boxes = model.boxes.indices.map { box in
            Rectangle(
                x: lefts[columnOfBox[box]], y: grid.nodes[box].top - DiagramMeasures.boxPadding,
                width: columnWidths[columnOfBox[box]],
                height: grid.nodes[box].height + 2 * DiagramMeasures.boxPadding)
        }
        height = grid.nodes.map { $0.top + $0.height }.max() ?? 0

        for (channel, members) in piecesOfChannel.enumerated() {
            let left = channel == 0 ? channelLefts[0] : lefts[channel - 1] + columnWidths[channel - 1]
            for (index, member) in members.enumerated() {
                let track =
                    channelLefts[channel] + DiagramMeasures.channelMargin
                    + Double(channels[channel].tracks[index]) * DiagramMeasures.track
                draw(
                    grid.pieces[member], grid, track, left: left, right: channel < columnCount ? lefts[channel] : x,
                    model)
            }
        }
        drawPassages(grid, lefts, columnWidths)
    }

    /// Draws a piece: strokes from each end to the track, and along the track.
    private mutating func draw(
        _ piece: DiagramPiece, _ grid: DiagramGrid, _ track: Double, left: Double, right: Double, _ model: DiagramModel
    ) {
        let ends = piece.ends.map { end in
            (end: end, point: Point(x: end.isOnLeft ? left : right, y: grid.nodes[end.node].top + end.offset))
        }
        for (end, point) in ends {
            guard case .box(let box) = grid.nodes[end.node].kind,
                let mark = model.lines[piece.line].ends.first(where: {
                    $0.box == box && (Double($0.row) + 0.5) * DiagramMeasures.row == end.offset
                })
            else { continue }
            lines[piece.line].marks.append(Mark(mark: mark.mark, point: point, isRightOfBox: end.isOnLeft))
        }
        // The stroke of the first end continues along the track. The strokes of other ends end at the track.
        guard let first = ends.first else { return }
        for (_, point) in ends.dropFirst() {
            lines[piece.line].strokes.append([
                first.point, Point(x: track, y: first.point.y), Point(x: track, y: point.y), point,
            ])
        }
    }

    /// Draws the parts of lines that cross a column.
    private mutating func drawPassages(_ grid: DiagramGrid, _ lefts: [Double], _ widths: [Double]) {
        for node in grid.nodes {
            guard case .passage(let line) = node.kind else { continue }
            let y = node.top + node.height / 2
            lines[line].strokes.append([
                Point(x: lefts[node.column], y: y), Point(x: lefts[node.column] + widths[node.column], y: y),
            ])
        }
    }
}
