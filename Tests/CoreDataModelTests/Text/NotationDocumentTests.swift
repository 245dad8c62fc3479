import Testing

@testable import CoreDataModel

@Suite("The document of the text notation")
struct NotationDocumentTests {
    private static let document: String = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return
            (try? String(
                contentsOf: root.appendingPathComponent("Sources/CoreData/CoreData.docc/Guides/TextNotation.md"),
                encoding: .utf8))
            ?? ""
    }()

    /// The code blocks in the text notation.
    private static let examples: [String] = document.components(separatedBy: "```coredata\n").dropFirst().compactMap {
        $0.components(separatedBy: "\n```").first
    }

    @Test("Every example is a model that can be written and read without a change")
    func examples() throws {
        let url = URL(fileURLWithPath: "/Example.coredata")
        expectEqual(Self.examples.count, 4)
        for example in Self.examples {
            let model = try TextNotation.read(Data(example.utf8), from: url)
            let text = try TextNotation.text(of: model)
            let again = try TextNotation.read(Data(text.utf8), from: url)
            expectTrue(again.isEqual(model))
            try expectEqual(TextNotation.text(of: again), text)
        }
    }

    @Test("The document contains every keyword of the notation")
    func words() {
        let tables = [
            TextNotationVocabulary.attribute, TextNotationVocabulary.relationship, TextNotationVocabulary.fetched,
            TextNotationVocabulary.request,
            TextNotationVocabulary.entity,
            TextNotationVocabulary.model,
        ]
        // The options in the head of an entity have their own syntax.
        let words = Set(tables.flatMap { $0 }.map(\.word)).subtracting(["parent", "abstract"])
        for word in words.union(TextNotationVocabulary.types.map(\.word)) {
            expectContains(Self.document, word, "\(word)")
        }
        for kind in SourceValue.Kind.allCases where kind != .list && kind != .dictionary {
            expectContains(Self.document, "\"\(kind.rawValue)\"")
        }
    }
}
