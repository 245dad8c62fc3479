import Testing

@testable import CoreDataClasses

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

    @Test("any bytes give tokens that cover the text in order")
    func anything() {
        let seed = TestRun.seed(for: "lexer")
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "\"", "\"\"\"", "#", "/", "*", "/*", "*/", "//", "(", ")", "\\(", "\\", "`", "\n", "a", "@NSManaged var",
            "class A", "{", "}", "<", ">",
            "#if", "#endif", ":", "?", "é", "\0", "\r", "#keyPath(", "#selector(",
            "init(context: NSManagedObjectContext)", "func f(", "@objc(", ".", ",", "[",
        ]
        for _ in 0..<400 {
            let text = (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
                pieces.randomElement(using: &generator)!
            }.joined(separator: Bool.random(using: &generator) ? " " : "")
            let lexed = LexedSource(SwiftSource(path: "a.swift", text: text))
            var end = 0
            for token in lexed.tokens {
                #expect(token.start >= end, "seed \(seed): \(text)")
                #expect(token.end > token.start, "seed \(seed): \(text)")
                #expect(token.end <= lexed.bytes.count, "seed \(seed): \(text)")
                end = token.end
            }
            let source = SwiftSource(path: "a.swift", text: text)
            let module = ModuleSources(module: "App", compiled: [source], rewritten: [source])
            _ = try? module.generatedAccessors()
            _ = try? module.rewrittenCopies()
            _ = module.registration()
        }
    }

    @Test(
        "long hostile sources are read in linear time, and copies have all their lines",
        arguments: [
            "(", ")", "[", "{", "#", "#/", "/\\", "\"\\(", "/*", "<", "class A<", "class A {", "#if a\n", "@a(",
            "let a: [", "@NSManaged var a: [", "var a: (", "extension A.", "@NSManaged func a(",
            "class A: NSManagedObject { @NSManaged var a: A<", "#keyPath(", "#selector(", "@objc(",
        ])
    func hostile(_ piece: String) {
        let text = String(repeating: piece, count: (TestRun.isLong ? 100_000 : 30_000) / piece.utf8.count)
        #expect(TestRun.processorSeconds { read(text) } < 60)
    }

    /// Lexes a source, generates its accessors and rewrites it.
    private func read(_ text: String) {
        let source = SwiftSource(path: "a.swift", text: text)
        let lexed = LexedSource(source)
        #expect(zip(lexed.tokens, lexed.tokens.dropFirst()).allSatisfy { $0.end <= $1.start })
        #expect(lexed.tokens.allSatisfy { $0.start < $0.end && $0.end <= lexed.bytes.count })
        let module = ModuleSources(module: "App", compiled: [source], rewritten: [source])
        _ = try? module.generatedAccessors()
        _ = module.registration()
        if let copy = try? module.rewrittenCopies().first {
            let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
            #expect(copy.text.utf8.count { $0 == UInt8(ascii: "\n") } >= lines)
        }
    }
}
