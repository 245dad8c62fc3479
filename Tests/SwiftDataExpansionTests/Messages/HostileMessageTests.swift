import Foundation
import Testing

@testable import SwiftDataExpansion

@Suite("Messages that no compiler sends")
struct HostileMessageTests {
    @Test(
        "each gets an answer with an error",
        arguments: [
            "", "x", "{}", "[]", "null", "{\"unknown\":{}}", "{\"expandAttachedMacro\":{}}",
            "{\"expandAttachedMacro\":3}",
            "{\"expandAttachedMacro\":{\"macro\":{\"typeName\":\"PersistentModelMacro\"},\"macroRole\":\"member\"}}",
        ])
    func malformed(message: String) throws {
        let answer = try RecordedMessages.answer(to: message)
        let result = try requireValue(answer["expandMacroResult"] as? [String: Any])
        expectEqual((result["diagnostics"] as? [Any])?.count, 1)
        #expect(result["expandedSource"] is NSNull)
    }

    @Test("an unknown macro has no expansion")
    func unknownMacro() throws {
        let message = try RecordedMessages.call("PersistentModelMacro", "member").replacing(
            "PersistentModelMacro", with: "X")
        let result = try RecordedMessages.answer(to: message)["expandMacroResult"] as? [String: Any]
        #expect(result?["expandedSource"] as? String == "")
    }

    @Test("damaged messages get an answer")
    func damaged() throws {
        let seed = TestRun.seed(for: "macro messages")
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "\"", "{", "}", "[", "\\n", "@Model", "class A {", "var a: ", "= { ", "#if X\\n", "<", "(", "/*", "`", "é",
        ]
        for _ in 0..<(TestRun.isLong ? 5000 : 500) {
            var message = Array(RecordedMessages.all.randomElement(using: &generator)!.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let start = Int.random(in: 0..<message.count, using: &generator)
                let end = min(message.count, start + Int.random(in: 0...20, using: &generator))
                message.replaceSubrange(start..<end, with: Array(pieces.randomElement(using: &generator)!.utf8))
            }
            let answer = MessageHandler.answer(to: message)
            #expect(JSONParser.value(of: answer) != nil, "seed \(seed)")
        }
    }

    @Test(
        "long sources are expanded in linear time",
        arguments: [
            "var a = 1\n", "var a = { ", "var a: [", "var a = b<", "#Unique<", "@A(", "#if a\n", "class A { ", "(",
            "= ", "init(",
            "var a = \"\\(", "var a = b\n+ ", "@Attribute(.unique) var a: Int = 1 { didSet { } }\n",
        ])
    func long(piece: String) {
        let source =
            "@Model final class A {\n"
            + String(repeating: piece, count: (TestRun.isLong ? 300_000 : 30_000) / piece.utf8.count)
        let time = TestRun.processorSeconds {
            _ = Expansions.members(source)
            _ = Expansions.attribute(source)
            _ = Expansions.accessors(source)
        }
        #expect(time < 60)
    }
}
