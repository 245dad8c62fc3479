// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The bar: the file, the version, the tabs, undo, and the state of the file.
struct BarPart {
    let parts: EditorParts

    var html: HTML {
        let (snapshot, view) = (parts.snapshot, parts.view)
        let tabs = EditorView.Tab.allCases.map { tab -> HTML in
            let current: HTML = tab == view.tab ? " aria-current=\"page\"" : ""
            return "<a href=\"\(view.showing(tab: tab).path)\" data-view\(current)>\(tab.title)\(count(for: tab))</a>"
        }
        return """
            <p class="store" title="\(snapshot.files.url.path)"><bdi>\(snapshot.files.name)</bdi></p>
            \(versions)
            <nav aria-label="Views">\(tabs)</nav>
            <div class="mode"><span class="state\(snapshot.isChanged ? " changed" : "" as HTML)">\
            \(snapshot.isChanged ? "Unsaved changes" : "Saved")</span>
            \(step("undo", "Undo", snapshot.undoLabel, "Control+Z"))
            \(step("redo", "Redo", snapshot.redoLabel, "Control+Shift+Z"))
            <button class="main" data-command="\(EditorParts.json(["kind": "save"]))" aria-keyshortcuts="Control+S" \
            title="Control-S"\(snapshot.isChanged ? "" : " disabled" as HTML)>Save</button></div>
            """
    }

    private func count(for tab: EditorView.Tab) -> HTML {
        let findings = parts.snapshot.model.findings
        guard tab == .problems, !findings.isEmpty else { return "" }
        let isError = findings.contains { $0.severity == .error }
        return " <span class=\"count \(isError ? "error" : "warning")\">\(findings.count)</span>"
    }

    private func step(_ kind: String, _ word: String, _ label: String?, _ keys: String) -> HTML {
        """
        <button data-command="\(EditorParts.json(["kind": kind]))" aria-keyshortcuts="\(keys)" \
        title="\(label.map { "\(word): \($0)" } ?? word)"\(label == nil ? " disabled" : "" as HTML)>\(word)</button>
        """
    }

    private var versions: HTML {
        let snapshot = parts.snapshot
        guard snapshot.versions.count > 1 else { return "" }
        let options = snapshot.versions.map { name -> HTML in
            let mark: HTML = name == snapshot.version ? " selected" : ""
            return "<option value=\"\(name)\"\(mark)>\(name)\(name == snapshot.current ? " (current)" : "")</option>"
        }
        return """
            <label class="version"><span class="hidden">Version</span> <select data-version>\(options)</select></label>
            """
    }
}
