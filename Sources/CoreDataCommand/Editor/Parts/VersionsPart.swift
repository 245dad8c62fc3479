// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The versions: one is added, one is the current one, and one is compared with this one.
struct VersionsPart {
    let parts: EditorParts

    private var snapshot: EditorSnapshot { parts.snapshot }

    var html: HTML {
        guard snapshot.files.kind == .bundle else {
            let name = snapshot.files.name
            let bundle = snapshot.files.url.deletingPathExtension().lastPathComponent + ".xcdatamodeld"
            let command = "coredata model convert \(ShellText.quoted(name)) \(ShellText.quoted(bundle))"
            return """
                <h1>Versions</h1><p>\(name) is a single model without versions. Convert it to a bundle to add some:</p>
                <pre tabindex="0"><code>\(command)</code></pre>\(MigrationTrial(parts: parts).html(from: nil))
                """
        }
        return """
            <h1>Versions</h1>\(list)
            <form class="adder" data-add-version><label for="version-name">Add a version, a copy of \
            <bdi>\(snapshot.version)</bdi></label>
            <input id="version-name" name="name" value="\(suggestedName)" spellcheck="false" autocomplete="off">
            <button>Add version</button><p class="message" role="alert"></p></form>
            \(comparison)
            """
    }

    private var suggestedName: String {
        VersionName.free(
            snapshot.files.url.deletingPathExtension().lastPathComponent, among: snapshot.versions)
    }

    /// The version that made the store of `--store`; nil without one.
    private var maker: String? {
        guard let store = snapshot.store, let metadata = try? StoreFile.metadata(at: store.url) else { return nil }
        return snapshot.versions.first { name in
            let model = try? parts.session.model(ofVersion: name)
            return model?.hasConfiguration(compatibleWithStoreMetadata: metadata) ?? false
        }
    }

    private var list: HTML {
        let maker = maker
        let file = snapshot.store.map { URL(string: $0.text)?.lastPathComponent ?? $0.text } ?? ""
        let rows = snapshot.versions.map { name -> HTML in
            var view = parts.view.showing()
            view.version = name
            view.with = nil
            let shown: HTML = name == snapshot.version ? " <span class=\"badge\">shown</span>" : ""
            let made: HTML = name == maker ? " <span class=\"badge\">made <bdi>\(file)</bdi></span>" : ""
            let choice: HTML =
                name == snapshot.current
                ? "<strong>current</strong>"
                : """
                <button data-command="\(EditorParts.json(["kind": "setCurrent", "name": name]))">Make \
                <span class="hidden">\(name)</span> current</button>
                """
            return """
                <tr><th scope="row"><a href="\(view.path)" data-view><bdi>\(name)</bdi></a>\(shown)\(made)</th>\
                <td>\(choice)</td></tr>
                """
        }
        return """
            <div class="scroll short" tabindex="0" role="region" aria-label="Versions"><table><thead><tr>
            <th scope="col">Version</th><th scope="col">Use</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }

    /// The version before this one, or the one that was chosen.
    private var former: String? {
        if let with = parts.view.with, with != snapshot.version, snapshot.versions.contains(with) { return with }
        guard let index = snapshot.versions.firstIndex(of: snapshot.version), index > 0 else { return nil }
        return snapshot.versions[index - 1]
    }

    private var comparison: HTML {
        let others = snapshot.versions.filter { $0 != snapshot.version }
        guard !others.isEmpty else {
            return
                "<p class=\"hint\">With a second version this page shows what differs, and what a migration does.</p>"
                + MigrationTrial(parts: parts).html(from: nil)
        }
        let choices = [("", "choose a version")] + others.map { ($0, $0) }
        let form: HTML = """
            <h2>Compare</h2><p><label>From
            <select data-with>\(EditorFields.options(choices, former ?? ""))</select></label>
            to <bdi>\(snapshot.version)</bdi></p>
            """
        guard let former else { return form + MigrationTrial(parts: parts).html(from: nil) }
        do {
            return form + (try report(from: former)) + MigrationTrial(parts: parts).html(from: former)
        } catch {
            return form + "<p class=\"message\" role=\"alert\">\(ModelEditor.message(of: error))</p>"
        }
    }

    private func report(from former: String) throws -> HTML {
        guard let old = try parts.session.model(ofVersion: former) else { return broken(former) }
        guard let new = snapshot.model.model else { return broken(snapshot.version) }
        let report = ModelDifferenceReport(
            oldName: former, newName: snapshot.version, old: old, new: new, scope: .everything)
        let lines = report.comparison.differences.map { difference -> HTML in
            let badge: HTML = difference.changesVersionHash ? " <span class=\"badge\">changes the hash</span>" : ""
            return "<li>\(difference.text)\(badge)</li>"
        }
        let reasons = report.inferenceProblems.map { "<li>\($0.text)</li>" as HTML }
        let problems: HTML = reasons.isEmpty ? "" : "<ul class=\"message\">\(reasons)</ul>"
        return """
            <p><strong>\(report.summary)</strong></p>\(problems)
            \(renames(in: report))<ul class="differences">\(lines)</ul>
            """
    }

    private func broken(_ version: String) -> HTML {
        var view = parts.view.showing(.model, tab: .problems)
        view.version = version
        view.with = nil
        return """
            <p class="message">The version <bdi>\(version)</bdi> has errors, so that it can’t be compared:
            <a href="\(view.path)" data-view>its problems</a>.</p>
            """
    }

    /// A hint for entities that lost attributes and got others: a rename without a renaming ID looks the same.
    private func renames(in report: ModelDifferenceReport) -> HTML {
        let attributes = report.comparison.differences.filter { $0.aspect == "attribute" && $0.property != nil }
        let items = Dictionary(grouping: attributes, by: { $0.entity ?? "" }).sorted { $0.key < $1.key }
            .compactMap { entity, differences -> HTML? in
                let removed = differences.filter { $0.kind == .removed }.compactMap(\.property)
                let added = differences.filter { $0.kind == .added }.compactMap(\.property)
                guard !removed.isEmpty, !added.isEmpty else { return nil }
                let links = added.map { name -> HTML in
                    parts.link(ModelPath.entity(entity).child("attribute", name), "<bdi>\(name)</bdi>", tab: .list)
                }.reduce("" as HTML) { $0.text.isEmpty ? $1 : "\($0), \($1)" }
                return """
                    <li>\(entity): \(removed.joined(separator: ", ")) removed, \(links) added. A rename? Set the
                    renaming ID of the new attribute to the old name, else the values are lost.</li>
                    """
            }
        return items.isEmpty ? "" : "<div class=\"problems\" role=\"note\"><ul>\(items)</ul></div>"
    }
}
