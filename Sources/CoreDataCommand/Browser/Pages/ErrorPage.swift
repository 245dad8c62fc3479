// SPDX-License-Identifier: Apache-2.0

/// A message in place of a page.
struct ErrorPage {
    let status: Int
    let message: String

    var page: BrowserPage {
        BrowserPage(
            title: "Error \(status)", section: nil,
            body: """
                <h1>\(status == 404 ? "Not found" : "This can’t be shown")</h1>
                <p role="alert" class="message">\(ObjectLabel.cut(message, to: 2_000))</p>
                <p><a href="\(BrowserRoute.start.path())">All entities</a></p>
                """, status: status)
    }
}
