import CoreData
import Testing

@Suite("coredata model new, add-version, set-version and generate")
struct ModelNewTests {
    @Test(
        "A new model of each kind is read as a model without entities",
        arguments: ["xcdatamodeld", "xcdatamodel", "coredata"])
    func new(kind: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("Shop.\(kind)")
        let run = try await CommandRun("model", "new", path)
        expectEqual(run.status, 0, "\(run.errors)")
        expectContains(run.output, "coredata model edit")
        let shown = try await CommandRun("model", "show", path)
        expectContains(shown.output, "Entities: 0")
        let again = try await CommandRun("model", "new", path)
        expectEqual(again.status, 1)
        expectContains(again.errors, "exists already")
    }

    @Test("Wrong extensions and missing folders are errors with the remedy")
    func mistakes() async throws {
        let folder = try TemporaryFolder()
        try await expectEqual(CommandRun("model", "new", folder.path("Shop.txt")).status, 64)
        try await expectEqual(CommandRun("model", "new", folder.path("Shop")).status, 64)
        let missing = try await CommandRun("model", "new", folder.path("none/Shop.xcdatamodeld"))
        expectEqual(missing.status, 1)
        expectContains(missing.errors, "there is no folder")
        try expectEqual(folder.contents, [])
    }

    @Test("A version is a copy, byte by byte; --current makes it the current one")
    func addVersion() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("Shop.xcdatamodeld")
        try folder.write(MusicSourceModel.contents, to: "Shop.xcdatamodeld/Shop.xcdatamodel/contents")
        let first = try await CommandRun("model", "add-version", path)
        expectContains(first.output, "The version 'Shop 2' is a copy of 'Shop'. The current version is 'Shop'.")
        let copy = folder.file("Shop.xcdatamodeld/Shop 2.xcdatamodel/contents")
        try expectEqual(String(contentsOf: copy, encoding: .utf8), MusicSourceModel.contents)
        let second = try await CommandRun("model", "add-version", path, "--from", "Shop 2", "--current")
        expectContains(second.output, "The current version is 'Shop 3'.")
        let versions = try await CommandRun("model", "show", path, "--versions")
        expectContains(versions.output, "Shop 3")
        for (arguments, part) in [
            (["Shop 2"], "already"), (["a/b"], "names a folder"), (["--from", "None"], "has no version 'None'"),
        ] {
            let run = try await CommandRun(arguments: ["model", "add-version", path] + arguments)
            expectEqual(run.status, 1)
            expectContains(run.errors, part, "\(run.errors)")
        }
        try folder.write(MusicSourceModel.contents, to: "One.xcdatamodel/contents")
        let single = try await CommandRun("model", "add-version", folder.path("One.xcdatamodel"))
        expectEqual(single.status, 1)
        expectContains(single.errors, "coredata model convert")
    }

    @Test("Another version becomes the current one; unknown ones and models without versions are errors")
    func setVersion() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("Shop.xcdatamodeld")
        try folder.write(MusicSourceModel.contents, to: "Shop.xcdatamodeld/Shop.xcdatamodel/contents")
        _ = try await CommandRun("model", "add-version", path, "--current")
        let back = try await CommandRun("model", "set-version", path, "Shop")
        expectContains(back.output, "The current version is 'Shop'.", "\(back.errors)")
        let current = folder.file("Shop.xcdatamodeld/.xccurrentversion")
        expectContains(try String(contentsOf: current, encoding: .utf8), "<string>Shop.xcdatamodel</string>")
        let unknown = try await CommandRun("model", "set-version", path, "Shop 3")
        expectEqual(unknown.status, 1)
        expectContains(unknown.errors, "has no version 'Shop 3'. It has: Shop, Shop 2.", "\(unknown.errors)")
        try folder.write(MusicSourceModel.contents, to: "One.xcdatamodel/contents")
        let single = try await CommandRun("model", "set-version", folder.path("One.xcdatamodel"), "One")
        expectContains(single.errors, "coredata model convert", "\(single.errors)")
    }

    @Test(
        "A bundle whose file names no version that it has gets one that it has",
        arguments: [
            "<plist><dict><key>_XCCurrentVersionName</key><string>Gone.xcdatamodel</string></dict></plist>", "<pl",
        ])
    func setVersionOfDangling(list: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("Shop.xcdatamodeld")
        for name in ["One", "Two"] {
            try folder.write(MusicSourceModel.contents, to: "Shop.xcdatamodeld/\(name).xcdatamodel/contents")
        }
        try folder.write(list, to: "Shop.xcdatamodeld/.xccurrentversion")
        let unknown = try await CommandRun("model", "set-version", path, "Gone")
        expectContains(unknown.errors, "has no version 'Gone'. It has: One, Two.", "\(unknown.errors)")
        let mended = try await CommandRun("model", "set-version", path, "Two.xcdatamodel")
        expectContains(mended.output, "The current version is 'Two'.", "\(mended.errors)")
        #expect(try await CommandRun("model", "show", path, "--versions").output.contains("Two"))
    }

    @Test("The error of a missing current version names those of the bundle, and the verb that chooses one")
    func danglingVersion() async throws {
        let folder = try TemporaryFolder()
        for name in ["One", "Two"] {
            try folder.write(MusicSourceModel.contents, to: "Shop.xcdatamodeld/\(name).xcdatamodel/contents")
        }
        try folder.write(
            "<plist><dict><key>_XCCurrentVersionName</key><string>Gone.xcdatamodel</string></dict></plist>",
            to: "Shop.xcdatamodeld/.xccurrentversion")
        let shown = try await CommandRun("model", "show", folder.path("Shop.xcdatamodeld"))
        expectContains(
            shown.errors,
            "'Gone.xcdatamodel' is not in the folder, which has 'One', 'Two'. Make one the current version: "
                + "coredata model set-version.", "\(shown.errors)")
    }

    @Test("Classes are written into a folder, which is made if it is missing")
    func generate() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("Music.xcdatamodel")
        try folder.write(MusicSourceModel.contents, to: "Music.xcdatamodel/contents")
        let run = try await CommandRun("model", "generate", path, folder.path("Sources/Music"))
        expectEqual(run.status, 0, "\(run.errors)")
        expectEqual(
            run.lines,
            [
                "Album+CoreDataClass.swift", "Album+CoreDataProperties.swift", "Song+CoreDataClass.swift",
                "Song+CoreDataProperties.swift",
            ])
        let text = try String(contentsOf: folder.file("Sources/Music/Song+CoreDataProperties.swift"), encoding: .utf8)
        expectContains(text, "@NSManaged public var title: String?")
        let own = try await CommandRun(
            "model", "generate", path, folder.path("Own"), "--style", "self-contained", "--access", "internal")
        expectEqual(own.status, 0, "\(own.errors)")
        let manual = MusicSourceModel.contents.replacingOccurrences(of: " codeGenerationType=\"class\"", with: "")
        try folder.write(manual, to: "Manual.xcdatamodel/contents")
        let none = try await CommandRun("model", "generate", folder.path("Manual.xcdatamodel"), folder.path("None"))
        expectEqual(none.status, 1)
        expectContains(none.errors, "--include-manual")
        let all = try await CommandRun(
            "model", "generate", folder.path("Manual.xcdatamodel"), folder.path("All"), "--include-manual")
        expectEqual(all.lines.count, 4)
        try await expectEqual(CommandRun("model", "generate", path, folder.path("X"), "--module", "9").status, 64)
    }
}
