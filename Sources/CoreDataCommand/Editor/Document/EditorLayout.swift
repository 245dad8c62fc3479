// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// Where the boxes of the diagram are: at the positions of the file, or where the layout of `model diagram` puts them.
struct EditorLayout {
    /// The points on the page for one point of Xcode's drawing, whose boxes are narrower.
    static let scale = 1.5
    static let boxWidth = 192.0
    static let rowHeight = 20.0
    static let headHeight = 28.0

    struct Box {
        var x: Double
        var y: Double
        let height: Double
    }

    /// The boxes by the names of their entities, in the page's points.
    private(set) var boxes: [String: Box] = [:]
    /// Whether the file has the positions. Otherwise the first box that moves brings all positions into the file.
    let isInFile: Bool
    /// The positions that don't come from the file, kept while the model changes.
    private var automatic: [String: Box] = [:]

    /// - Parameter before: the layout of the state before, whose automatic positions stay.
    init(_ snapshot: EditorSnapshot, before: EditorLayout?) {
        let entities = snapshot.entities
        let given = Self.positions(in: snapshot.root)
        let heights = Dictionary(
            entities.map { ($0["name"] ?? "", Self.height(of: $0)) }, uniquingKeysWith: { first, _ in first })
        isInFile = Self.isDrawn(given, heights)
        var boxes: [String: Box] = [:]
        if isInFile {
            for (name, height) in heights {
                if let position = given[name] { boxes[name] = Box(x: position.x, y: position.y, height: height) }
            }
        } else if let before, !before.automatic.isEmpty {
            for (name, height) in heights {
                if let box = before.automatic[name] { boxes[name] = Box(x: box.x, y: box.y, height: height) }
            }
            // A box may have grown into the next one.
            Self.separate(&boxes)
        } else if entities.count <= Self.drawnLimit, let model = snapshot.model.model {
            boxes = Self.automatic(model, heights)
        } else {
            boxes = Self.neighbours(snapshot, heights)
        }
        Self.placeOthers(&boxes, heights)
        self.boxes = boxes
        automatic = isInFile ? [:] : boxes
    }

    static func height(of entity: SourceTree) -> Double {
        headHeight + Double(entity.properties.count) * rowHeight + 8
    }

    private static func positions(in root: SourceTree) -> [String: (x: Double, y: Double)] {
        var positions: [String: (x: Double, y: Double)] = [:]
        for element in root.child(named: "elements")?.children ?? [] {
            guard let name = element["name"], let x = element["positionX"].flatMap(Double.init),
                let y = element["positionY"].flatMap(Double.init), abs(x) < 1e6, abs(y) < 1e6
            else { continue }
            positions[name] = (x * scale, y * scale)
        }
        return positions
    }

    /// Whether positions are a drawing. The table editor of Xcode writes positions too, with most boxes above
    /// each other.
    private static func isDrawn(_ positions: [String: (x: Double, y: Double)], _ heights: [String: Double]) -> Bool {
        let boxes = heights.compactMap { name, height in positions[name].map { ($0.x, $0.y, height) } }
        guard !boxes.isEmpty, boxes.count * 2 >= heights.count else { return false }
        let places = Dictionary(grouping: boxes) { "\(Int($0.0 / boxWidth * 2)) \(Int($0.1 / 60))" }
        return places.count * 2 > boxes.count
    }

    /// Larger models have no layout without crossings: it would take long, and show little.
    private static let drawnLimit = 60

    /// Puts related entities beside each other, in columns.
    private static func neighbours(_ snapshot: EditorSnapshot, _ heights: [String: Double]) -> [String: Box] {
        var order: [String] = []
        var seen: Set<String> = []
        func visit(_ start: String) {
            var waiting = [start]
            while !waiting.isEmpty {
                let name = waiting.removeFirst()
                guard seen.insert(name).inserted, let entity = snapshot.entity(name) else { continue }
                order.append(name)
                waiting +=
                    ([entity["parentEntity"]] + entity.children(named: "relationship").map { $0["destinationEntity"] })
                    .compactMap { $0 }.filter { !seen.contains($0) }
            }
        }
        for name in snapshot.entityNames { visit(name) }
        let total = order.reduce(0) { $0 + (heights[$1] ?? 60) + 32 }
        // As wide as high.
        let columns = max(1, (total / (boxWidth + 88)).squareRoot().rounded())
        let limit = total / columns
        var boxes: [String: Box] = [:]
        var (x, y) = (0.0, 0.0)
        for name in order {
            let height = heights[name] ?? 60
            if y > 0, y + height > limit {
                x += boxWidth + 88
                y = 0
            }
            boxes[name] = Box(x: x, y: y, height: height)
            y += height + 32
        }
        return boxes
    }

    private static func automatic(_ model: NSManagedObjectModel, _ heights: [String: Double]) -> [String: Box] {
        let diagram = DiagramBuilder.diagram(of: model)
        let layout = DiagramLayout(diagram)
        var boxes: [String: Box] = [:]
        // The layout has columns of other widths, and rows of another height.
        let columns = Set(layout.boxes.map(\.x)).sorted()
        for (box, frame) in zip(diagram.boxes, layout.boxes) {
            let column = Double(columns.firstIndex(of: frame.x) ?? 0)
            boxes[box.name] = Box(x: column * (boxWidth + 96), y: frame.y * 1.15, height: heights[box.name] ?? 60)
        }
        separate(&boxes)
        return boxes
    }

    /// Moves boxes of a column down until they don't overlap.
    private static func separate(_ boxes: inout [String: Box]) {
        for (_, names) in Dictionary(grouping: boxes.keys, by: { boxes[$0]?.x ?? 0 }) {
            var bottom = -Double.infinity
            for name in names.sorted(by: { (boxes[$0]?.y ?? 0, $0) < (boxes[$1]?.y ?? 0, $1) }) {
                guard let box = boxes[name] else { continue }
                boxes[name]?.y = max(box.y, bottom)
                bottom = max(box.y, bottom) + box.height + 24
            }
        }
    }

    /// Puts entities without a position below all others, in rows.
    private static func placeOthers(_ boxes: inout [String: Box], _ heights: [String: Double]) {
        let missing = heights.keys.filter { boxes[$0] == nil }.sorted()
        guard !missing.isEmpty else { return }
        let left = boxes.values.map(\.x).min() ?? 0
        var top = boxes.values.map { $0.y + $0.height }.max().map { $0 + 40 } ?? 0
        let columns = max(4, Int(Double(heights.count).squareRoot()))
        var rowHeight = 0.0
        for (index, name) in missing.enumerated() {
            if index > 0, index % columns == 0 {
                top += rowHeight + 40
                rowHeight = 0
            }
            let height = heights[name] ?? 60
            boxes[name] = Box(x: left + Double(index % columns) * (boxWidth + 60), y: top, height: height)
            rowHeight = max(rowHeight, height)
        }
    }
}
