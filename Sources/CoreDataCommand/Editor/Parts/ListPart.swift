// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The tables of an entity: attributes, relationships, fetched properties, indexes.
struct ListPart {
    let parts: EditorParts

    var html: HTML {
        let at = parts.view.at
        if let name = at.entityName, let entity = parts.snapshot.entity(name) { return page(of: entity) }
        if at.steps.first?.kind == "composite", let name = at.steps.first?.name,
            let composite = parts.snapshot.root.child("composite", name)
        {
            return page(ofComposite: composite)
        }
        return overview
    }

    // MARK: An entity

    private func page(of entity: SourceTree) -> HTML {
        let name = entity["name"] ?? ""
        let path = ModelPath.entity(name)
        let parent = entity["parentEntity"].map { parent -> HTML in
            "<p class=\"crumb\">subentity of \(parts.link(.entity(parent), "<bdi>\(parent)</bdi>"))</p>"
        }
        return """
            \(parent)<div class="title"><h1><bdi>\(name)</bdi>\(parts.problemMark(entity: name, key: nil))</h1>
            <p class="actions">\(parts.link(path, "Settings of the entity", classes: "button"))
            <button data-relate="\(name)">Relate…</button>
            \(remove(path, "Remove entity"))</p></div>
            \(attributes(of: entity, path))
            \(relationships(of: entity, path))
            \(fetchedProperties(of: entity, path))
            \(indexes(of: entity, path))
            """
    }

    private func remove(_ path: ModelPath, _ label: String) -> HTML {
        "<button class=\"danger\" data-command=\"\(EditorParts.command("remove", path))\">\(label)</button>"
    }

    private func row(_ path: ModelPath, _ entity: String, _ cells: [HTML]) -> HTML {
        let name = path.name ?? ""
        let mark: HTML = parts.view.at == path ? " class=\"selected\"" : ""
        let problems = parts.problemMark(entity: entity, key: name)
        return """
            <tr\(mark)><th scope="row">\(parts.link(path, "<bdi>\(name)</bdi>"))\(problems)</th>\
            \(cells.map { "<td>\($0)</td>" as HTML })</tr>
            """
    }

    private func table(_ title: String, _ id: String, _ heads: [String], _ rows: [HTML], _ form: HTML) -> HTML {
        let table: HTML =
            rows.isEmpty
            ? ""
            : """
            <div class="scroll" tabindex="0" role="region" aria-labelledby="\(id)"><table><thead><tr>\
            \(heads.map { "<th scope=\"col\">\($0)</th>" as HTML })</tr></thead><tbody>\(rows)</tbody></table></div>
            """
        return "<section class=\"properties-of\"><h2 id=\"\(id)\">\(title)</h2>\(table)\(form)</section>"
    }

    private func attributes(of entity: SourceTree, _ path: ModelPath) -> HTML {
        let name = entity["name"] ?? ""
        let inherited = inheritedNames(of: entity)
        let rows = entity.children(named: "attribute").map { attribute -> HTML in
            let place = path.child("attribute", attribute["name"] ?? "")
            return row(
                place, name,
                [typeSelect(place, attribute), optionalBox(place, attribute), "\(details(of: attribute))"])
        }
        let note: HTML =
            inherited.isEmpty ? "" : "<p class=\"hint\">Inherited: \(inherited.joined(separator: ", "))</p>"
        return table(
            "Attributes", "attributes", ["Name", "Type", "Optional", "Details"], rows, "\(addAttribute(path))\(note)")
    }

    private func inheritedNames(of entity: SourceTree) -> [String] {
        parts.snapshot.ancestry(of: entity["name"]).dropFirst().flatMap(\.children).filter {
            ["attribute", "relationship"].contains($0.name)
        }.compactMap { $0["name"] }.sorted()
    }

    private func typeSelect(_ path: ModelPath, _ attribute: SourceTree) -> HTML {
        """
        <label><span class="hidden">Type of \(path.name ?? "")</span>
        <select data-set="\(EditorParts.command("set", path, ["attribute": "attributeType"]))">\
        \(EditorFields.options(EditorFields.types, attribute["attributeType"] ?? "Undefined"))</select></label>
        """
    }

    private func optionalBox(_ path: ModelPath, _ attribute: SourceTree) -> HTML {
        """
        <input type="checkbox" aria-label="\(path.name ?? "") is optional" \
        data-set="\(EditorParts.command("set", path, ["attribute": "optional"]))"\
        \(attribute.isTrue("optional") ? " checked" : "" as HTML)>
        """
    }

    private func details(of attribute: SourceTree) -> String {
        var details: [String] = []
        if let value = attribute["defaultValueString"] { details.append("default \(value)") }
        if let value = attribute["defaultDateTimeInterval"] {
            details.append("default \(AttributeValue.dateText(value))")
        }
        if attribute.isTrue("transient") { details.append("transient") }
        if let text = attribute["derivationExpression"] { details.append("derived from \(text)") }
        if let name = attribute["composite"] { details.append(name) }
        if let name = attribute["valueTransformerName"] { details.append(name) }
        let limits = [attribute["minValueString"].map { "from \($0)" }, attribute["maxValueString"].map { "to \($0)" }]
        details += limits.compactMap { $0 }
        if attribute["regularExpressionString"] != nil { details.append("pattern") }
        if let name = attribute["elementID"] { details.append("was \(name)") }
        return ObjectLabel.cut(details.joined(separator: ", "), to: 80)
    }

