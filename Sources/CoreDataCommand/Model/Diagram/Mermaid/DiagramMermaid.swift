// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A diagram as a Mermaid `erDiagram`, which GitHub and GitLab draw in Markdown.
///
/// Names of entities are quoted, as many words are reserved in Mermaid. An attribute whose name or type is no
/// identifier has the original as a comment. Inheritance is a dotted line "inherits", as these diagrams have no
/// inheritance.
struct DiagramMermaid {
    private let model: DiagramModel
    private let identifiers: [String]

    static func text(of model: DiagramModel) -> String {
        DiagramMermaid(model).lines.joined(separator: "\n")
    }

    private init(_ model: DiagramModel) {
        self.model = model
        var used: Set<String> = []
        identifiers = model.boxes.map { box in
            let name = box.name.isEmpty ? "_" : Self.quoted(box.name)
            var identifier = name
            var number = 2
            while !used.insert(identifier).inserted {
                identifier = "\(name) (\(number))"
                number += 1
            }
            return "\"\(identifier)\""
        }
    }

    private var lines: [String] {
        ["erDiagram"] + model.boxes.indices.flatMap(entity) + model.lines.flatMap(relation)
    }

    private func entity(_ index: Int) -> [String] {
        let box = model.boxes[index]
        let rows = box.rows.filter { $0.kind == .attribute || $0.kind == .fetchedProperty }
        let head = "  \(identifiers[index])"
        guard !rows.isEmpty else { return [head] }
        return ["\(head) {"] + rows.map(attribute) + ["  }"]
    }

    private func attribute(_ row: DiagramRow) -> String {
        let isDerived = row.name.hasPrefix("/")
        let name = isDerived ? String(row.name.dropFirst()) : row.name
        let type = row.type.hasSuffix("?") ? String(row.type.dropLast()) : row.type
        var notes: [String] = []
        if Self.plain(name) != name { notes.append(name) }
        if !Self.words(type).allSatisfy({ Self.plain($0) == $0 }) { notes.append(type) }
        if row.kind == .attribute { notes.append(row.isOptional ? "optional" : "required") }
        if row.isTransient { notes.append("transient") }
        if isDerived { notes.append("derived") }
        return
            """
                \(Self.plain(Self.words(type).joined())) \(Self.plain(name)) \
            \"\(Self.quoted(notes.joined(separator: ", ")))\"
            """
    }

    private func relation(_ line: DiagramLine) -> [String] {
        switch line.kind {
        case .inheritance:
            return line.ends.dropFirst().map {
                "  \(identifiers[line.ends[0].box]) ||..|| \(identifiers[$0.box]) : inherits"
            }
        case .relationship:
            let left = line.ends[0]
            let right = line.ends[1]
            let (near, far) = (name(left), name(right))
            let label = model.boxes[right.box].rows[right.row].kind == .incoming ? near : "\(near) – \(far)"
            // Without an inverse, the count at the near end is unknown. "Many or none" is the weakest mark of Mermaid.
            return [
                """
                  \(identifiers[left.box]) \
                \(Self.sign(left.mark, isLeft: true))--\(Self.sign(right.mark, isLeft: false)) 
                """
                    + "\(identifiers[right.box]) : \"\(Self.quoted(label))\""
            ]
        }
    }

    private func name(_ end: DiagramLine.End) -> String { model.boxes[end.box].rows[end.row].name }

    private static func sign(_ mark: DiagramLine.Mark, isLeft: Bool) -> String {
        switch mark {
        case .one(let isOptional): isOptional ? (isLeft ? "|o" : "o|") : "||"
        case .many(isOptional: false): isLeft ? "}|" : "|{"
        case .many, .none, .parent: isLeft ? "}o" : "o{"
        }
    }

    private static func words(_ type: String) -> [String] { type.split(separator: " ").map(String.init) }

    /// The text as an identifier: a letter, then ASCII letters, digits and underscores, and no key of Mermaid.
    private static func plain(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
            result.unicodeScalars.append(isPlain ? scalar : "_")
        }
        guard let first = result.first, first.isLetter else { return "n" + result }
        return ["PK", "FK", "UK"].contains(result) ? result + "_" : result
    }

    /// The text for quotes, without characters that have a meaning in Mermaid or in HTML.
    private static func quoted(_ text: String) -> String {
        var result = ""
        for scalar in TerminalText.visible(text).unicodeScalars {
            switch scalar {
            case "\"": result += "”"
            case "<": result += "‹"
            case ">": result += "›"
            case "&", "#", ";", "`", "\\", "%": result += "_"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
