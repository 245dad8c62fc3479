// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The view of a window: everything that its address says.
struct EditorView: Equatable {
    enum Tab: String, CaseIterable {
        case list, diagram, text, versions, problems

        var title: String {
            switch self {
            case .list: "List"
            case .diagram: "Diagram"
            case .text: "Text"
            case .versions: "Versions"
            case .problems: "Problems"
            }
        }
    }

    var tab = Tab.list
    /// The selected element.
    var at = ModelPath.model
    /// The version; nil for the current one.
    var version: String?
    /// The version that the tab of versions compares with.
    var with: String?
    /// Whether the migration is tried on a copy of the store.
    var isTrial = false

    init(_ query: FormValues) {
        tab = query["tab"].flatMap(Tab.init) ?? .list
        at = query["at"].flatMap(ModelPath.init) ?? .model
        version = query["version"]
        with = query["with"]
        isTrial = query.has("try")
    }

    /// The same view of another element, or on another tab.
    func showing(_ path: ModelPath? = nil, tab: Tab? = nil) -> EditorView {
        var view = self
        if let path { view.at = path }
        if let tab { view.tab = tab }
        view.isTrial = false
        return view
    }

    /// The address. A trial isn't part of it, so that only a click runs one.
    var path: String {
        var pairs: [(String, String)] = []
        if tab != .list { pairs.append(("tab", tab.rawValue)) }
        if !at.steps.isEmpty { pairs.append(("at", at.text)) }
        if let version { pairs.append(("version", version)) }
        if let with { pairs.append(("with", with)) }
        return pairs.isEmpty ? "/" : "/?" + FormValues(pairs).encoded
    }

    /// The address that runs a trial.
    var trialPath: String { path + (path == "/" ? "?" : "&") + "try=1" }
}
