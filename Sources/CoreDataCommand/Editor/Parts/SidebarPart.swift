// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The list of entities, fetch requests, configurations and composites, with a filter.
struct SidebarPart {
    let parts: EditorParts

    var html: HTML {
        let root = parts.snapshot.root
        let entities = parts.snapshot.entities.map { entity -> HTML in
            let name = entity["name"] ?? ""
            let abstract: HTML = entity.isTrue("isAbstract") ? " <span class=\"type\">abstract</span>" : ""
            let isCurrent = parts.view.at.entityName == name
            let path = ModelPath.entity(name)
            let mark: HTML = isCurrent ? " aria-current=\"true\"" : ""
            return """
                <li data-name="\(name)"><a href="\(parts.view.showing(path, tab: listTab).path)" data-view\(mark)>\
                <bdi>\(name)</bdi>\(abstract)\(parts.problemMark(entity: name))</a></li>
                """
        }
        return """
            <label class="filter"><span class="hidden">Filter entities</span>
            <input type="search" data-filter placeholder="Filter \(Wording.count(entities.count, "entity"))  /" \
            spellcheck="false" autocomplete="off"></label>
            <div class="lists">
            <section><h2>Entities</h2>\(add("entity", "Add entity"))<ul id="entities">\(entities)</ul>
            <p class="hint" id="no-match" hidden>No entity has this in its name.</p></section>
            \(group("Fetch requests", "fetchRequest", root, "Add fetch request"))
            \(group("Configurations", "configuration", root, "Add configuration"))
            \(group("Composites", "composite", root, "Add composite"))
            <section><ul><li>\(parts.link(.model, "Settings of the model", tab: listTab))</li></ul></section></div>
            """
    }

    /// Where a selection leads: the diagram and the text stay.
    private var listTab: EditorView.Tab? { [.versions, .problems].contains(parts.view.tab) ? .list : nil }

    private func add(_ kind: String, _ label: String) -> HTML {
        """
        <button class="add" data-command="\(EditorParts.command("add", .model, ["element": kind]))" \
        data-focus="name" title="\(label)" aria-label="\(label)">+</button>
        """
    }

    private func group(_ title: String, _ kind: String, _ root: SourceTree, _ label: String) -> HTML {
        let items = root.children(named: kind).map { element -> HTML in
            let name = element["name"] ?? ""
            return "<li>\(parts.link(ModelPath.model.child(kind, name), "<bdi>\(name)</bdi>", tab: listTab))</li>"
        }
        let list: HTML = items.isEmpty ? "" : "<ul>\(items)</ul>"
        return "<section><h2>\(title)</h2>\(add(kind, label))\(list)</section>"
    }
}
