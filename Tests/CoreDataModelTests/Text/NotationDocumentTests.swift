import Testing

@testable import CoreDataModel

@Suite("The document of the text notation")
struct NotationDocumentTests {
    private static let document: String = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return (try? String(contentsOf: root.appendingPathComponent("Documentation/TextNotation.md"), encoding: .utf8))
            ?? ""
    }()

    /// The blocks that are marked as notation.
    private static let examples: [String] = document.components(separatedBy: "```coredata\n").dropFirst().compactMap {
        $0.components(separatedBy: "\n```").first
    }

    @Test("Every example is a model, and the same one when it is written and read again")
    func examples() throws {
        let url = URL(fileURLWithPath: "/Example.coredata")
        #expect(Self.examples.count == 5)
        for example in Self.examples {
            let model = try TextNotation.read(Data(example.utf8), from: url)
            let text = try TextNotation.text(of: model)
            let again = try TextNotation.read(Data(text.utf8), from: url)
            #expect(again.isEqual(model))
            #expect(try TextNotation.text(of: again) == text)
        }
    }

    @Test("Every word of the notation is in it")
    func words() {
        let tables = [
            NotationWords.attribute, NotationWords.relationship, NotationWords.fetched, NotationWords.request,
            NotationWords.entity,
            NotationWords.model,
        ]
        // Those of an entity's head have a spelling of their own.
        let words = Set(tables.flatMap { $0 }.map(\.word)).subtracting(["parent", "abstract"])
        for word in words.union(NotationWords.types.map(\.word)) { #expect(Self.document.contains(word), "\(word)") }
        for kind in SourceValue.Kind.allCases where kind != .list && kind != .dictionary {
            #expect(Self.document.contains("\"\(kind.rawValue)\""))
        }
    }
}
