import Testing

@testable import CoreDataModel

@Suite("Models in the text notation, compiled and decompiled")
struct NotationCompilingTests {
    private static let text = """
        entity Artist as Artist {
            attribute name: string, required, min-length: 1
            to-many songs: Song, inverse: artist, delete: cascade
        }

        entity Song as Song {
            attribute number: integer32, required, default: 0 {
                predicate "SELF != 13" warning "unlucky"
            }
            to-one artist: Artist, inverse: songs, delete: nullify
        }

        """

    @Test("A text is compiled to a model, and decompiled to the same text")
    func bothWays() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(Self.text, to: "Music.coredata")
        let compiled = folder.url.appendingPathComponent("Music.mom")
        let outcome = try ModelCompiler().compile(source, to: compiled)
        expectEmpty(outcome.messages)
        expectEqual(outcome.output, compiled)
        let hashes = try ModelFile.load(at: source).entityVersionHashesByName
        try expectEqual(ModelFile.load(at: compiled).entityVersionHashesByName, hashes)
        let decompiled = folder.url.appendingPathComponent("Again.coredata")
        expectEmpty(try ModelDecompiler(replaces: false).decompile(compiled, to: decompiled))
        let again = try ModelFile.load(at: decompiled)
        expectEqual(again.entityVersionHashesByName, hashes)
        expectTrue(again.isEqual(try ModelFile.load(at: compiled)))
        #expect(throws: CocoaError.self) { try ModelDecompiler(replaces: false).decompile(compiled, to: decompiled) }
    }

    @Test("An error has file, line and column")
    func error() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write("Song {\n    title: sting\n}\n", to: "Music.coredata")
        let error = try #require(throws: CocoaError.self) {
            try ModelCompiler().compile(source, to: folder.url.appendingPathComponent("Music.mom"))
        }
        expectEqual(
            CompilerDiagnostic(error, path: source.path).description,
            "\(source.path):2:12: error: 'sting' is not a type. Did you mean 'string'?")
    }

    @Test("Localized texts cause a warning, because they are not compiled")
    func localization() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(Self.text + #"localization { "Entity/Song": "Piece" }"#, to: "Music.coredata")
        let messages = try ModelCompiler().compile(source, to: folder.url.appendingPathComponent("Music.mom")).messages
        expectEqual(messages.map(\.severity), [.warning])
        expectEqual(messages.first?.text.contains("MusicModel.strings"), true)
    }
}
