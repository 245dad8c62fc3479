// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The diagram: a box for each entity, which can be dragged. The script draws the lines between the boxes.
struct DiagramPart {
    let parts: EditorParts
    private let layout: EditorLayout

    private static let margin = 80.0

    init(parts: EditorParts) {
        self.parts = parts
        layout = parts.session.layout(of: parts.snapshot)
    }

    var html: HTML {
        let entities = parts.snapshot.entities
        guard !entities.isEmpty else { return ListPart(parts: parts).html }
        let left = (layout.boxes.values.map(\.x).min() ?? 0) - Self.margin
        let top = (layout.boxes.values.map(\.y).min() ?? 0) - Self.margin
        let width = (layout.boxes.values.map { $0.x + EditorLayout.boxWidth }.max() ?? 0) + Self.margin - left
        let height = (layout.boxes.values.map { $0.y + $0.height }.max() ?? 0) + Self.margin - top
        let boxes = parts.session.boxes.boxes(of: entities) { entity, old in
            guard let name = entity["name"], let box = layout.boxes[name] else { return nil }
            let selection = parts.view.at.entityName == name ? parts.view.at.text : nil
            let key = DiagramBoxes.Key(entity: entity, x: box.x, y: box.y, selection: selection)
            return old?.key == key ? old : DiagramBoxes.Entry(key: key, html: self.box(of: entity))
        }
        let version = parts.view.version.map { "?version=\(PercentEncoding.encoded($0))" } ?? ""
        let note: HTML =
            layout.isInFile
            ? ""
            : """
            <span class="hint">The file has no drawing. The first box that you move brings all positions into it.</span>
            """
        return """
            <h1 class="hidden">Diagram</h1><div class="tools"><p class="hint">Drag a box to move it, or use the arrow
            keys. Drag from ⊕ to another box to relate both.</p>\(note)
            <label>Zoom <input type="range" id="zoom" min="25" max="150" step="5" value="100">
            </label><a class="button" href="/model.svg\(version)"
            download>SVG</a></div>
            <div class="canvas" tabindex="0" role="region" aria-label="Diagram of the model">
            <svg id="diagram" viewBox="\(number(left)) \(number(top)) \(number(width)) \(number(height))" \
            width="\(number(width))" height="\(number(height))" data-scale="\(number(EditorLayout.scale))" \
            data-in-file="\(layout.isInFile ? "1" : "0")" role="group" aria-label="Entities">
            <g id="lines" aria-hidden="true">\(lines)</g>\(boxes)
            <path id="draft" class="line draft" aria-hidden="true"/></svg></div>
            """
    }

    private func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(format: "%.1f", value)
    }

    private func box(of entity: SourceTree) -> HTML {
        let name = entity["name"] ?? ""
        guard let box = layout.boxes[name] else { return "" }
        let path = ModelPath.entity(name)
        let isSelected = parts.view.at.entityName == name
        let chosen = isSelected && parts.view.at.steps.count > 1 ? parts.view.at.steps[1] : nil
        let rows = entity.properties.enumerated().map { index, property -> HTML in
            let y = 43 + index * 20
            let key = property["name"] ?? ""
            let type = parts.typeText(of: property)
            let mark: HTML = chosen?.kind == property.name && chosen?.name == key ? " selected" : ""
            let (name, cut) = Self.fitted(key, type)
            let full: HTML = name != key || cut != type ? "<title>\(key): \(type)</title>" : ""
            return """
                <g class="row \(HTML(trusted: property.name))\(mark)" data-at="\(path.child(property.name, key).text)">\
                <rect class="hit" x="1" y="\(y - 14)" width="190" height="20"/>\(full)\
                <text x="10" y="\(y)">\(name)</text>\
                <text class="type" x="182" y="\(y)">\(cut)</text></g>
                """
        }
        let selected: HTML = isSelected ? " selected" : ""
        let abstract: HTML = entity.isTrue("isAbstract") ? " abstract" : ""
        return """
            <g class="box\(selected)\(abstract)" data-box="\(name)" data-at="\(path.text)" \
            data-height="\(number(box.height))" transform="translate(\(number(box.x)) \(number(box.y)))" tabindex="0" \
            role="button" aria-label="Entity \(name)">\
            <rect class="back" width="192" height="\(number(box.height))" rx="6"/>\
            <path class="head" d="M0 28V6a6 6 0 0 1 6 -6H186a6 6 0 0 1 6 6V28Z"/>\
            <text class="name" x="10" y="19">\(Self.fitted(name, 21))<title>\(name)</title></text>\
            <g class="handle" data-handle="\(name)"><circle cx="178" cy="14" r="9"/><path d="M173 14h10M178 9v10"/>\
            <title>Drag to another entity to relate both</title></g>\(rows)</g>
            """
    }

    private static func fitted(_ text: String, _ limit: Int) -> String {
        text.count > limit ? text.prefix(max(1, limit - 1)) + "…" : text
    }

    /// A name and a type that fit beside each other.
    private static func fitted(_ name: String, _ type: String) -> (String, String) {
        let space = 166.0
        let name = cut(name, to: max(110, space - DiagramText.width(type, size: 11)), size: 12)
        return (name, cut(type, to: space - DiagramText.width(name, size: 12), size: 11))
    }

    private static func cut(_ text: String, to width: Double, size: Double) -> String {
        guard DiagramText.width(text, size: size) > width else { return text }
        var short = text
        while !short.isEmpty, DiagramText.width(short + "…", size: size) > width { short.removeLast() }
        return short + "…"
    }

    /// The ends of all lines; the script finds their ways.
    private var lines: [HTML] {
        var lines: [HTML] = []
        for entity in parts.snapshot.entities {
            let name = entity["name"] ?? ""
            if let parent = entity["parentEntity"] {
                lines.append(
                    "<path class=\"line inherits\" data-from=\"\(name)\" data-to=\"\(parent)\" data-kind=\"inherits\"/>"
                )
            }
            for (row, relationship) in entity.properties.enumerated() where relationship.name == "relationship" {
                guard let destination = relationship["destinationEntity"] else { continue }
                let key = relationship["name"] ?? ""
                let inverse = relationship["inverseName"]
                let owner = relationship["inverseEntity"] ?? destination
                // Of two relationships that are inverse to each other one is drawn.
                if let inverse, (owner, inverse) < (name, key), isInverse(owner, inverse, of: key) { continue }
                lines.append(
                    """
                    <path class="line" data-from="\(name)" data-to="\(destination)" data-row="\(row)" \
                    data-back="\(inverse.flatMap { self.row(of: $0, in: destination) } ?? -1)" \
                    data-many="\(relationship.isTrue("toMany") ? "1" : "0")" \
                    data-inverse-many="\(inverse.map { isToMany($0, in: owner) ? "1" : "0" } ?? "")"/>
                    """)
            }
        }
        return lines
    }

    private func isInverse(_ owner: String, _ name: String, of other: String) -> Bool {
        parts.snapshot.entity(owner)?.child("relationship", name)?["inverseName"] == other
    }

    private func isToMany(_ name: String, in entity: String) -> Bool {
        parts.snapshot.entity(entity)?.child("relationship", name)?.isTrue("toMany") ?? false
    }

    private func row(of name: String, in entity: String) -> Int? {
        parts.snapshot.entity(entity)?.properties.firstIndex { $0.name == "relationship" && $0["name"] == name }
    }
}
