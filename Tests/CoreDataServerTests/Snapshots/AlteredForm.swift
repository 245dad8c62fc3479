import Foundation

/// A form in JSON as a tree, and its alterations at each place. A part that is `$name` in a text stands for a URI.
indirect enum AlteredForm: Sendable {
    /// A value as it is in the text, which may be no JSON.
    case raw(String)
    case array([AlteredForm])
    case object([(key: String, value: AlteredForm)])

    /// One altered form.
    struct Alteration: Sendable {
        let name: String
        /// The key of the form below which it is altered; nil for the form itself.
        let key: String?
        /// The new value, if the value of the key itself was replaced.
        let value: String?
        let text: String
    }

    var text: String {
        switch self {
        case .raw(let text): text
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members): "{\(members.map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ","))}"
        }
    }

    /// All alterations: each value replaced, removed and doubled, and each object with further keys.
    var alterations: [Alteration] {
        var result: [Alteration] = []
        walk(path: []) { path, name, replacement, value in
            let text = self.replacing(path[...], by: replacement).first?.text ?? ""
            let place = path.map { "\($0.key ?? "")[\($0.index)]" }.joined(separator: ".")
            result.append(
                Alteration(
                    name: "\(place) \(name)", key: path.first?.key, value: path.count == 1 ? value : nil, text: text))
        }
        return result
    }

    // MARK: Places

    private struct Step {
        let index: Int
        let key: String?
    }

    private typealias Report = (_ path: [Step], _ name: String, _ replacement: [AlteredForm], _ value: String?) -> Void

    private func walk(path: [Step], _ report: Report) {
        for value in OddValues.all { report(path, "= \(value.prefix(60))", [.raw(value)], value) }
        if !path.isEmpty {
            report(path, "removed", [], nil)
            report(path, "doubled", [self, self], nil)
            for value in OddValues.few { report(path, "doubled with \(value)", [self, .raw(value)], nil) }
        }
        switch self {
        case .raw(let text):
            guard text.hasPrefix("\"$") else { return }
            for value in OddValues.uris(text) { report(path, "= \(value)", [.raw(value)], value) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                element.walk(path: path + [Step(index: index, key: nil)], report)
            }
        case .object(let members):
            for key in OddValues.keys {
                for value in OddValues.few {
                    report(path, "+ \(key.prefix(30)): \(value)", [.object(members + [(key, .raw(value))])], nil)
                }
            }
            for (index, member) in members.enumerated() {
                member.value.walk(path: path + [Step(index: index, key: member.key)], report)
            }
        }
    }

    /// The form with other values, none or several, at a place.
    private func replacing(_ path: ArraySlice<Step>, by values: [AlteredForm]) -> [AlteredForm] {
        guard let step = path.first else { return values }
        switch self {
        case .raw: return [self]
        case .array(var elements):
            let changed = elements[step.index].replacing(path.dropFirst(), by: values)
            elements.replaceSubrange(step.index...step.index, with: changed)
            return [.array(elements)]
        case .object(var members):
            let (key, value) = members[step.index]
            let changed = value.replacing(path.dropFirst(), by: values).map { (key: key, value: $0) }
            members.replaceSubrange(step.index...step.index, with: changed)
            return [.object(members)]
        }
    }
}
