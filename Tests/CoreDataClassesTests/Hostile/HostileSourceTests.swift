import Testing

@testable import CoreDataClasses

@Suite("Hostile Swift sources")
struct HostileSourceTests {
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
