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
        let form: HTML = """
            <h2>Dry run</h2><p>A copy of <bdi>\(store.text)</bdi> is migrated to this version; the store itself
            stays as it is. <a class="button" href="\(parts.view.trialPath)" data-view>Try it</a></p>
            """
        // The result of a click stays until the model changes.
        guard parts.view.isTrial else { return form + parts.session.trial(of: parts.snapshot) }
        let shown = result(of: try TrialStore.migration(of: store, to: new))
        parts.session.keepTrial(shown, of: parts.snapshot)
        return form + shown
    }

    private func result(of result: TrialStore.Result) -> HTML {
        let rows = result.counts.map { row -> HTML in
            """
            <tr><th scope="row"><bdi>\(row.entity)</bdi></th>\
            <td class="number">\(row.before.map(String.init) ?? "–")</td>\
            <td class="number">\(row.after.map(String.init) ?? "–")</td></tr>
            """
        }
        return """
            <p role="status"><strong>\(result.summary)</strong></p>\(losses(result))
            <div class="scroll short" tabindex="0" role="region" aria-label="Objects"><table><thead><tr>
            <th scope="col">Entity</th><th scope="col" class="number">Objects before</th>
            <th scope="col" class="number">after</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }

    private func losses(_ result: TrialStore.Result) -> HTML {
        guard let loss = result.loss else { return "" }
        guard !loss.entries.isEmpty else { return "<p>The migration deletes no objects and no values.</p>" }
        let items = loss.entries.map { "<li><bdi>\($0.text)</bdi></li>" as HTML }
        let whole: HTML =
            loss.isWhole
            ? "<p>The model has no entity of the store: it is probably the model of another store.</p>" : ""
        return """
            <div class="problems" role="note"><p>The migration deletes what the new model doesn’t have:</p>
            <ul>\(items)</ul>\(whole)</div>
            """
    }
}
