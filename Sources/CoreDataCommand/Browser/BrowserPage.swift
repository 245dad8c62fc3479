import OpenCoreData

/// The parts that a page adds to the layout that all pages share.
struct BrowserPage {
    /// An entry of the navigation.
    enum Section: String, CaseIterable {
        case entities = "Entities"
        case model = "Model"
        case history = "History"
        case comparison = "Compare"

        var route: BrowserRoute {
            switch self {
            case .entities: .start
            case .model: .model
            case .history: .history
            case .comparison: .comparison
            }
        }
    }

    let title: String
    /// The entry of the page; nil for a page that has none.
    var section: Section? = .entities
    let body: HTML
    /// The command that gives the same.
    var command: String?
    var status = 200
}

/// The page around the content: header, navigation, the command line.
struct PageLayout {
    let page: BrowserPage
    let store: BrowserStore
    let formToken: String

    var html: HTML {
        let name = URL(string: store.location.text)?.lastPathComponent ?? store.location.text
        let links = BrowserPage.Section.allCases.map { section -> HTML in
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
            <body><a class="skip" href="#content">Skip to the content</a>
            <header><p class="store" title="\(store.location.text)"><bdi>\(name)</bdi></p>
            <nav aria-label="Pages">\(links)</nav>
            <div class="mode">\(mode)</div></header>
            <main id="content">\(page.body)</main>
            \(command)</body></html>
            """
    }

    private var mode: HTML {
        guard store.isEditable else { return "read only" }
        return """
            <span class="badge">editable</span>
            <form method="post" action="\(BrowserRoute.undo.path())">\
            <input type="hidden" name="formToken" value="\(formToken)">
            <button>Undo</button></form>
            """
    }
}
