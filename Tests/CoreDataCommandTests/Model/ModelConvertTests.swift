import CoreData
import Testing

@Suite("coredata model convert")
struct ModelConvertTests {
    @Test(
        "A source model becomes a compiled one and a source again, with the same hashes",
        arguments: ["mom", "momd", "xcdatamodeld", "coredata"])
    func roundTrip(form: String) async throws {
        let folder = try TemporaryFolder()
        let source = try SampleModel.write(to: folder)
        let converted = folder.path("Converted." + form)
        let back = folder.path("Back.xcdatamodel")
        for (from, to) in [(source, converted), (converted, back)] {
            let run = try await CommandRun("model", "convert", from, to)
            expectEqual(run.errors, "")
            expectEqual(run.output, "")
            expectEqual(run.status, 0)
            try await expectEqual(CommandRun("model", "hashes", to).lines, SampleModel.hashes)
        }
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted(),
            ["Back.xcdatamodel", "Cars.xcdatamodel", "Converted." + form].sorted())
    }

    @Test("A bundle is converted with all versions and the current version")
    func bundle() async throws {
        let folder = try TemporaryFolder()
        let source = try VersionedSample.write(to: folder)
        for (from, to) in [(source, "New.momd"), (folder.path("New.momd"), "Again.xcdatamodeld")] {
            try await expectEqual(CommandRun("model", "convert", from, folder.path(to)).status, 0)
            let versions = try await CommandRun("model", "show", folder.path(to), "--versions")
            expectEqual(versions.output, (try await CommandRun("model", "show", source, "--versions").output))
        }
        try await expectEqual(
            CommandRun("model", "diff", folder.path("New.momd"), folder.path("Again.xcdatamodeld")).lines,
            [
                "No differences."
            ])
    }

    /// Writes a model whose class is one of the current product module, and returns its path.
    private func ownModule(in folder: TemporaryFolder) throws -> String {
        try VersionedSample.writeModel(
            """
            <model><entity name="Car" representedClassName=".Car"><attribute name="make" optional="YES" \
            attributeType="String"/></entity></model>
            """, to: folder.url.appendingPathComponent("Cars.xcdatamodel"))
    }

    @Test(
        "--module names the module of classes of the current product module; without it they keep their dot",
        arguments: [
            ("mom", ["--module", "App"], "App.Car"), ("momd", ["--module", "App"], "App.Car"), ("mom", [], ".Car"),
            ("coredata", [], ".Car"), ("xcdatamodeld", [], ".Car"),
        ])
    func module(form: String, options: [String], className: String) async throws {
        let folder = try TemporaryFolder()
        let converted = folder.path("Cars." + form)
        let run = try await CommandRun(
            arguments: ["model", "convert", try ownModule(in: folder), converted] + options)
        expectEqual(run.status, 0)
        expectEqual(run.errors, "")
        let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: converted))
        expectEqual(model?.entitiesByName["Car"]?.managedObjectClassName, className)
    }

    @Test(
        "--module is for compiled models, and must be a name",
        arguments: [("coredata", "App", "is for compiled models"), ("mom", "a b", "is no valid module name")])
    func wrongModule(form: String, module: String, message: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            "model", "convert", try ownModule(in: folder), folder.path("Cars." + form), "--module", module)
        #expect(run.status != 0)
        expectContains(run.errors, message)
    }

    @Test("--version makes one version a single model")
    func version() async throws {
        let folder = try TemporaryFolder()
        let source = try VersionedSample.write(to: folder)
        let run = try await CommandRun("model", "convert", source, folder.path("One.mom"), "--version", "Cars")
        expectEqual(run.status, 0)
        try await expectEqual(CommandRun("model", "hashes", folder.path("One.mom")).lines, SampleModel.hashes)
    }

    @Test(
        "A single model names the versions that it drops on standard error",
        arguments: ["coredata", "mom", "xcdatamodel"])
    func droppedVersions(form: String) async throws {
        let folder = try TemporaryFolder()
        let source = try VersionedSample.write(to: folder)
        let run = try await CommandRun("model", "convert", source, folder.path("One." + form))
        expectEqual(run.status, 0)
        expectContains(run.errors, "only the current version 'Cars 2'. The version 'Cars' is dropped.")
        expectContains(run.errors, "--version NAME")
        let chosen = try await CommandRun(
            "model", "convert", source, folder.path("Other." + form), "--version", "Cars 2")
        expectEqual(chosen.errors, "")
    }

    @Test("The model cached in a store becomes a source model")
    func store() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            "model", "convert", SampleModel.makeStore(in: folder), folder.path("Found.xcdatamodel"))
        expectEqual(run.status, 0)
        try await expectEqual(CommandRun("model", "hashes", folder.path("Found.xcdatamodel")).lines, SampleModel.hashes)
    }

    @Test("An existing file is replaced only if it is a model, with --force")
    func overwriting() async throws {
        let folder = try TemporaryFolder()
        let source = try SampleModel.write(to: folder)
        let target = folder.path("Taken.xcdatamodel")
        try VersionedSample.writeModel(VersionedSample.second, to: URL(fileURLWithPath: target))
        let refused = try await CommandRun("model", "convert", source, target)
        expectEqual(refused.status, 1)
        expectContains(refused.errors, "--force")
        try expectEqual(String(contentsOfFile: target + "/contents", encoding: .utf8), VersionedSample.second)
        try await expectEqual(CommandRun("model", "convert", source, target, "--force").status, 0)
        try await expectEqual(CommandRun("model", "hashes", target).lines, SampleModel.hashes)
    }

    @Test("A folder without a model is never replaced")
    func folderOfOthers() async throws {
        let folder = try TemporaryFolder()
        let source = try SampleModel.write(to: folder)
        let target = folder.url.appendingPathComponent("Letters.momd")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        try Data("Dear Sir".utf8).write(to: target.appendingPathComponent("letter.txt"))
        let run = try await CommandRun("model", "convert", source, target.path, "--force")
        expectEqual(run.status, 1)
        expectContains(run.errors, "without a model")
        try expectEqual(TemporaryFolder.contents(of: target), ["letter.txt": Data("Dear Sir".utf8)])
    }

    @Test("After an error in the source, the destination is unchanged")
    func brokenSource() async throws {
        let folder = try TemporaryFolder()
        let target = try SampleModel.write(to: folder)
        try Data("Dear Sir".utf8).write(to: folder.url.appendingPathComponent("letter.mom"))
        let run = try await CommandRun("model", "convert", folder.path("letter.mom"), target, "--force")
        expectEqual(run.status, 1)
        expectContains(run.errors, "letter.mom")
        try await expectEqual(CommandRun("model", "hashes", target).lines, SampleModel.hashes)
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted(),
            [
                "Cars.xcdatamodel", "letter.mom",
            ])
    }

    @Test("A missing folder is an error with its name")
    func missingFolder() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "convert", SampleModel.write(to: folder), folder.path("no/where.mom"))
        expectEqual(run.status, 1)
        expectContains(run.errors, "the folder doesn't exist: “\(folder.path("no"))”")
    }

    @Test(
        "All versions of a real model compile without differences",
        .enabled(if: Corpus.isPresent && TestRun.isLong, "a part of the long run"))
    func corpus() async throws {
        let folder = try TemporaryFolder()
        let source = try Corpus.path("chat/zmessaging.xcdatamodeld")
        let run = try await CommandRun("model", "convert", source, folder.path("Chat.momd"))
        expectEqual(run.status, 0)
        expectEqual(run.errors, "")
        try await expectEqual(CommandRun("model", "diff", source, folder.path("Chat.momd")).lines, ["No differences."])
    }
}
