import CoreData
import Testing

@testable import CoreDataCommand

@Suite("Diagrams: layout")
struct DiagramLayoutTests {
    @Test(
        "Boxes don't overlap, lines don't cross boxes, and lines don't overlap",
        arguments: TestRun.quick([0, 1, 2, 5, 24, 60], long: [0, 1, 2, 5, 24, 60, 150]))
    func random(count: Int) {
        let seed = UInt64(count) &* 7_919 &+ 3
        let model = RandomDiagram.model(boxes: count, seed: seed)
        DiagramCheck.check(model, "seed \(seed)")
    }

    @Test(
        "The same holds for real models", .enabled(if: Corpus.isPresent),
        arguments: ["chat/zmessaging.xcdatamodeld", "shop/SampleModel.xcdatamodeld", "recipes/Recipes.xcdatamodeld"])
    func corpus(path: String) throws {
        let model = try ModelSource.model(at: Corpus.path(path))
        DiagramCheck.check(DiagramBuilder.diagram(of: model), path)
    }

    @Test("The same model gives the same layout")
    func deterministic() {
        let model = RandomDiagram.model(boxes: 30, seed: 5)
        expectEqual(DiagramSVG.text(of: model, title: "x"), DiagramSVG.text(of: model, title: "x"))
    }

    @Test("A relationship has a mark at both ends, each at its own row")
    func ends() throws {
        let folder = try TemporaryFolder()
        let diagram = DiagramBuilder.diagram(of: try ModelSource.model(at: SampleModel.write(to: folder)))
        let line = try requireValue(diagram.lines.first)
        expectEqual(diagram.boxes[line.ends[0].box].name, "Car")
        expectEqual(diagram.boxes[line.ends[0].box].rows[line.ends[0].row].name, "owner")
        // A person has many cars, so the crow's foot is at the car.
        expectEqual(line.ends[0].mark, .many(isOptional: true))
        expectEqual(diagram.boxes[line.ends[1].box].rows[line.ends[1].row].name, "cars")
        expectEqual(line.ends[1].mark, .one(isOptional: true))
    }
}

/// The invariants of a layout.
enum DiagramCheck {
    static func check(_ model: DiagramModel, _ subject: String) {
        let layout = DiagramLayout(model)
        expectEqual(layout.boxes.count, model.boxes.count, "\(subject)")
        for (index, box) in layout.boxes.enumerated() {
            #expect(box.x >= 0, "\(subject): \(index) is outside")
            #expect(box.y >= -DiagramMeasures.boxPadding, "\(subject): \(index) is outside")
            #expect(box.x + box.width <= layout.width + 0.1, "\(subject): \(index) is outside")
            for other in layout.boxes[(index + 1)...] where overlap(box, other) {
                Issue.record("\(subject): box \(index) overlaps another")
            }
            for row in model.boxes[index].rows {
                #expect(DiagramText.width(of: model.boxes[index]) <= box.width, "\(subject): \(row.name) is too wide")
            }
        }
        let segments = layout.lines.flatMap { line in
            line.strokes.flatMap { stroke in zip(stroke, stroke.dropFirst()).map { (line: line.line, from: $0, to: $1) }
            }
        }
        for segment in segments {
            #expect(segment.from.x == segment.to.x || segment.from.y == segment.to.y, "\(subject): a line is slanted")
            for box in layout.boxes where runsThrough(segment.from, segment.to, box) {
                Issue.record("\(subject): line \(segment.line) runs through a box")
            }
        }
        for (index, segment) in segments.enumerated() {
            for other in segments[(index + 1)...] where other.line != segment.line && runsUpon(segment, other) {
                Issue.record("\(subject): lines \(segment.line) and \(other.line) run upon each other")
            }
        }
        for line in layout.lines {
            // Each end has a mark. A parent with children on both sides has two marks.
            #expect(line.marks.count >= model.lines[line.line].ends.count, "\(subject): line \(line.line) lacks an end")
        }
    }

    private static func overlap(_ a: DiagramLayout.Rectangle, _ b: DiagramLayout.Rectangle) -> Bool {
        a.x < b.x + b.width + 10 && b.x < a.x + a.width + 10 && a.y < b.y + b.height + 10 && b.y < a.y + a.height + 10
    }

    private static func runsThrough(
        _ from: DiagramLayout.Point, _ to: DiagramLayout.Point, _ box: DiagramLayout.Rectangle
    ) -> Bool {
        min(from.x, to.x) < box.x + box.width && max(from.x, to.x) > box.x && min(from.y, to.y) < box.y + box.height
            && max(from.y, to.y) > box.y
    }

    private static func runsUpon(
        _ a: (line: Int, from: DiagramLayout.Point, to: DiagramLayout.Point),
        _ b: (line: Int, from: DiagramLayout.Point, to: DiagramLayout.Point)
    ) -> Bool {
        if a.from.y == a.to.y, b.from.y == b.to.y, a.from.y == b.from.y {
            return min(a.from.x, a.to.x) < max(b.from.x, b.to.x) && min(b.from.x, b.to.x) < max(a.from.x, a.to.x)
        }
        if a.from.x == a.to.x, b.from.x == b.to.x, a.from.x == b.from.x {
            return min(a.from.y, a.to.y) < max(b.from.y, b.to.y) && min(b.from.y, b.to.y) < max(a.from.y, a.to.y)
        }
        return false
    }
}

/// Random diagrams of a seed: boxes of all sizes, relationships between boxes and to themselves, inheritance.
enum RandomDiagram {
    static func model(boxes count: Int, seed: UInt64) -> DiagramModel {
        var state = seed
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, limit)
        }
        var boxes = (0..<count).map { index in
            DiagramBox(
                name: "Entity\(index)", isAbstract: false,
                rows: [DiagramRow(kind: .title, name: "Entity\(index)", type: "")]
                    + (0..<next(20)).map { DiagramRow(kind: .attribute, name: "attribute\($0)", type: "String?") })
        }
        var lines: [DiagramLine] = []
        var children: [Int: [Int]] = [:]
        for index in 1..<max(count, 1) where next(4) == 0 { children[next(index), default: []].append(index) }
        for (parent, members) in children.sorted(by: { $0.key < $1.key }) {
            for member in members {
                boxes[member].rows.insert(DiagramRow(kind: .parent, name: "Entity\(parent)", type: ""), at: 1)
            }
            lines.append(
                DiagramLine(
                    kind: .inheritance,
                    ends: [DiagramLine.End(box: parent, row: 0, mark: .parent)]
                        + members.map { DiagramLine.End(box: $0, row: 1, mark: .none) },
                    label: ""))
        }
        for number in 0..<(count * 3 / 2) {
            let ends = [next(count), next(count)].map { box in
                boxes[box].rows.append(
                    DiagramRow(kind: .relationship, name: "relationship\(number)", type: "Entity 0..*"))
                return DiagramLine.End(box: box, row: boxes[box].rows.count - 1, mark: .many(isOptional: true))
            }
            lines.append(DiagramLine(kind: .relationship, ends: ends, label: ""))
        }
        return DiagramModel(boxes: boxes, lines: lines)
    }
}
