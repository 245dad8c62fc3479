// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// `/delete/Song/p12`, `/delete/Song?id=Song/p1&id=Song/p2`: what a deletion would take along, and the button.
struct DeletePage {
    let preview: DeletePreview
    let formToken: String
    /// Where the form is sent to.
    let route: BrowserRoute
    let cancel: BrowserRoute

    var page: BrowserPage {
        var body: HTML = "<h1>Delete <bdi>\(preview.label)</bdi>?</h1>\(list(preview.chosen))"
        if !preview.problems.isEmpty {
            body +=
                """
                <div class="message problems" role="alert"><p>The rules of the model refuse it:</p>
                \(list(preview.problems))</div>
                """
        }
        let them: HTML = preview.ids.count == 1 ? "it" : "them"
        if preview.deletedCount > 0 {
            body +=
                """
                <h2>\(Amount.text(preview.deletedCount, "object")) would be deleted with \(them)</h2>
                \(list(preview.deleted))
                """
        }
        if preview.changedCount > 0 {
            body +=
                """
                <h2>\(Amount.text(preview.changedCount, "object")) would lose the reference to \(them)</h2>
                \(list(preview.changed))
                """
        }
        if preview.deletedCount + preview.changedCount == 0 { body += "<p>No other object is affected.</p>" }
        let ids = preview.ids.map { "<input type=\"hidden\" name=\"id\" value=\"\($0)\">" as HTML }
        body += """
            <form method="post" action="\(route.path())">
            <input type="hidden" name="formToken" value="\(formToken)">\(ids)<button class="danger">Delete</button>
            <a class="button" href="\(cancel.path())">Cancel</a></form>
            """
        return BrowserPage(title: "Delete \(preview.label)", body: body)
    }

    private func list(_ lines: [String]) -> HTML {
        lines.isEmpty ? "" : "<ul>\(lines.map { "<li>\($0)</li>" as HTML })</ul>"
    }
}
