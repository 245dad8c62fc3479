// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The difference of one object.
struct ObjectDifference: Encodable {
    struct Value: Encodable {
        let name: String
        let a: JSONCell
        let b: JSONCell
    }

    struct Link: Encodable {
        let name: String
        let onlyInA: [String]
        let onlyInB: [String]
        /// Whether the members are equal, and their order differs.
        let orderDiffers: Bool
    }

    let entity: String
    /// "onlyInA", "onlyInB" or "changed".
    let kind: String
    /// The key by which objects match.
    let object: String
    var values: [Value] = []
    var links: [Link] = []

    var lines: [String] {
        let mark = kind == "onlyInA" ? "-" : kind == "onlyInB" ? "+" : "~"
        func text(_ cell: JSONCell) -> String {
            if case .none = cell.value { return "none" }
            return ObjectLabel.cut(cell.value.text.replacingOccurrences(of: "\n", with: "⏎"), to: 60)
        }
        return ["\(mark) \(object)"] + values.map { "    \($0.name): \(text($0.a)) → \(text($0.b))" }
            + links.map { link in
                if link.orderDiffers { return "    \(link.name): in another order" }
                let members = link.onlyInA.map { "- \($0)" } + link.onlyInB.map { "+ \($0)" }
                let shown = members.prefix(10).joined(separator: ", ")
                return "    \(link.name): \(shown)\(members.count > 10 ? ", and \(members.count - 10) more" : "")"
            }
    }
}

/// The numbers of equal and different objects of an entity.
struct EntityDifference: Encodable {
    let entity: String
    var onlyInA = 0
    var onlyInB = 0
    var changed = 0
    var equal = 0
    /// Further remarks, for example on properties that are not compared.
    var note: String?

    var isEqual: Bool { onlyInA == 0 && onlyInB == 0 && changed == 0 }
}

/// Prints the differences of two stores.
final class StoreDifferenceOutput {
    private let format: ListFormat
    private let names: (a: String, b: String)
    private let showsObjects: Bool
    private let array: JSONArray

    init(format: ListFormat, oldName: String, newName: String, showsObjects: Bool) {
        self.format = format
        names = (oldName, newName)
        self.showsObjects = showsObjects
        array = JSONArray(isLines: format == .jsonl, print: StandardStreams.output)
    }

    func add(_ difference: ObjectDifference) throws {
        guard showsObjects else { return }
        guard format == .text else { return try array.add(difference) }
        for line in difference.lines { try StandardStreams.outputText(line) }
    }

    func add(_ difference: EntityDifference) throws {
        guard format == .text else { return try array.add(difference) }
        let counts = [
            (difference.onlyInA, "only in \(names.a)"), (difference.onlyInB, "only in \(names.b)"),
            (difference.changed, "changed"), (difference.equal, "equal"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var line = "\(difference.entity): \(counts.isEmpty ? "no objects" : counts.joined(separator: ", "))"
        if let note = difference.note { line += " (\(note))" }
        try StandardStreams.outputText(line)
    }

    func finish() throws { if format != .text { try array.finish() } }
}
