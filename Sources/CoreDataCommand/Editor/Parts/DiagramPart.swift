import CoreDataModel
import OpenCoreData

/// The diagram: a box for each entity, which can be dragged. The script draws the lines between the boxes.
struct DiagramPart {
    let parts: EditorParts

    private static let margin = 40.0

    var html: HTML {
        let layout = parts.snapshot.layout
        let entities = parts.snapshot.entities
        guard !entities.isEmpty else { return ListPart(parts: parts).html }
        let left = (layout.boxes.values.map(\.x).min() ?? 0) - Self.margin
        let top = (layout.boxes.values.map(\.y).min() ?? 0) - Self.margin
        let width = (layout.boxes.values.map { $0.x + EditorLayout.boxWidth }.max() ?? 0) + Self.margin - left
        let height = (layout.boxes.values.map { $0.y + $0.height }.max() ?? 0) + Self.margin - top
        let boxes = entities.map { box(of: $0, layout) }
        let note: HTML =
            layout.isInFile
            ? ""
            : """
            <span class="hint">The file has no drawing. The first box that you move brings all positions into it.</span>
            """
        return """
            <h1 class="hidden">Diagram</h1><div class="tools"><p class="hint">Drag a box to move it, or use the arrow keys. Drag from ⊕ to another box
            to relate both.</p>\(note)<label>Zoom <input type="range" id="zoom" min="25" max="150" step="5" value="100">
            </label><a class="button" href="/model.svg\(parts.view.version.map { "?version=\(FormValues.encoded($0))" } ?? "")"
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

    private func box(of entity: SourceTree, _ layout: EditorLayout) -> HTML {
        let name = entity["name"] ?? ""
        guard let box = layout.boxes[name] else { return "" }
        let path = ModelPath.entity(name)
        let properties = entity.children.filter {
            ["attribute", "relationship", "fetchedProperty"].contains($0.name)
        }
        let rows = properties.enumerated().map { index, property -> HTML in
            let y = EditorLayout.headHeight + Double(index) * EditorLayout.rowHeight + 15
            let id = path.child(property.name, property["name"] ?? "")
            let selected: HTML = parts.view.at == id ? " selected" : ""
            let full = "\(property["name"] ?? ""): \(parts.typeText(of: property))"
            return """
                <g class="row \(property.name)\(selected)" data-go="\(parts.view.showing(id).path)">\
                <rect class="hit" x="1" y="\(number(y - 14))" width="190" height="20"/><title>\(full)</title>\
                <text x="10" y="\(number(y))">\(Self.fitted(property["name"] ?? "", 17))</text>\
                <text class="type" x="182" y="\(number(y))" text-anchor="end">\
                \(Self.fitted(parts.typeText(of: property), 27 - min(17, (property["name"] ?? "").count)))</text></g>
                """
        }
        let selected: HTML = parts.view.at.entityName == name ? " selected" : ""
        let abstract: HTML = entity.isTrue("isAbstract") ? " abstract" : ""
        return """
            <g class="box\(selected)\(abstract)" data-box="\(name)" data-go="\(parts.view.showing(path).path)" \
            data-height="\(number(box.height))" transform="translate(\(number(box.x)) \(number(box.y)))" tabindex="0" \
            role="button" aria-label="Entity \(name)"><rect class="back" width="192" height="\(number(box.height))" rx="6"/>\
            <path class="head" d="M0 28V6a6 6 0 0 1 6 -6H186a6 6 0 0 1 6 6V28Z"/>\
            <text class="name" x="10" y="19">\(Self.fitted(name, 21))<title>\(name)</title></text>\
            <g class="handle" data-handle="\(name)"><circle cx="178" cy="14" r="9"/><path d="M173 14h10M178 9v10"/>\
            <title>Drag to another entity to relate both</title></g>\(rows)</g>
            """
    }

    private static func fitted(_ text: String, _ limit: Int) -> String {
        text.count > limit ? text.prefix(max(1, limit - 1)) + "…" : text
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
            let properties = entity.children.filter {
                ["attribute", "relationship", "fetchedProperty"].contains($0.name)
            }
            for (row, relationship) in properties.enumerated() where relationship.name == "relationship" {
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
        parts.snapshot.root.child("entity", owner)?.child("relationship", name)?["inverseName"] == other
    }

    private func isToMany(_ name: String, in entity: String) -> Bool {
        parts.snapshot.root.child("entity", entity)?.child("relationship", name)?.isTrue("toMany") ?? false
    }

    private func row(of name: String, in entity: String) -> Int? {
        parts.snapshot.root.child("entity", entity)?.children.filter {
            ["attribute", "relationship", "fetchedProperty"].contains($0.name)
        }.firstIndex { $0.name == "relationship" && $0["name"] == name }
    }
}
