import OpenCoreData

/// `/delete/Song/p12`: what a deletion would take along, and the button.
struct DeletePage {
    let preview: DeletePreview
    let formToken: String

    var page: BrowserPage {
        let others = preview.deleted.map { "<li>\($0)</li>" as HTML }
        let changed = preview.changed.map { "<li>\($0)</li>" as HTML }
        var body: HTML = "<h1>Delete <bdi>\(preview.label)</bdi>?</h1>"
        if !preview.problems.isEmpty {
            let list = preview.problems.map { "<li>\($0)</li>" as HTML }
            body +=
                """
                <div class="message problems" role="alert"><p>The rules of the model refuse it:</p>
                <ul>\(list)</ul></div>
                """
        }
        if preview.deletedCount > 0 {
            body +=
                "<h2>\(Amount.text(preview.deletedCount, "object")) would be deleted with it</h2><ul>\(others)</ul>"
        }
        if preview.changedCount > 0 {
            body +=
                """
                <h2>\(Amount.text(preview.changedCount, "object")) would lose the reference to it</h2>
                <ul>\(changed)</ul>
                """
        }
        if preview.deletedCount + preview.changedCount == 0 { body += "<p>No other object is affected.</p>" }
        body += """
            <form method="post" action="\(BrowserRoute.delete(preview.name).path())">
            <input type="hidden" name="formToken" value="\(formToken)"><button class="danger">Delete</button>
            <a class="button" href="\(BrowserRoute.object(preview.name).path())">Cancel</a></form>
            """
        return BrowserPage(title: "Delete \(preview.label)", body: body)
    }
}
