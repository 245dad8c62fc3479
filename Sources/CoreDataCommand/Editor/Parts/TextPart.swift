// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The model in the text notation, which can be edited.
struct TextPart {
    let parts: EditorParts

    var html: HTML {
        let text: String
        do {
            text = try parts.snapshot.model.text(of: parts.snapshot.root, isText: parts.snapshot.files.isText)
        } catch {
            let problems = parts.snapshot.model.findings.map { "<li>\($0.message).</li>" as HTML }
            return """
                <h1>Text</h1><p class="message">The model has errors, so that it has no text yet.</p>
                <div class="problems"><ul>\(problems)</ul></div>
                """
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
        return """
            <form class="text-notation" id="text-form"><div class="head"><div class="title"><h1>Text</h1>
            <p class="actions">
            <button class="main" aria-keyshortcuts="Control+Enter" title="Control-Enter">Apply</button>
            <button type="reset">Reset</button></p></div>
            <p class="message" id="text-message" role="alert"></p></div>
            <div class="numbered">\
            <pre id="text-lines" aria-hidden="true">\((1...max(1, lines)).map { "\($0)\n" as HTML })</pre>
            <textarea id="text" aria-label="The model in the text notation" aria-describedby="text-message" \
            spellcheck="false" autocomplete="off" rows="\(max(20, lines + 1))" \
            wrap="off">\(text)</textarea></div></form>
            """
    }
}
