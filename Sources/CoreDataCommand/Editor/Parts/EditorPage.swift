// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The whole page, which the script keeps up to date afterwards.
struct EditorPage {
    let parts: EditorParts
    let formToken: String

    var html: HTML {
        let all = Dictionary(uniqueKeysWithValues: parts.all().map { ($0.name, $0.html) })
        func place(_ name: String, _ element: HTML, _ more: HTML = "") -> HTML {
            let html = all[name] ?? ""
            return """
                <\(element) id="\(name)" data-part="\(name)" data-mark="\(EditorAnswer.mark(html.text))"\(more)>\
                \(html)</\(element)>
                """
        }
        let snapshot = parts.snapshot
        return Self.frame(
            title: parts.title,
            attributes: """
                 data-token="\(formToken)" data-revision="\(snapshot.revision)" data-path="\(parts.view.path)"
                """,
            """
            <a class="skip" href="#main">Skip to the content</a>
            \(place("bar", "header", " class=\"bar\""))
            \(place("banner", "div"))
            <div class="work view-\(parts.view.tab.rawValue)">
            \(place("sidebar", "nav", " aria-label=\"Elements of the model\""))
            \(place("main", "main", " tabindex=\"-1\""))
            \(place("inspector", "aside", " aria-label=\"Settings\""))
            </div>
            <p id="note" role="status" aria-live="polite"></p>
            <noscript><p class="problems">The editor needs JavaScript.</p></noscript>
            \(RelationDialog().html)
            """)
    }

    /// A page with a message alone.
    static func error(_ message: String, status: Int) -> HTML {
        frame(
            title: "Error \(status)", attributes: "",
            """
            <main><h1>\(status == 404 ? "Not found" : "This can’t be shown")</h1>
            <p role="alert" class="message">\(message)</p><p><a href="/">The model</a></p></main>
            """)
    }

    private static func frame(title: String, attributes: HTML, _ body: HTML) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <link rel="stylesheet" href="/style.css">
        <script src="/script.js" defer></script></head>
        <body class="editor"\(attributes)>\(body)</body></html>
        """
    }
}

/// The dialog that asks for a relationship between two entities.
struct RelationDialog {
    var html: HTML {
        """
        <dialog id="relation" aria-labelledby="relation-title"><form method="dialog">
        <h2 id="relation-title">New relationship</h2>
        <div class="pair"><fieldset><legend>from <bdi id="relation-source"></bdi></legend>
        <label>Destination <select name="destination"></select></label>
        <label>Name <input name="name" placeholder="made from the entity" spellcheck="false" autocomplete="off" \
        aria-describedby="relation-message"></label>
        <label class="check"><input type="checkbox" name="isToMany"> to many</label>
        </fieldset><fieldset><legend>and back</legend>
        <label>Inverse <input name="inverse" placeholder="made from the entity" spellcheck="false" \
        autocomplete="off"></label>
        <label class="check"><input type="checkbox" name="inverseIsToMany" checked> to many</label>
        <label class="check"><input type="checkbox" name="noInverse"> no inverse</label>
        </fieldset></div>
        <p class="message" id="relation-message" role="alert"></p>
        <p class="actions"><button class="main" value="add">Add</button>
        <button value="cancel" formnovalidate>Cancel</button></p></form></dialog>
        """
    }
}
