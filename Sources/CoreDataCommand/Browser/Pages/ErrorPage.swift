// SPDX-License-Identifier: Apache-2.0

/// A message in place of a page.
struct ErrorPage {
    let status: Int
    let message: String
    /// The heading; nil for the heading of the status.
    var title: String?
    /// The path of the page that was left.
    var back: String?

    var page: BrowserPage {
        let link = back.map { "<a href=\"\($0)\">Back</a>, " as HTML }
        return BrowserPage(
            title: title ?? "Error \(status)", section: nil,
            body: """
                <h1>\(title ?? (status == 404 ? "Not found" : "This can’t be shown"))</h1>
                <p role="alert" class="message">\(ObjectLabel.cut(message, to: 2_000))</p>
                <p>\(link)<a href="\(BrowserRoute.start.path())">All entities</a></p>
                """, status: status)
    }
}
