// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// `/model`: the diagram, whose boxes are links.
struct ModelPage {
    let reader: StoreReader
    let store: BrowserStore
    /// Whether the diagram gets smaller until it is as wide as the window.
    let isFitting: Bool

    var page: BrowserPage {
        get throws {
            let model = reader.store.coordinator.managedObjectModel
            let list = reader.entities.map { entity -> HTML in
                "<li><a href=\"\(BrowserRoute.table(entity: entity.name ?? "").path())\">\(entity.name ?? "")</a></li>"
            }
            var drawing: HTML = "<p>The model has too many entities for a diagram.</p>"
            if model.entities.count <= 300 {
                let known = Set(reader.entities.compactMap(\.name))
                drawing = HTML(
                    trusted: DiagramSVG.text(of: DiagramBuilder.diagram(of: model), title: "Model") { name in
                        known.contains(name) ? BrowserRoute.table(entity: name).path() : nil
                    })
            }
            let size = isFitting ? "Full size" : "Fit into the window"
            let other = isFitting ? FormValues() : FormValues([("fit", "1")])
            let name = ShellText.quoted(store.modelPath ?? store.location.text)
            return BrowserPage(
                title: "Model", section: .model,
                body: """
                    <h1>Model</h1><p class="hint">A box leads to the objects of its entity.
                    <a href="\(BrowserRoute.model.path(other))">\(size)</a></p>
                    <div class="diagram scroll\(isFitting ? " fit" as HTML : "")" tabindex="0" role="region"
                    aria-label="Diagram of the model">
                    \(drawing)</div>
                    <details class="panel"><summary>Entities as a list</summary><ul>\(list)</ul></details>
                    """,
                command: "coredata model diagram \(name)")
        }
    }
}
