// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The steps of a lightweight migration, and the migration of a copy of a store.
struct MigrationTrial {
    let parts: EditorParts

    /// - Parameter former: the version at the beginning; nil without one.
    func html(from former: String?) -> HTML {
        guard let new = parts.snapshot.model.model else { return "" }
        do {
            return try (former.map { try steps(from: $0, to: new) } ?? "") + trial(to: new)
        } catch {
            return """
                <h2>Migration</h2><p class="message" role="alert">\(ModelEditor.message(of: error))</p>
                """
        }
    }

    private func steps(from former: String, to new: NSManagedObjectModel) throws -> HTML {
        guard let old = try parts.session.model(ofVersion: former),
            ModelComparison(from: old, to: new, scope: .everything).needsMigration,
            LightweightMapping.problems(from: old, to: new).isEmpty
        else { return "" }
        let lines = try TrialStore.steps(from: old, to: new)
        return """
            <details class="panel"><summary>The steps of the migration in SQLite</summary>
            <pre tabindex="0"><code>\(lines.joined(separator: "\n"))</code></pre></details>
            """
    }

    private func trial(to new: NSManagedObjectModel) throws -> HTML {
        guard let store = parts.snapshot.store else {
            return """
                <p class="hint">With ‘--store STORE’ this page tries the migration on a copy of a real store.</p>
                """
        }
        var view = parts.view
        view.isTrial = true
        let form: HTML = """
            <h2>Dry run</h2><p>A copy of <bdi>\(store.text)</bdi> is migrated to this version; the store itself
            stays as it is. <a class="button" href="\(view.path)" data-view>Try it</a></p>
            """
        guard parts.view.isTrial else { return form }
        let result = try TrialStore.migration(of: store, to: new)
        let rows = result.counts.map { row -> HTML in
            """
            <tr><th scope="row"><bdi>\(row.entity)</bdi></th>\
            <td class="number">\(row.before.map(String.init) ?? "–")</td>\
            <td class="number">\(row.after.map(String.init) ?? "–")</td></tr>
            """
        }
        return form + """
            <p role="status"><strong>\(result.summary)</strong></p>
            <div class="scroll short" tabindex="0" role="region" aria-label="Objects"><table><thead><tr>
            <th scope="col">Entity</th><th scope="col" class="number">Objects before</th>
            <th scope="col" class="number">after</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }
}
