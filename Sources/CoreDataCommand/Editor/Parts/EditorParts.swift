// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The parts of a page that an edit may change.
struct EditorParts {
    let snapshot: EditorSnapshot
    let view: EditorView
    let session: EditorSession

    init(_ snapshot: EditorSnapshot, view: EditorView, session: EditorSession) {
        self.snapshot = snapshot
        var view = view
        // For a removed element: the nearest element that contains it.
        while snapshot.root.element(at: view.at) == nil { view.at = view.at.parent }
        if let version = view.version, !snapshot.versions.contains(version) { view.version = nil }
        self.view = view
        self.session = session
    }

    private static let names = ["bar", "banner", "sidebar", "main", "inspector"]

    /// The parts by the IDs of their places.
    ///
    /// - Parameter wanted: the parts to make; nil for all.
    func all(_ wanted: Set<String>? = nil) -> [(name: String, html: HTML)] {
        Self.names.filter { wanted?.contains($0) ?? true }.map { ($0, part($0)) }
    }

    private func part(_ name: String) -> HTML {
        switch name {
        case "bar": BarPart(parts: self).html
        case "banner": banner
        case "sidebar": SidebarPart(parts: self).html
        case "main": main
        default: InspectorPart(parts: self).html
        }
    }

    var title: String {
        let name = view.at.steps.map { $0.name ?? ModelWords.kind($0.kind) }.joined(separator: ".")
        return (name.isEmpty ? view.tab.title : name) + " – " + snapshot.files.name
    }

    private var main: HTML {
        switch view.tab {
        case .list: ListPart(parts: self).html
        case .diagram: DiagramPart(parts: self).html
        case .text: TextPart(parts: self).html
        case .versions: VersionsPart(parts: self).html
        case .problems: ProblemsPart(parts: self).html
        }
    }

    private var banner: HTML {
        guard let outside = snapshot.outside else { return "" }
        return """
            <div class="problems" role="alert"><p>\(outside)</p><p class="actions">
            <button data-command="\(Self.json(["kind": "reload"]))">Read the files again\
            \(snapshot.isChanged ? ", drop my changes" : "")</button>
            <button data-command="\(Self.json(["kind": "keep"]))">Keep my model, save over theirs</button></p></div>
            """
    }

    // MARK: Pieces of several parts

    /// A link to an element.
    func link(_ path: ModelPath, _ text: HTML, tab: EditorView.Tab? = nil, classes: String = "") -> HTML {
        let current: HTML = view.at == path ? " aria-current=\"true\"" : ""
        return """
            <a href="\(view.showing(path, tab: tab).path)" data-view class="\(classes)"\(current)>\(text)</a>
            """
    }

    /// A command as JSON, for an attribute of markup.
    static func json(_ command: [String: String]) -> String {
        // Texts have a form in JSON always.
        (try? JSONText.line(of: command)) ?? ""
    }

    static func command(_ kind: String, _ path: ModelPath, _ more: [String: String] = [:]) -> String {
        json(more.merging(["kind": kind, "path": path.text]) { own, _ in own })
    }

    /// The mark of an element with problems.
    func problemMark(entity: String, key: String? = nil) -> HTML {
        let findings = snapshot.findings(entity: entity, key: key)
        guard let first = findings.first else { return "" }
        let isError = findings.contains { $0.severity == .error }
        let text = findings.count == 1 ? first.message : "\(findings.count) problems: \(first.message) …"
        return """
             <span class="mark \(isError ? "error" : "warning")" role="img" aria-label="\(text)" \
            title="\(text)">\(isError ? "✖" : "⚠")</span>
            """
    }

    /// The type of a property, in a few words.
    func typeText(of property: SourceTree) -> String {
        let optional = property.isTrue("optional") ? "?" : ""
        switch property.name {
        case "attribute":
            let type = property["attributeType"] ?? "Undefined"
            let detail = property["composite"] ?? (type == "Transformable" ? property["customClassName"] : nil)
            return (detail.map { "\(type) \($0)" } ?? type) + optional
        case "relationship":
            let most = property.isTrue("toMany") ? property["maxCount"] ?? "*" : "1"
            let least = property.isTrue("optional") ? "0" : property["minCount"] ?? "1"
            return "\(property["destinationEntity"] ?? "no destination") \(least == most ? most : "\(least)..\(most)")"
        default: return "fetched \(property.child(named: "fetchRequest")?["entity"] ?? "")"
        }
    }
}
