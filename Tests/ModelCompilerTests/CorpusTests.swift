import Testing

@testable import CoreDataModel

@Suite("momc with models of Apple's tools", .enabled(if: Corpus.isPresent))
struct CorpusTests {
    @Test(
        "All versions of a large model compile, decompile with equal hashes, and compile to the same bytes again",
        .enabled(if: TestRun.isLong, "a part of the long run"))
    func chat() async throws {
        let folder = try ToolFolder()
        let source = try Corpus.path("chat/zmessaging.xcdatamodeld")
        try await expectEqual(MomcRun(source, folder.path("A.momd")).status, 0)
        let bundle = try CompiledModelBundle(at: folder.url("A.momd"))
        expectEqual(bundle.versionNames.count, 90)
        let decompiled = try await MomcRun("--decompile", folder.path("A.momd"), folder.path("A.xcdatamodeld"))
        expectEqual(decompiled.status, 0)
        expectEmpty(decompiled.errors)
        try expectEqual(
            NSManagedObjectModel.checksumsForVersionedModel(at: folder.url("A.xcdatamodeld")),
            bundle.versionChecksums)
        try await expectEqual(MomcRun("--no-warnings", folder.path("A.xcdatamodeld"), folder.path("B.momd")).status, 0)
        for name in try folder.names("A.momd") {
            try expectEqual(
                Data(contentsOf: folder.url("A.momd/\(name)")), Data(contentsOf: folder.url("B.momd/\(name)")),
                "\(name)")
        }
    }

    @Test("The bundle has the hashes and the current version of Apple's compiler")
    func shop() async throws {
        let folder = try ToolFolder()
        let run = try await MomcRun(try Corpus.path("shop/SampleModel.xcdatamodeld"), folder.root.path)
        expectEqual(run.status, 0)
        let ours = try CompiledModelBundle(at: folder.url("SampleModel.momd"))
        let apples = try CompiledModelBundle(at: URL(fileURLWithPath: try Corpus.path("shop/SampleModel.momd")))
        expectEqual(ours.versionHashes, apples.versionHashes)
        expectEqual(ours.currentVersionName, apples.currentVersionName)
    }

    @Test("A mapping model compiles to the result of Apple's compiler")
    func mapping() async throws {
        let folder = try ToolFolder()
        let run = try await MomcRun(try Corpus.path("shop/V2toV3.xcmappingmodel"), folder.root.path)
        expectEqual(run.status, 0)
        expectEmpty(run.errors)
        let ours = try MappingModelFile.load(at: folder.url("V2toV3.cdm"))
        let apples = try MappingModelFile.load(at: URL(fileURLWithPath: try Corpus.path("shop/V2toV3.cdm")))
        expectEqual(ours.entityMappings.map(\.name), apples.entityMappings.map(\.name))
        try await expectEqual(
            MomcRun(try Corpus.path("shop/V2toV3.xcmappingmodel"), folder.path("V2toV3.mom")).status, 1)
    }

    @Test(
        "Sources of the old binary format compile",
        arguments: ["recipes/Recipes.xcdatamodeld", "tweets/RKTwitterCoreData.xcdatamodel"])
    func oldFormat(path: String) async throws {
        let folder = try ToolFolder()
        try await expectEqual(MomcRun("--no-warnings", try Corpus.path(path), folder.root.path).status, 0)
        try expectEqual(folder.names().count, 1)
    }

    @Test("Apple's compiled models decompile with equal hashes")
    func apples() async throws {
        let folder = try ToolFolder()
        let source = try Corpus.path("shop/SampleModel.momd")
        try await expectEqual(MomcRun("--decompile", source, folder.root.path).status, 0)
        try expectEqual(
            NSManagedObjectModel.checksumsForVersionedModel(at: folder.url("SampleModel.xcdatamodeld")),
            NSManagedObjectModel.checksumsForVersionedModel(at: URL(fileURLWithPath: source)))
    }
}
