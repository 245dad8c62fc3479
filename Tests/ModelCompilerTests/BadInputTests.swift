import CoreDataModel
import Testing

@Suite("momc: invalid input")
struct BadInputTests {
    /// The only message of a failed run, which must not have written a file.
    private func failure(_ folder: ToolFolder, _ arguments: String...) async throws -> String {
        let before = try folder.names()
        let run = try await MomcRun(arguments: arguments)
        expectEqual(run.status, 1)
        expectEqual(run.messages.count, 1)
        try expectEqual(folder.names(), before)
        return run.errors.trimmingCharacters(in: .newlines)
    }

    @Test("A missing source")
    func missing() async throws {
        let folder = try ToolFolder()
        #expect(
            try await failure(folder, folder.path("No.xcdatamodel"), folder.path("No.mom")).hasPrefix(
                "\(folder.path("No.xcdatamodel")): error: "))
    }

    @Test("Malformed XML, with the line")
    func malformed() async throws {
        let folder = try ToolFolder()
        try folder.write("<model>\n<entity name=\"A\">\n</model>", to: "Bad.xcdatamodel/contents")
        let message = try await failure(folder, folder.path("Bad.xcdatamodel"), folder.path("Bad.mom"))
        expectTrue(message.hasPrefix("\(folder.path("Bad.xcdatamodel/contents")):3: error: malformed XML at line 3"))
    }

    @Test("A dangling destination, with the line of the relationship")
    func dangling() async throws {
        let folder = try ToolFolder()
        try folder.writeModel(
            "<entity name=\"A\">\n<relationship name=\"r\" deletionRule=\"Nullify\" destinationEntity=\"B\"/></entity>")
        try await expectEqual(
            failure(folder, folder.path("Music.xcdatamodel"), folder.path("Music.mom")),
            """
            \(folder.path("Music.xcdatamodel/contents")):3: error: the destination entity 'B' of relationship \
            'r' of entity 'A' is not in the model
            """
        )
    }

    @Test(
        "Files that are no source model",
        arguments: ["", "hello", "<plist><dict/></plist>", "SQLite format 3\u{0}", "bplist00"])
    func noModel(text: String) async throws {
        let folder = try ToolFolder()
        try folder.write(text, to: "File")
        #expect(
            try await failure(folder, folder.path("File"), folder.path("Out.mom")).hasPrefix("\(folder.path("File"))"))
    }

    @Test("A model that is compiled already, as a file and as a bundle")
    func compiled() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        try folder.writeBundle()
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodel"), folder.path("Music.mom")).status, 0)
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodeld"), folder.path("Music.momd")).status, 0)
        try await expectEqual(
            failure(folder, folder.path("Music.mom"), folder.path("X.mom")),
            "\(folder.path("Music.mom")): error: it is compiled already")
        try await expectEqual(
            failure(folder, folder.path("Music.momd"), folder.path("X.momd")),
            "\(folder.path("Music.momd")): error: it is compiled already")
    }

    @Test("A destination in a missing folder")
    func missingFolder() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        try folder.writeBundle()
        for (source, output) in [("Music.xcdatamodel", "no/Music.mom"), ("Music.xcdatamodeld", "no/Music.momd")] {
            try await expectEqual(
                failure(folder, folder.path(source), folder.path(output)),
                """
                \(folder.path(output)): error: it can't be written: the folder doesn't exist: “\(folder.path("no"))”
                """)
        }
    }

    @Test("A destination that can't be written")
    func unwritable() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        // Even the superuser can't create files there.
        let message = try await failure(folder, folder.path("Music.xcdatamodel"), "/proc/Music.mom")
        expectTrue(message.hasPrefix("/proc/Music.mom: error: it can't be written"))
    }

    @Test("A folder in place of the file, and a name of the other format")
    func wrongKind() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        try folder.writeBundle()
        try FileManager.default.createDirectory(at: folder.url("Taken.mom"), withIntermediateDirectories: true)
        #expect(
            try await failure(folder, folder.path("Music.xcdatamodel"), folder.path("Taken.mom")).hasSuffix(
                "it is a folder"))
        #expect(
            try await failure(folder, folder.path("Music.xcdatamodel"), folder.path("X.momd"))
                .hasSuffix("a model without versions compiles to a file .mom, not to .momd"))
        #expect(
            try await failure(folder, folder.path("Music.xcdatamodeld"), folder.path("X.mom"))
                .hasSuffix("a model with versions compiles to a folder .momd, not to .mom"))
    }

    @Test("A bundle without a current version")
    func noCurrent() async throws {
        let folder = try ToolFolder()
        try folder.writeBundle()
        try FileManager.default.removeItem(at: folder.url("Music.xcdatamodeld/.xccurrentversion"))
        #expect(
            try await failure(folder, folder.path("Music.xcdatamodeld"), folder.path("Music.momd"))
                .contains("it contains 2 versions, but no .xccurrentversion that names the current one. Make one"))
    }

    @Test("A bundle whose .xccurrentversion names no version, and that has none with its own name")
    func noCurrentName() async throws {
        let folder = try ToolFolder()
        try folder.writeModel(to: "Music.xcdatamodeld/One.xcdatamodel")
        try folder.writeModel(to: "Music.xcdatamodeld/Two.xcdatamodel")
        try folder.write("<plist version=\"1.0\"><dict/></plist>", to: "Music.xcdatamodeld/.xccurrentversion")
        #expect(
            try await failure(folder, folder.path("Music.xcdatamodeld"), folder.path("Music.momd"))
                .contains("it contains 2 versions, but no .xccurrentversion that names the current one. Make one"))
    }

    @Test("An inheritance that is too deep is refused without delay")
    func deepInheritance() async throws {
        let folder = try ToolFolder()
        try folder.writeModel(
            (0..<5000).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 + 1)\"/>" }.joined()
                + "<entity name=\"E5000\"/>")
        #expect(
            try await failure(folder, folder.path("Music.xcdatamodel"), folder.path("Music.mom")).hasSuffix(
                "has more than 256 ancestors"))
    }

    @Test("A destination that is neither a compiled model nor free stays as it is")
    func foreignDestination() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        try folder.writeBundle()
        try folder.write("a text", to: "notes.txt")
        try folder.write("a text", to: "notes.momd")
        try folder.write("a text", to: "full.momd/notes.txt")
        mkfifo(folder.path("pipe"), 0o600)
        for (source, destination, reason) in [
            ("Music.xcdatamodeld", "notes.txt", "it exists and is no folder .momd"),
            ("Music.xcdatamodeld", "notes.momd", "it exists and is no folder .momd"),
            ("Music.xcdatamodeld", "full.momd", "it has a file that is no part of a compiled model: “notes.txt”"),
            ("Music.xcdatamodel", "notes.txt", "it exists and is no compiled model. Remove it, or choose another name"),
            ("Music.xcdatamodel", "pipe", "it is not a regular file"),
            ("Music.xcdatamodel", "Music.xcdatamodel/contents", "it is a part of the source"),
            ("Music.xcdatamodeld", "Music.xcdatamodeld", "it is a part of the source"),
        ] {
            #expect(try await failure(folder, folder.path(source), folder.path(destination)).hasSuffix(reason))
        }
        try expectEqual(String(contentsOf: folder.url("notes.txt"), encoding: .utf8), "a text")
        try expectEqual(String(contentsOf: folder.url("notes.momd"), encoding: .utf8), "a text")
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodel"), folder.path("Music.mom")).status, 0)
        #expect(
            try await failure(folder, "--decompile", "--force", folder.path("Music.mom"), folder.path("Music.mom"))
                .hasSuffix("it is the source"))
    }

    @Test("A compiled model of another name, and an empty file, are replaced")
    func replacedDestination() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        try folder.write("", to: "empty")
        try folder.write("damaged", to: "Old.mom")
        for name in ["empty", "Old.mom", "new"] {
            try await expectEqual(MomcRun(folder.path("Music.xcdatamodel"), folder.path(name)).status, 0)
            expectTrue(try Data(contentsOf: folder.url(name)).starts(with: Array("bplist".utf8)))
        }
        try folder.writeModel(ToolFolder.songs + ToolFolder.album)
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodel"), folder.path("new")).status, 0)
        #expect(try Data(contentsOf: folder.url("new")) != Data(contentsOf: folder.url("Old.mom")))
    }

    @Test("Output that can't be written is an exit code, not a signal", arguments: [">&-", "> /dev/full"])
    func fullOutput(redirection: String) async throws {
        let folder = try ToolFolder()
        let shell = URL(fileURLWithPath: "/bin/sh")
        let momc = ToolRun.product("momc").path
        try await expectEqual(ToolRun(shell, ["-c", "\"$0\" --help \(redirection)", momc]).status, 1)
        let errors = "\"$0\" \"$1\" \"$2\" 2\(redirection)"
        try await expectEqual(ToolRun(shell, ["-c", errors, momc, folder.path("No"), folder.path("No.mom")]).status, 1)
    }
}
