// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// `/`: the entities, the metadata, the version hashes.
struct StartPage {
    let reader: StoreReader
    let store: BrowserStore

    var page: BrowserPage {
        get throws {
            let metadata = try StoreFile.metadata(at: reader.store.url)
            let rows = reader.entities.map(row)
            let body: HTML = """
                <h1>Entities</h1>
                <div class="scroll short" tabindex="0" role="region" aria-label="Entities">
                <table><thead><tr><th>Entity</th><th class="number">Objects</th>\
                \(hasParents ? "<th>Parent</th>" as HTML : "")\
                <th class="wide">Properties</th></tr></thead><tbody>\(rows)</tbody></table></div>
                <p class="hint">The numbers include objects of subentities.</p>
                <h2>Store</h2><p class="path">\(store.location.text)</p>
                <p>\(version(metadata))</p>
                <dl>\(self.metadata(metadata))</dl>
                <details class="panel"><summary>Version hashes</summary>\(hashes(metadata))</details>
                """
            return BrowserPage(
                title: "Entities", body: body,
                command: "coredata store info \(ShellText.quoted(store.location.text))"
                    + (store.modelPath.map { " --model \(ShellText.quoted($0))" } ?? ""))
        }
    }

    private var hasParents: Bool { reader.entities.contains { $0.superentity != nil } }

    private func row(_ entity: NSEntityDescription) -> HTML {
        let name = entity.name ?? ""
        let attributes = Amount.text(entity.attributesByName.count, "attribute")
        let relationships = Amount.text(entity.relationshipsByName.count, "relationship")
        let count = BrowserRoute.count(entity: name).path()
        return """
            <tr><th scope="row"><a href="\(BrowserRoute.table(entity: name).path())"><bdi>\(name)</bdi></a>\
            \(entity.isAbstract ? " <span class=\"badge\">abstract</span>" as HTML : "")</th>
            <td class="number"><a href="\(count)" data-count="\(count)">count</a></td>
            \(hasParents ? "<td>\(entity.superentity?.name ?? "")</td>" as HTML : "")\
            <td class="wide">\(attributes), \(relationships)</td></tr>
            """
    }

    private func version(_ metadata: [String: Any]) -> HTML {
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let versions = store.modelPath.flatMap { try? ModelSource.versions(at: $0) }?.versions ?? []
        let maker = versions.first { version in
            (try? version.model().entityVersionHashesByName) == hashes
        }
        if let maker { return "The model version <strong>\(maker.name)</strong> made this store." }
        let identifiers = (metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []).map { "\($0)" }
            .filter { !$0.isEmpty }
        guard !identifiers.isEmpty else { return "The model of the store names no version." }
        return "The model version of the store: <strong>\(identifiers.joined(separator: ", "))</strong>."
    }

    private func metadata(_ metadata: [String: Any]) -> [HTML] {
        MetadataOutline(metadata: metadata).lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts.count > 1 ? ObjectLabel.cut(String(parts[1]), to: 500) : ""
            return "<dt>\(String(parts[0]))</dt><dd>\(value)</dd>"
        }
    }

    private func hashes(_ metadata: [String: Any]) -> HTML {
        let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let own = reader.store.coordinator.managedObjectModel.entityVersionHashesByName
        let rows = stored.sorted { $0.key < $1.key }.map { name, hash -> HTML in
            """
            <tr><th scope="row">\(name)</th><td><code>\(hash.map { String(format: "%02x", $0) }.joined())</code></td>
            <td>\(own[name] == hash ? "as in the model" : "differs from the model")</td></tr>
            """
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Version hashes"><table><thead><tr><th>Entity</th>
            <th>Hash in the store</th><th></th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }
}
