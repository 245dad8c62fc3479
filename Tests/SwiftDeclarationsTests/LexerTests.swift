import Testing

@testable import SwiftDeclarations

@Suite("Tokens of Swift sources")
struct LexerTests {
    private func texts(_ source: String) -> [String] {
        let lexed = LexedSource(SwiftSource(path: "a.swift", text: source))
        return lexed.tokens.map(lexed.text)
    }

    @Test("comments are skipped, also nested comments")
    func comments() {
        #expect(texts("a // b\nc /* d /* e */ f */ g /**/ h") == ["a", "c", "g", "h"])
    }

    @Test(
        "strings are one token each, of every kind",
        arguments: [
            #""plain""#, #""with \" quote""#, "\"\"\"\n several \" lines \"\" \n\"\"\"", "#\"raw \" \\n\"#",
            "##\"raw \"# more\"##", #""""#, "#\"\"#",
            "#\"\"\"\nraw \"\"\" lines\n\"\"\"#",
        ])
    func strings(_ literal: String) {
        #expect(texts("a \(literal) b") == ["a", literal, "b"])
    }

    @Test("interpolations are tokens, to any depth")
    func interpolations() {
        #expect(
            texts(#""a\(b("c\(d)"))e" f"#) == [
                #""a"#, #"\("#, "b", "(", #""c"#, #"\("#, "d", ")", #"""#, ")", ")", #"e""#, "f",
            ])
        #expect(texts(##"#"a\(b)\#(c)"# d"##) == [##"#"a\(b)"##, ##"\#("##, "c", ")", ##""#"##, "d"])
    }

    @Test("quotes in a regular expression are no string")
    func regularExpressions() {
        #expect(texts(#"let a = /"b/; c"#) == ["let", "a", "=", #"/"b/"#, ";", "c"])
        #expect(texts(#"a / b / "c""#) == ["a", "/", "b", "/", #""c""#])
        #expect(texts("x = #/\"/# y") == ["x", "=", "#/\"/#", "y"])
    }

    @Test("names in backticks, directives and operators are distinguished")
    func names() {
        let lexed = LexedSource(SwiftSource(path: "a.swift", text: "#if `default` 名 ?? $0 1.5e-3 0xFp+1 1...2"))
        #expect(
            lexed.tokens.map(lexed.text) == [
                "#if", "`default`", "名", "?", "?", "$0", "1.5e-3", "0xFp+1", "1", ".", ".", ".", "2",
            ])
        #expect(lexed.tokens[0].kind == .pound)
        #expect(lexed.tokens[1].kind == .quotedIdentifier)
        #expect(lexed.name(lexed.tokens[1]) == "default")
    }

    @Test("line and column are those of the compiler")
    func positions() {
        let lexed = LexedSource(SwiftSource(path: "a.swift", text: "é\n  b"))
        #expect(lexed.position(of: lexed.tokens[1].start) == (2, 3))
    }
}
