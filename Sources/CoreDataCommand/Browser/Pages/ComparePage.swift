// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `/compare?with=`: what differs in the model, and in the numbers of objects.
struct ComparePage {
    let with: String?
    let reader: StoreReader
    let store: BrowserStore

    var page: BrowserPage {
        get throws {
            var body: HTML = """
                <h1>Compare</h1><form class="filter" action="\(BrowserRoute.comparison.path())">\
                <label for="with">Another store, \
                or a model, on this machine</label><div class="field">\
                <input id="with" name="with" value="\(with ?? "")" \
                placeholder="/path/to/Other.sqlite" spellcheck="false" autocomplete="off" required>
                <button>Compare</button></div></form>
                """
            var command: String?
            if with == nil {
                body += """
                    <p class="hint">Shows what differs in the model and in the numbers of objects, whether a store must
                    be migrated from this model to the other one, and whether the mapping can be inferred.</p>
                    """
            }
            if let with {
                do {
                    body += try comparison(with)
                } catch {
                    body += "<p role=\"alert\" class=\"message\">\(ErrorReport.text(for: error))</p>"
                }
                let names = [store.modelPath ?? store.location.text, with].map(ShellText.quoted)
                command = "coredata model diff \(names[0]) \(names[1])"
            }
            return BrowserPage(title: "Compare", section: .comparison, body: body, command: command)
        }
    }

    private func comparison(_ with: String) throws -> HTML {
        let location = StoreLocation(with)
        let isStore = location.isOnServer || StoreFile.isStore(location.url)
        let other = isStore ? try ReadOnlyStore(location, modelPath: nil) : nil
        let report = ModelDifferenceReport(
            oldName: store.location.text, newName: with, old: try model(store.location, store.modelPath),
            new: try model(location, isStore ? nil : with),
            scope: isStore || store.modelPath == nil ? .storedPart : .everything)
        let lines = report.comparison.differences.map { difference -> HTML in
            let badge: HTML = difference.changesVersionHash ? " <span class=\"badge\">changes the hash</span>" : ""
            return "<li>\(difference.text)\(badge)</li>"
        }
        let reasons = report.inferenceProblems.map { "<li>\($0.text)</li>" as HTML }
        var html: HTML = """
            <h2>Model</h2><p class="hint">From the model of this store, the old one, to the other one.</p>
            <p>\(report.summary)</p><ul>\(lines)</ul>
            """
        if !reasons.isEmpty { html += "<h3>Why the mapping can’t be inferred</h3><ul>\(reasons)</ul>" }
        if let other { html += try counts(other) }
        return html
    }

    /// The model as its file has it, as `coredata model diff` compares it. The model with which a store is open has
    /// other transformers and no class names.
    private func model(_ location: StoreLocation, _ modelPath: String?) throws -> NSManagedObjectModel {
        if let modelPath { return try ModelSource.model(at: modelPath) }
        return try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: location.url)
    }

    private static func signed(_ difference: Int) -> String {
        difference == 0 ? "=" : difference > 0 ? "+\(Amount.text(difference))" : Amount.text(difference)
    }

    private func counts(_ other: ReadOnlyStore) throws -> HTML {
        let own = try numbers(reader.store, reader.context)
        let others = try other.context.performSynchronously { try numbers(other, other.context) }
        let rows = Set(own.keys).union(others.keys).sorted().map { name -> HTML in
            let (one, two) = (own[name], others[name])
            let difference = one.flatMap { one in two.map { $0 - one } }
            return """
                <tr><th scope="row">\(name)</th><td class="number">\(one.map { Amount.text($0) } ?? "–")</td>
                <td class="number">\(two.map { Amount.text($0) } ?? "–")</td>
                <td class="number">\(difference.map(Self.signed) ?? "")</td></tr>
                """
        }
        return """
            <h2>Objects</h2><div class="scroll short" tabindex="0" role="region" aria-label="Numbers of objects">
            <table><thead><tr><th>Entity</th><th class="number">this store</th><th class="number">the other</th>
            <th class="number">difference</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }

    /// The numbers of objects by the names of their entities, without the objects of subentities.
    private func numbers(_ store: ReadOnlyStore, _ context: NSManagedObjectContext) throws -> [String: Int] {
        try store.entities.reduce(into: [:]) { result, entity in
            result[entity.name ?? ""] = try context.ownCount(of: entity)
        }
    }
}
