import CoreDataPredicates
import Testing

@testable import CoreDataModel

@Suite("Compiled model bundles")
final class CompiledModelBundleTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var bundleURL: URL { folder.appendingPathComponent("Library.momd") }

    private func secondVersion() -> NSManagedObjectModel {
        let model = LibraryModel.make()
        model.entitiesByName["Shelf"]?.properties.append(LibraryModel.attribute("room", .stringAttributeType))
        return model
    }

    @Test("A written bundle has its versions, the current version, hashes and checksums")
    func writing() throws {
        let first = LibraryModel.make()
        let second = secondVersion()
        try CompiledModelBundle.write(["Library": first, "Library 2": second], current: "Library 2", to: bundleURL)
        let bundle = try CompiledModelBundle(at: bundleURL)
        expectEqual(bundle.versionNames, ["Library", "Library 2"])
        expectEqual(bundle.currentVersionName, "Library 2")
        expectEqual(bundle.versionHashes["Library"], first.entityVersionHashesByName)
        expectEqual(bundle.versionHashes["Library 2"], second.entityVersionHashesByName)
        expectEqual(bundle.versionChecksums["Library"], first.versionChecksum)
        try expectEqual(bundle.currentModel().entityVersionHashesByName, second.entityVersionHashesByName)
    }

    @Test("Writing again replaces the whole bundle")
    func replacing() throws {
        try CompiledModelBundle.write(
            ["Library": LibraryModel.make(), "Old": LibraryModel.make()], current: "Old", to: bundleURL)
        try CompiledModelBundle.write(["Library": LibraryModel.make()], current: "Library", to: bundleURL)
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: bundleURL.path).sorted(),
            [
                "Library.mom", "VersionInfo.plist",
            ])
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path), ["Library.momd"])
    }

    @Test("The only version is current, also without VersionInfo.plist")
    func singleVersion() throws {
        try CompiledModelBundle.write(["Library": LibraryModel.make()], current: "Library", to: bundleURL)
        try FileManager.default.removeItem(at: bundleURL.appendingPathComponent("VersionInfo.plist"))
        let bundle = try CompiledModelBundle(at: bundleURL)
        expectEqual(bundle.currentVersionName, "Library")
        expectEmpty(bundle.versionHashes)
        try expectEqual(bundle.currentModel().entities.count, 4)
    }

    @Test("Missing, empty and damaged bundles have different errors with the path")
    func errors() throws {
        let missing = #expect(throws: CocoaError.self) { try CompiledModelBundle(at: self.bundleURL) }
        expectEqual(missing?.code, .fileReadNoSuchFile)
        try FileManager.default.createDirectory(at: bundleURL, withIntermediateDirectories: true)
        let empty = #expect(throws: CocoaError.self) { try CompiledModelBundle(at: self.bundleURL) }
        expectEqual(empty?.code, .fileReadNoSuchFile)
        try Data("junk".utf8).write(to: bundleURL.appendingPathComponent("Library.mom"))
        let bundle = try CompiledModelBundle(at: bundleURL)
        let damaged = #expect(throws: CocoaError.self) { try bundle.currentModel() }
        expectEqual(damaged?.code, .fileReadCorruptFile)
        #expect(
            damaged?.userInfo[NSFilePathErrorKey] as? String == bundleURL.appendingPathComponent("Library.mom").path)
        try Data("junk".utf8).write(to: bundleURL.appendingPathComponent("VersionInfo.plist"))
        let info = #expect(throws: CocoaError.self) { try CompiledModelBundle(at: self.bundleURL) }
        expectEqual(info?.code, .fileReadCorruptFile)
    }

    @Test("A version name with a path out of the bundle is refused", arguments: ["../Evil", "", "a/b"])
    func names(name: String) {
        let error = #expect(throws: CocoaError.self) {
            try CompiledModelBundle.write([name: LibraryModel.make()], current: name, to: self.bundleURL)
        }
        expectEqual(error?.code, .fileWriteInvalidFileName)
        expectFalse(FileManager.default.fileExists(atPath: bundleURL.path))
    }

    @Test("A bundle of Apple's compiler is read", .enabled(if: Corpus.isPresent))
    func apple() throws {
        let bundle = try CompiledModelBundle(at: Corpus.url("shop/SampleModel.momd"))
        expectEqual(bundle.versionNames, ["SampleModel", "SampleModel2", "SampleModel3"])
        expectEqual(bundle.versionHashes.values.map(\.count).reduce(0, +), 13)
        try expectEqual(bundle.currentModel().entities.isEmpty, false)
    }
}
