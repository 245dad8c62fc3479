// SPDX-License-Identifier: Apache-2.0

import CoreDataSync
import OpenCoreData

/// `/sync`: what the side store beside the store says of it.
struct SyncPage {
    let reader: StoreReader
    let store: BrowserStore

    /// How many objects of each kind are listed.
    private static let listCount = 200

    var page: BrowserPage {
        get throws {
            guard let url = store.sideStore else {
                return page("<p class=\"empty\">The store doesn’t sync: no side store stands beside it.</p>")
            }
            let side: SyncSideStoreReader
            do {
                side = try reader.store.sideStoreReader(at: url)
            } catch {
                return page("<p class=\"message\">\(ErrorReport.text(for: error))</p>")
            }
            defer { side.close() }
            let status = try side.status()
            let changes = try side.changes(limit: Self.listCount)
            let names = try SyncObjectNames(status, changes, in: reader.context)
            return page(
                """
                \(notices(status))<dl>\(facts(status, url))</dl>
                \(pending(status, changes, names))\(problems(status, names))\(server(status, names))
                """)
        }
    }

    private func page(_ body: HTML) -> BrowserPage {
        let model = store.modelPath.map { " --model \(ShellText.quoted($0))" } ?? ""
        let command = "coredata sync status \(ShellText.quoted(store.location.text)) --changes\(model)"
        return BrowserPage(
            title: "Sync", section: .sync, body: "<h1>Sync</h1>" + body,
            command: store.sideStore == nil ? nil : command, showsSync: true)
    }

    // MARK: The replica

    private func notices(_ status: SyncStoreStatus) -> HTML {
        guard !status.notices.isEmpty else { return "" }
        let items = status.notices.map { "<li>\($0.text)</li>" as HTML }
        return "<div class=\"message problems\" role=\"note\"><ul>\(items)</ul></div>"
    }

    private func facts(_ status: SyncStoreStatus, _ url: URL) -> [HTML] {
        var facts = [
            ("Side store", url.path), ("Account", status.account ?? "none yet"),
            ("Position", SyncStatusText.position(status)), ("Syncs now", SyncStatusText.lease(status.lease)),
        ]
        if status.scopes != nil { facts.append(("Scopes", "the account has a part of the server’s store")) }
        facts.append(("Saves that the engine hasn’t looked at", Amount.text(status.saves.count)))
        facts += status.pushes.map { ("Push", SyncStatusText.text($0)) }
        if !status.pages.isEmpty { facts.append(("Pages that aren’t imported", SyncStatusText.text(status.pages))) }
        return facts.map { "<dt>\($0)</dt><dd>\($1)</dd>" }
    }

    // MARK: Pending changes

    private func pending(
        _ status: SyncStoreStatus, _ changes: [SyncStoreStatus.Change], _ names: SyncObjectNames
    ) -> HTML {
        guard status.pendingCount > 0 else {
            return "<h2>Pending changes</h2><p class=\"empty\">The server has all that the engine has looked at.</p>"
        }
        let kinds = status.pending.map { "<dt>\($0.entityName)</dt><dd>\(SyncStatusText.kinds($0))</dd>" as HTML }
        let items = changes.map { change -> HTML in
            let keys = change.kind == .change ? ": \(change.keys.joined(separator: ", "))" : ""
            let push = change.push.map { " <span class=\"type\">push \($0)</span>" as HTML }
            return "<li>\(change.kind.rawValue) of \(link(to: change.object, names))\(keys)\(push)</li>"
        }
        let total = status.pending.reduce(0) { $0 + $1.insertions + $1.changes + $1.deletions }
        return """
            <h2>Pending changes</h2><p>The server doesn’t have changes of \
            \(Amount.text(status.pendingCount, "object")) yet.</p>
            <dl>\(kinds)</dl>\(list(items, total))
            """
    }

    // MARK: Problems

    private func problems(_ status: SyncStoreStatus, _ names: SyncObjectNames) -> HTML {
        guard !status.problems.isEmpty else { return "<h2>Problems</h2><p class=\"empty\">None.</p>" }
        let items = status.problems.prefix(Self.listCount).map { problem -> HTML in
            let keys = problem.keys.isEmpty ? "" : " (\(problem.keys.joined(separator: ", ")))"
            return """
                <li>\(problem.kind.rawValue) of \(link(to: problem.object, names))\(keys): \
                <span class="message">\(problem.reason)</span></li>
                """
        }
        return """
            <h2>Problems</h2><p>Changes that the server refused, or that came too late. The program repeats or drops
            them.</p>\(list(items, status.problems.count))
            """
    }

    // MARK: What the server has

    private func server(_ status: SyncStoreStatus, _ names: SyncObjectNames) -> HTML {
        var sections: HTML = ""
        if !status.held.isEmpty {
            let items = status.held.prefix(Self.listCount).map {
                "<li>\(link(to: $0.object, names)): \($0.reason)</li>" as HTML
            }
            sections += """
                <h2>States of the server that the store can’t have yet</h2>\(list(items, status.held.count))
                """
        }
        if !status.largeValues.isEmpty {
            let items = status.largeValues.prefix(Self.listCount).map { value -> HTML in
                "<li>\(link(to: value.object, names)), \(value.key): \(SyncStatusText.text(value))</li>"
            }
            sections += "<h2>Large values to come</h2>\(list(items, status.largeValues.count))"
        }
        return sections
    }

    private func list(_ items: [HTML], _ count: Int) -> HTML {
        let more: HTML = count > items.count ? "<li>and \(Amount.text(count - items.count)) more</li>" : ""
        return "<ul class=\"found\">\(items)\(more)</ul>"
    }

    /// The object, as a link to its page if the store has it.
    private func link(to object: SyncStoreStatus.Object, _ names: SyncObjectNames) -> HTML {
        let name = names.name(of: object)
        guard let id = object.id, names.has(object) else { return "<bdi>\(name)</bdi>" }
        return "<a href=\"\(BrowserRoute.object(.init(id)).path())\"><bdi>\(name)</bdi></a>"
    }
}
