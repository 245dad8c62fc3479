// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The state of the session, which each page asks for again and again.
struct EditorState: Encodable {
    let revision: Int
    let isChanged: Bool
    let outside: String?
}

/// The answer to an edit, or to a look at something else.
struct EditorAnswer: Encodable {
    struct Part: Encodable {
        let mark: String
        let html: String
    }

    var error: String?
    /// The attribute whose value is refused.
    var field: String?
    private(set) var note: String?
    private(set) var revision: Int?
    private(set) var path: String?
    private(set) var title: String?
    /// Whether the problems belong to this revision. If not, the page asks for them.
    private(set) var isChecked = true
    /// The parts that differ from those that the page has.
    private(set) var parts: [String: Part] = [:]

    init(error: String) { self.error = error }

    /// - Parameters:
    ///   - marks: the marks of the parts that the page has.
    ///   - names: the parts that can have changed; nil for all.
    init(_ parts: EditorParts, having marks: [String: String], note: String? = nil, only names: Set<String>? = nil) {
        self.note = note
        revision = parts.snapshot.revision
        path = parts.view.path
        title = parts.title
        isChecked = parts.snapshot.isChecked
        // These parts need the model, or take longer than the others; the page asks for them with the problems.
        let isLate = !isChecked && names == nil && [.text, .problems, .diagram].contains(parts.view.tab)
        for (name, html) in parts.all(isLate ? ["bar", "banner", "sidebar", "inspector"] : names) {
            let mark = Self.mark(html.text)
            if marks[name] != mark { self.parts[name] = Part(mark: mark, html: html.text) }
        }
    }

    /// A short mark of a text, while the process runs.
    static func mark(_ text: String) -> String { String(text.hashValue, radix: 36) }
}
