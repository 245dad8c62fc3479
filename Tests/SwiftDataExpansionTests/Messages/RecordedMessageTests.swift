import Foundation
import Testing

@testable import SwiftDataExpansion

/// The calls of a compiler, one a line.
enum RecordedMessages {
    static let all: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Recorded/swift-6.3.1.jsonl")
        return (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }()

    static func answer(to message: String) throws -> [String: Any] {
        let answer = Data(MessageHandler.answer(to: Array(message.utf8)))
        return try requireValue(try JSONSerialization.jsonObject(with: answer) as? [String: Any])
    }

    /// The call of a macro in a role.
    static func call(_ type: String, _ role: String) throws -> String {
        try requireValue(
            all.first { $0.contains("\"typeName\":\"\(type)\"") && $0.contains("\"macroRole\":\"\(role)\"") })
    }
}

@Suite("Messages of the compiler")
struct RecordedMessageTests {
    @Test("every recorded call is expanded without an error")
    func all() throws {
        #expect(RecordedMessages.all.count >= 15)
        for message in RecordedMessages.all.dropFirst() {
            let answer = try RecordedMessages.answer(to: message)
            let result = try requireValue(answer["expandMacroResult"] as? [String: Any])
            #expect(result["expandedSource"] is String)
            let diagnostics = try requireValue(result["diagnostics"] as? [[String: Any]])
            #expect(diagnostics.allSatisfy { $0["severity"] as? String == "note" })
        }
    }

    @Test("the compiler's question for the capability is answered with the version of the protocol")
    func capability() throws {
        let answer = try RecordedMessages.answer(to: try requireValue(RecordedMessages.all.first))
        let result = answer["getCapabilityResult"] as? [String: Any]
        #expect((result?["capability"] as? [String: Any])?["protocolVersion"] as? Int == 7)
    }

    @Test(
        "the roles of the macros have expansions",
        arguments: [
            ("PersistentModelMacro", "member", "static var schemaMetadata"),
            ("PersistentModelMacro", "memberAttribute", "@_PersistedProperty"),
            ("PersistentModelMacro", "extension", ": nonisolated SwiftData.PersistentModel"),
            ("PersistedPropertyMacro", "accessor", "init(initialValue)"),
            ("PersistedPropertyMacro", "peer", "@Transient private var _"),
            ("TransformablePersistedPropertyMacro", "accessor", "transformableValue"),
            ("TransformablePersistedPropertyMacro", "peer", "@Transient private var _"),
            ("PersistentModelActorMacro", "member", "nonisolated let modelExecutor"),
            ("PersistentModelActorMacro", "extension", ": SwiftData.ModelActor"),
        ])
    func expansions(type: String, role: String, text: String) throws {
        let answer = try RecordedMessages.answer(to: try RecordedMessages.call(type, role))
        let source = (answer["expandMacroResult"] as? [String: Any])?["expandedSource"] as? String
        expectContains(try #require(source), text)
    }

    @Test("an error stands at the offset of the declaration in its file")
    func offsets() throws {
        let message = #"""
            {"expandAttachedMacro":{
            "macro":{"moduleName":"SwiftDataMacros","name":"Model","typeName":"PersistentModelMacro"},
            "macroRole":"member","discriminator":"$s","attributeSyntax":{"kind":"attribute","source":"\n@Model",
            "location":{"fileName":"/a.swift","offset":40}},"declSyntax":{"kind":"declaration",
            "source":"\n// é\n@Model class A { }","location":{"fileName":"/a.swift","offset":40}}}}
            """#
        let answer = try RecordedMessages.answer(to: message)
        let diagnostics = (answer["expandMacroResult"] as? [String: Any])?["diagnostics"] as? [[String: Any]]
        let diagnostic = try requireValue(diagnostics?.first)
        #expect(diagnostic["severity"] as? String == "error")
        let position = diagnostic["position"] as? [String: Any]
        #expect(position?["fileName"] as? String == "/a.swift")
        #expect(position?["offset"] as? Int == 47)
    }
}