    /// A line in which attributes are added one after the other.
    private func addAttribute(_ path: ModelPath) -> HTML {
        """
        <form class="adder" data-add="\(EditorParts.command("add", path, ["element": "attribute"]))">
        <label><span class="hidden">Name of a new attribute</span><input name="name" placeholder="New attribute" \
        spellcheck="false" autocomplete="off" required></label>
        <label><span class="hidden">Type of the new attribute</span><select name="attributeType">\
        \(EditorFields.options(EditorFields.types.filter { $0.value != "Undefined" }, "String"))</select></label>
        <button>Add</button><p class="message" role="alert"></p></form>
        """
    }

    private func relationships(of entity: SourceTree, _ path: ModelPath) -> HTML {
        let name = entity["name"] ?? ""
        let rows = entity.children(named: "relationship").map { relationship -> HTML in
            let destination = relationship["destinationEntity"]
            return row(
                path.child("relationship", relationship["name"] ?? ""), name,
                [
                    destination.map { parts.link(.entity($0), "<bdi>\($0)</bdi>") } ?? "no destination",
                    "\(relationship["inverseName"] ?? "none")",
                    "\(Self.count(of: relationship))",
                    "\(relationship["deletionRule"] ?? "Nullify")",
                ])
        }
        let form: HTML = "<p class=\"actions\"><button data-relate=\"\(name)\">Add relationship…</button></p>"
        return table(
            "Relationships", "relationships", ["Name", "Destination", "Inverse", "Count", "Delete rule"], rows, form)
    }

    private static func count(of relationship: SourceTree) -> String {
        let isOrdered = relationship.isTrue("ordered")
        return relationship.isTrue("toMany") ? "to many" + (isOrdered ? ", ordered" : "") : "to one"
    }

    private func fetchedProperties(of entity: SourceTree, _ path: ModelPath) -> HTML {
        let rows = entity.children(named: "fetchedProperty").map { property -> HTML in
            let request = property.child(named: "fetchRequest")
            return row(
                path.child("fetchedProperty", property["name"] ?? ""), entity["name"] ?? "",
                [
                    "\(request?["entity"] ?? "")",
                    "<code>\(ObjectLabel.cut(request?["predicateString"] ?? "", to: 80))</code>",
                ])
        }
        return table(
            "Fetched properties", "fetched", ["Name", "Entity", "Predicate"], rows,
            add("fetchedProperty", path, "Add fetched property"))
    }

    private func indexes(of entity: SourceTree, _ path: ModelPath) -> HTML {
        let rows = entity.children(named: "fetchIndex").map { index -> HTML in
            let elements = index.children(named: "fetchIndexElement").map {
                ($0["property"] ?? $0["expression"] ?? "") + ($0["order"] == "descending" ? " ↓" : "")
            }
            return row(
                path.child("fetchIndex", index["name"] ?? ""), entity["name"] ?? "",
                ["\(elements.joined(separator: ", "))", "<code>\(index["partialIndexPredicate"] ?? "")</code>"])
        }
        return table(
            "Indexes", "indexes", ["Name", "Elements", "Only where"], rows, add("fetchIndex", path, "Add index"))
    }

    private func add(_ kind: String, _ path: ModelPath, _ label: String) -> HTML {
        """
        <p class="actions"><button data-command="\(EditorParts.command("add", path, ["element": kind]))" \
        data-focus="name">\(label)</button></p>
        """
    }

    // MARK: Others

    private func page(ofComposite composite: SourceTree) -> HTML {
        let path = ModelPath.model.child("composite", composite["name"] ?? "")
        let rows = composite.children(named: "attribute").map { attribute -> HTML in
            let place = path.child("attribute", attribute["name"] ?? "")
            return row(place, "", [typeSelect(place, attribute), "\(details(of: attribute))"])
        }
        return """
            <div class="title"><h1>Composite <bdi>\(composite["name"] ?? "")</bdi></h1>
            <p class="actions">\(remove(path, "Remove composite"))</p></div>
            \(table("Attributes", "attributes", ["Name", "Type", "Details"], rows, addAttribute(path)))
            """
    }

    /// All entities, for a model without a selection.
    private var overview: HTML {
        let snapshot = parts.snapshot
        let rows = snapshot.entities.map { entity -> HTML in
            let name = entity["name"] ?? ""
            func count(_ kind: String) -> HTML { "\(entity.children(named: kind).count)" }
            return row(
                .entity(name), name,
                [
                    "\(entity["parentEntity"] ?? "")", count("attribute"), count("relationship"),
                    count("fetchedProperty"),
                ])
        }
        let heads = ["Name", "Parent", "Attributes", "Relationships", "Fetched"]
        let first: HTML =
            rows.isEmpty
            ? """
            <div class="empty"><p>The model has no entity yet.</p>
            <p><button class="main" data-command="\(EditorParts.command("add", .model, ["element": "entity"]))" \
            data-focus="name">Add the first entity</button></p></div>
            """ : ""
        return """
            <div class="title"><h1><bdi>\(snapshot.version)</bdi></h1></div>\(first)
            \(rows.isEmpty ? "" : table("Entities", "all", heads, rows, ""))
            """
    }
}
