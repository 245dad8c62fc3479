import CoreDataModel
import Testing

@Suite("Version hashes of real models", .enabled(if: Corpus.isPresent, "the corpus is not here"))
struct CorpusHashTests {
    @Test("Every hash in a compiled bundle is reproduced from the source")
    func bundle() throws {
        let info = try PropertyListReader.read(Data(contentsOf: Corpus.url("shop/SampleModel.momd/VersionInfo.plist")))
        let versions = try requireValue(info.dictionaryValue?["NSManagedObjectModel_VersionHashes"]?.dictionaryValue)
        let checksums = info.dictionaryValue?["NSManagedObjectModel_VersionChecksums"]?.dictionaryValue
        let source = try SourceModelBundle.Listing(at: Corpus.url("shop/SampleModel.xcdatamodeld"))
        var count = 0
        for (name, hashes) in versions.entries {
            let version = try requireValue(source.version(named: name))
            let model = try ModelFile.load(at: version.url)
            let expected = try requireValue(hashes.dictionaryValue)
            expectEqual(model.entities.count, expected.count)
            for (entity, hash) in expected.entries {
                expectEqual(model.entitiesByName[entity]?.versionHash, hash.dataValue, "\(name).\(entity)")
                count += 1
            }
            if let checksum = checksums?[name]?.stringValue { expectEqual(model.versionChecksum, checksum) }
        }
        expectEqual(count, 13)
    }

    @Test("Every version of a long-lived model can be read and hashed, and used")
    func manyVersions() throws {
        let source = try SourceModelBundle(at: Corpus.url("chat/zmessaging.xcdatamodeld"))
        expectEqual(source.versions.count, 90)
        expectEqual(source.currentVersion.name, "zmessaging2.101.0")
        for version in source.versions.sampled(12) {
            let model = try ModelFile.load(at: version.url)
            let before = model.entityVersionHashesByName
            model.freeze()
            expectEqual(model.entityVersionHashesByName, before, "\(version.name)")
        }
    }

    @Test(
        "Models of the format before Xcode 4 are read",
        arguments: ["recipes/Recipes.xcdatamodeld", "tweets/RKTwitterCoreData.xcdatamodel"])
    func oldFormat(path: String) throws {
        let model = try ModelFile.load(at: Corpus.url(path))
        #expect(model.entities.count >= 2)
        #expect(model.firstProblem() == nil)
    }
}
