// SPDX-License-Identifier: Apache-2.0

/// A token of the text notation: a word, a quoted text, or a punctuation mark.
struct TextNotationToken {
    enum Kind: Equatable {
        /// Letters, digits and `_ - . $ + @`: a name, a keyword or a number.
        case word(String)
        /// The contents of quotation marks.
        case text(String)
        /// One of `{ } [ ] : = , ;`.
        case mark(Character)
        case end
    }

    let kind: Kind
    let line: Int
    let column: Int
    /// Whether the token is the first of its line.
    let startsLine: Bool

    /// The token in a message. A long one is shortened.
    var description: String {
        switch kind {
        case .word(let word): return "'\(Self.short(word))'"
        case .text(let text): return "the text \"\(Self.short(text))\""
        case .mark(let mark): return "'\(mark)'"
        case .end: return "the end of the file"
        }
    }

    func isMark(_ mark: Character) -> Bool { kind == .mark(mark) }

    /// The name or the text of the token; nil for a punctuation mark.
    var name: String? {
        switch kind {
        case .word(let name), .text(let name): return name
        case .mark, .end: return nil
        }
    }

    var word: String? {
        if case .word(let word) = kind { return word }
        return nil
    }

    private static func short(_ text: String) -> String { TextNotationText.short(text) }
}
