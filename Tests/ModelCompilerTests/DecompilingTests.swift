import CoreDataModel
import Testing

@Suite("momc --decompile")
struct DecompilingTests {
    /// Writes a model in code as `Code.mom`.
    private func write(_ model: NSManagedObjectModel, _ folder: ToolFolder) throws {
        try ModelArchive.encode(model, as: .compiled).write(to: folder.url("Code.mom"))
    }

    private func model(_ change: (NSEntityDescription, NSAttributeDescription) -> Void) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Run"
        let attribute = NSAttributeDescription()
        attribute.name = "processID"
        attribute.attributeType = .integer32AttributeType
        entity.properties = [attribute]
        model.entities = [entity]
        change(entity, attribute)
        return model
    }

    @Test("A compiled model becomes a source with equal hashes")
    func single() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodel"), folder.path("Music.mom")).status, 0)
        let run = try await MomcRun("--decompile", folder.path("Music.mom"), folder.path("Back.xcdatamodel"))
        expectEqual(run.status, 0)
        expectEmpty(run.errors)
        try expectEqual(
            ModelFile.load(at: folder.url("Back.xcdatamodel")).entityVersionHashesByName,
            ModelFile.load(at: folder.url("Music.mom")).entityVersionHashesByName)
    }

    @Test("A bundle becomes a folder with all versions and the current one, which compiles to the same bundle")
    func bundle() async throws {
        let folder = try ToolFolder()
        try folder.writeBundle()
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodeld"), folder.path("Music.momd")).status, 0)
        try FileManager.default.createDirectory(at: folder.url("out"), withIntermediateDirectories: true)
        try await expectEqual(MomcRun("--decompile", folder.path("Music.momd"), folder.path("out")).status, 0)
        try expectEqual(
            folder.names("out/Music.xcdatamodeld"),
            [
                ".xccurrentversion", "Music 2.xcdatamodel", "Music.xcdatamodel",
            ])
        try expectEqual(SourceModelBundle(at: folder.url("out/Music.xcdatamodeld")).currentVersion.name, "Music 2")
        try await expectEqual(MomcRun(folder.path("out/Music.xcdatamodeld"), folder.path("out")).status, 0)
        for file in try folder.names("Music.momd") {
            try expectEqual(
                Data(contentsOf: folder.url("Music.momd/\(file)")),
                Data(contentsOf: folder.url("out/Music.momd/\(file)")), "\(file)")
        }
    }

    @Test("Details that a source doesn't support are reported with entity and key, and the rest is written")
    func losses() async throws {
        let folder = try ToolFolder()
        let before = model { entity, attribute in
            attribute.setValidationPredicates(
                [NSPredicate(format: "SELF >= 0 AND SELF != 7")], withValidationWarnings: ["Process ID < 0"])
            attribute.userInfo = ["list": [1, 2]]
            entity.userInfo = ["note": "kept"]
        }
        before.versionIdentifiers = ["1", "2"]
        try write(before, folder)
        let run = try await MomcRun("--decompile", folder.path("Code.mom"), folder.path("Code.xcdatamodel"))
        expectEqual(run.status, 0)
        expectEqual(
            run.messages,
            [
                "more than one version identifier", "the user info 'list' of Run.processID, which is not a string",
                "the validation predicate 'SELF >= 0 AND SELF != 7' of Run.processID",
            ].map { "\(folder.path("Code.mom")): warning: a source model can't represent \($0): it is omitted" })
        let back = try ModelFile.load(at: folder.url("Code.xcdatamodel"))
        expectEqual(back.entityVersionHashesByName, before.entityVersionHashesByName)
        #expect(back.entity(named: "Run")?.userInfo?["note"] as? String == "kept")
    }

    @Test("Limits with the codes of a source model are preserved, also beside another predicate")
    func limits() async throws {
        let folder = try ToolFolder()
        try write(
            model { _, attribute in
                attribute.setValidation(
                    predicates: [NSPredicate(format: "SELF >= 1"), NSPredicate(format: "SELF != 7")],
                    warnings: [NSNumber(value: 1620), "seven"])
            }, folder)
        let run = try await MomcRun("--decompile", folder.path("Code.mom"), folder.path("Code.xcdatamodel"))
        expectEqual(run.messages.count, 1)
        let xml = String(decoding: try Data(contentsOf: folder.url("Code.xcdatamodel/contents")), as: UTF8.self)
        expectContains(xml, "minValueString=\"1\"")
    }

    @Test("An existing source is replaced with --force only")
    func force() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        try write(model { _, _ in }, folder)
        let kept = try await MomcRun("--decompile", folder.path("Code.mom"), folder.path("Music.xcdatamodel"))
        expectEqual(kept.status, 1)
        expectEqual(
            kept.errors,
            """
            \(folder.path("Music.xcdatamodel")): error: it can't be written: it exists already (--force replaces \
            it)\n
            """
        )
        try expectEqual(ModelFile.load(at: folder.url("Music.xcdatamodel")).entities.map(\.name), ["Song"])
        try await expectEqual(
            MomcRun("--decompile", "--force", folder.path("Code.mom"), folder.path("Music.xcdatamodel"))
                .status, 0)
        try expectEqual(ModelFile.load(at: folder.url("Music.xcdatamodel")).entities.map(\.name), ["Run"])
    }

    @Test("Sources, junk and missing files are no compiled models")
    func refusals() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        try folder.write("junk", to: "Junk.mom")
        for source in ["Music.xcdatamodel", "Junk.mom", "No.mom"] {
            let run = try await MomcRun("--decompile", folder.path(source), folder.path("Out.xcdatamodel"))
            expectEqual(run.status, 1, "\(source)")
            expectEqual(run.messages.count, 1, "\(source)")
        }
        try expectEqual(folder.names(), ["Junk.mom", "Music.xcdatamodel"])
    }

    @Test("A text that XML can't express is an error, and nothing is written")
    func controlCharacter() async throws {
        let folder = try ToolFolder()
        try write(
            model { _, attribute in
                attribute.attributeType = .stringAttributeType
                attribute.defaultValue = "a\u{1}b"
            }, folder)
        let run = try await MomcRun("--decompile", folder.path("Code.mom"), folder.path("Code.xcdatamodel"))
        expectEqual(run.status, 1)
        try expectEqual(folder.names(), ["Code.mom"])
    }
}
