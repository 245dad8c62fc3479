// SPDX-License-Identifier: Apache-2.0

import CoreDataSync
import OpenCoreData

/// The notes of the side store on an object, for the page of the object.
struct ObjectSyncNotes {
    private let changes: [SyncStoreStatus.Change]
    private let problems: [SyncStoreStatus.Problem]
    private let held: [SyncStoreStatus.Held]
    private let largeValues: [SyncStoreStatus.LargeValue]
    /// Why the side store can't be read.
    private let failure: String?

    /// - Parameter id: the ID of an object of the store.
    init(of id: NSManagedObjectID, reader: StoreReader, store: BrowserStore) {
        var (found, failure): (SyncStoreStatus.OfObject?, String?)
        if let url = store.sideStore {
            do {
                let side = try reader.store.sideStoreReader(at: url)
                defer { side.close() }
                found = try side.status(of: id)
            } catch {
                failure = ErrorReport.text(for: error)
            }
        }
        (changes, problems) = (found?.changes ?? [], found?.problems ?? [])
        (held, largeValues) = (found?.held ?? [], found?.largeValues ?? [])
        self.failure = failure
    }

    /// The lines above the properties.
    var html: HTML {
        var lines = changes.map { change -> HTML in
            switch change.kind {
            case .insertion: "The server doesn’t have this object yet."
            case .change: "The server doesn’t have these changes yet: \(change.keys.joined(separator: ", "))."
            case .deletion: "The server doesn’t have the deletion of this object yet."
            }
        }
        lines += problems.map { problem in
            let keys = problem.keys.isEmpty ? "" : " of \(problem.keys.joined(separator: ", "))"
            return "Not on the server: \(problem.kind.rawValue)\(keys). \(problem.reason)"
        }
        lines += held.map { "The server has a state that the store can’t have yet: \($0.reason)" }
        lines += largeValues.map { "\($0.key) is to come: \(SyncStatusText.text($0))." }
        if let failure { lines.append("What the server has of this object isn’t known. \(failure)") }
        guard !lines.isEmpty else { return "" }
        let items = lines.map { "<li>\($0)</li>" as HTML }
        return """
            <div class="sync" role="note"><ul>\(items)</ul>
            <p class="hint"><a href="\(BrowserRoute.sync.path())">Sync of the store</a></p></div>
            """
    }

    /// The marks beside the name of a property.
    func badges(_ key: String) -> HTML {
        var badges: HTML = ""
        if changes.contains(where: { $0.kind == .change && $0.keys.contains(key) }) {
            badges += " <span class=\"badge\" title=\"The server doesn’t have the change yet\">pending</span>"
        }
        if let problem = problems.first(where: { $0.keys.contains(key) }) {
            badges += " <span class=\"badge refused\" title=\"\(problem.reason)\">not on the server</span>"
        }
        if largeValues.contains(where: { $0.key == key }) { badges += " <span class=\"badge\">to come</span>" }
        return badges
    }
}
