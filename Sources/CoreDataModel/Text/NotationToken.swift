/// A word, a text in quotation marks, or a punctuation mark of the notation.
struct NotationToken {
    enum Kind: Equatable {
        /// Letters, digits and `_ - . $ + @`: names, keywords and numbers alike.
        case word(String)
        /// What stood between quotation marks.
        case text(String)
        /// One of `{ } [ ] : = , ;`.
        case mark(Character)
        case end
    }

    let kind: Kind
    let line: Int
    let column: Int
    /// Whether it is the first one of its line.
    let startsLine: Bool

    /// The token as a message names it; long ones are cut.
    var description: String {
        switch kind {
        case .word(let word): return "'\(Self.short(word))'"
        case .text(let text): return "the text \"\(Self.short(text))\""
        case .mark(let mark): return "'\(mark)'"
        case .end: return "the end of the file"
        }
    }

    func isMark(_ mark: Character) -> Bool { kind == .mark(mark) }

    /// The name or text that stands here.
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

    private static func short(_ text: String) -> String { NotationText.short(text) }
}
