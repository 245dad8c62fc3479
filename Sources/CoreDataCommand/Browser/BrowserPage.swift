import OpenCoreData

/// The parts that a page adds to the layout that all pages share.
struct BrowserPage {
    let title: String
    /// The path of the entry in the navigation.
    var section = "/"
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

    private static let sections = [
        ("/", "Entities"), ("/model", "Model"), ("/history", "History"), ("/compare", "Compare"),
    ]

    var html: HTML {
        let name = URL(string: store.location.text)?.lastPathComponent ?? store.location.text
        let links = Self.sections.map { path, title -> HTML in
            "<a href=\"\(path)\"\(page.section == path ? " aria-current=\"page\"" as HTML : "")>\(title)</a>"
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
            <link rel="stylesheet" href="/style.css"><script src="/script.js" defer></script></head>
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
            <form method="post" action="/undo"><input type="hidden" name="formToken" value="\(formToken)">
            <button>Undo</button></form>
            """
    }
}
