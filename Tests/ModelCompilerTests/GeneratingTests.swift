import CoreDataModel
import Testing

@Suite("momc --generate")
struct GeneratingTests {
    private func folder() throws -> ToolFolder {
        let folder = try ToolFolder()
        try folder.writeBundle(
            second: ToolFolder.songs + ToolFolder.album + "<entity name=\"Genre\" representedClassName=\"Genre\"/>")
        try FileManager.default.createDirectory(at: folder.url("out"), withIntermediateDirectories: true)
        return folder
    }

    @Test(
        "The classes of the current version are written as their settings say",
        arguments: [["--generate"], ["--action", "generate"]])
    func files(verb: [String]) async throws {
        let folder = try folder()
        let run = try await MomcRun(
            arguments: verb + ["--swift-version", "6", folder.path("Music.xcdatamodeld"), folder.path("out")])
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(
            try folder.names("out") == [
                "Album+CoreDataProperties.swift", "Song+CoreDataClass.swift", "Song+CoreDataProperties.swift",
            ])
    }

    @Test("--include-manual, --style and --access are followed")
    func options() async throws {
        let folder = try folder()
        let run = try await MomcRun(
            "--generate", "--include-manual", "--style=self-contained", "--access=internal",
            folder.path("Music.xcdatamodeld"), folder.path("out"))
        #expect(run.status == 0)
        #expect(try folder.names("out").contains("Genre+CoreDataClass.swift"))
        let text = String(decoding: try Data(contentsOf: folder.url("out/Song+CoreDataClass.swift")), as: UTF8.self)
        #expect(text.contains("\nnonisolated class Song: NSManagedObject {"))
    }

    @Test("A file that is right already keeps its date; others in the folder stay")
    func unchanged() async throws {
        let folder = try folder()
        try folder.write("// mine", to: "out/Mine.swift")
        let arguments = ["--generate", folder.path("Music.xcdatamodeld"), folder.path("out")]
        #expect(try await MomcRun(arguments: arguments).status == 0)
        let file = folder.path("out/Song+CoreDataClass.swift")
        let old = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file)
        #expect(try await MomcRun(arguments: arguments).status == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date == old)
        #expect(try folder.names("out").contains("Mine.swift"))
    }

    @Test("A class name that Swift doesn't allow is an error with the entity's line, and nothing is written")
    func illegalName() async throws {
        let folder = try folder()
        try folder.writeModel("<entity name=\"Song\" representedClassName=\"My Song\" codeGenerationType=\"class\"/>")
        let run = try await MomcRun("--generate", folder.path("Music.xcdatamodel"), folder.path("out"))
        #expect(run.status == 1)
        #expect(
            run.errors
                == """
                \(folder.path("Music.xcdatamodel/contents")):2: error: the class name 'My Song' of entity 'Song' \
                is no name of a Swift class\n
                """
        )
        #expect(try folder.names("out").isEmpty)
    }

    @Test("Classes of another module are left out, with a warning")
    func otherModule() async throws {
        let folder = try folder()
        try folder.writeModel(
            "<entity name=\"Song\" representedClassName=\"Other.Song\" codeGenerationType=\"class\"/>")
        let run = try await MomcRun(
            "--generate", "--module", "App", folder.path("Music.xcdatamodel"), folder.path("out"))
        #expect(run.status == 0)
        #expect(run.messages.count == 1)
        #expect(try folder.names("out").isEmpty)
    }

    @Test("The folder must be there")
    func missingFolder() async throws {
        let folder = try folder()
        let run = try await MomcRun("--generate", folder.path("Music.xcdatamodeld"), folder.path("no"))
        #expect(run.status == 1)
        #expect(run.errors.contains("\(folder.path("no")): error: it can't be written: there is no such folder"))
    }
}
