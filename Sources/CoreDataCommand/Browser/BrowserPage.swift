// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The parts that a page adds to the layout that all pages share.
struct BrowserPage {
    /// An entry of the navigation.
    enum Section: String, CaseIterable {
        case entities = "Entities"
        case model = "Model"
        case history = "History"
        case comparison = "Compare"
        case sync = "Sync"

        var route: BrowserRoute {
            switch self {
            case .entities: .start
            case .model: .model
            case .history: .history
            case .comparison: .comparison
            case .sync: .sync
            }
        }
    }

    let title: String
    /// The entry of the page; nil for a page that has none.
    var section: Section? = .entities
    let body: HTML
    /// The command that prints the contents of the page.
    var command: String?
    var status = 200
    /// Whether the page shows what the side store has, so that it changes with it.
    var showsSync = false
}

/// The page around the content: header, navigation, the command line.
struct PageLayout {
    let page: BrowserPage
    let store: BrowserStore
    let formToken: String

    var html: HTML {
        let name = URL(string: store.location.text)?.lastPathComponent ?? store.location.text
        let sections = BrowserPage.Section.allCases.filter { $0 != .sync || store.sideStore != nil }
        let links = sections.map { section -> HTML in
            let mark: HTML = page.section == section ? " aria-current=\"page\"" : ""
            return "<a href=\"\(section.route.path())\"\(mark)>\(section.rawValue)</a>"
        }
        let command = page.command.map {
            """
            <footer><h2 id="same">The same on the command line</h2>
            <pre tabindex="0" aria-labelledby="same"><code>\($0)</code></pre></footer>
            """ as HTML
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(page.title) – \(name)</title>
            <link rel="stylesheet" href="\(BrowserRoute.styleSheet.path())">
            <script src="\(BrowserRoute.script.path())" defer></script></head>
            <body data-mark="\(store.changeMark(withSync: page.showsSync))" data-watch="\(watched)">
            <a class="skip" href="#content">Skip to the content</a>
            <header><p class="store" title="\(store.location.text)"><bdi>\(name)</bdi></p>
            <nav aria-label="Pages">\(links)</nav>
            <form class="find" action="\(BrowserRoute.search.path())" role="search" aria-label="All entities">
            <input type="search" name="q" aria-label="Search all entities" placeholder="Search all entities"
            autocomplete="off" spellcheck="false"></form>
            <div class="mode">\(mode)</div></header>
            <p id="changed" class="changed" role="status" hidden>The store has been changed.
            <a href="">Load the page again</a></p>
            <main id="content">\(page.body)</main>
            \(command)</body></html>
            """
    }

    /// The address of the mark that changes with the contents of the page.
    private var watched: String {
        BrowserRoute.mark.path(page.showsSync ? FormValues([("sync", "1")]) : FormValues())
    }

    private var mode: HTML {
        guard store.isEditable else { return "read only" }
        return """
            <span class="badge">editable</span>
            \(step("Undo", store.steps.undo, .undo))\(step("Redo", store.steps.redo, .redo))
            """
    }

    /// The button of a step, which says in its title what it does.
    private func step(_ title: HTML, _ name: String?, _ route: BrowserRoute) -> HTML {
        let state: HTML = name.map { " title=\"\(title) \($0)\"" } ?? " disabled"
        return """
            <form method="post" action="\(route.path())"><input type="hidden" name="formToken" value="\(formToken)">
            <button\(state)>\(title)</button></form>
            """
    }
}
