import CoreDataModel
import Testing

@Suite("References to models")
struct ModelReferenceTests {
    /// A compiled bundle with two versions; the second is current.
    private static func bundle(_ folder: TemporaryFolder) throws -> (
        old: NSManagedObjectModel, new: NSManagedObjectModel
    ) {
        let old = CarModel.make()
        let new = CarModel.make()
        new.entities[0].versionHashModifier = "2"
        try folder.write(try ModelArchive.encode(old, as: .compiled), to: "Cars.momd/Cars.mom")
        try folder.write(try ModelArchive.encode(new, as: .compiled), to: "Cars.momd/Cars 2.mom")
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?><plist \
            version="1.0"><dict><key>NSManagedObjectModel_CurrentVersionName</key><string>Cars \
            2</string></dict></plist>
            """, to: "Cars.momd/VersionInfo.plist")
        return (old, new)
    }

    @Test("A model, a file, a name and entity hashes all identify the model with the checksum")
    func places() throws {
        let folder = try TemporaryFolder()
        let (old, new) = try Self.bundle(folder)
        let bundle = try requireValue(Bundle(url: folder.url))
        let momd = folder.url.appendingPathComponent("Cars.momd")
        #expect(NSManagedObjectModelReference(model: old, versionChecksum: old.versionChecksum).resolvedModel === old)
        for model in [old, new] {
            let checksum = model.versionChecksum
            for reference in [
                NSManagedObjectModelReference(fileURL: momd, versionChecksum: checksum),
                NSManagedObjectModelReference(name: "Cars", in: bundle, versionChecksum: checksum),
                NSManagedObjectModelReference(
                    entityVersionHashes: model.entityVersionHashesByName, in: bundle, versionChecksum: checksum),
            ] {
                expectEqual(reference.versionChecksum, checksum)
                expectEqual(reference.resolvedModel.entityVersionHashesByName, model.entityVersionHashesByName)
                #expect(reference.resolvedModel === reference.resolvedModel)
            }
        }
        let version = NSManagedObjectModelReference(name: "Cars 2", in: bundle, versionChecksum: new.versionChecksum)
        expectEqual(version.resolvedModel.entityVersionHashesByName, new.entityVersionHashesByName)
        let checksums = try NSManagedObjectModel.checksumsForVersionedModel(at: momd)
        expectEqual(checksums, ["Cars": old.versionChecksum, "Cars 2": new.versionChecksum])
    }

    @Test("A missing model is error 134504 or the error of its file")
    func failures() throws {
        let folder = try TemporaryFolder()
        let (old, new) = try Self.bundle(folder)
        let bundle = try requireValue(Bundle(url: folder.url))
        let wrong = try #require(throws: CocoaError.self) {
            try NSManagedObjectModelReference(model: old, versionChecksum: new.versionChecksum).resolve()
        }
        expectEqual(wrong.code.rawValue, 134504)
        expectContains(wrong.localizedDescription, old.versionChecksum)
        expectContains(wrong.localizedDescription, new.versionChecksum)
        let hashes = try #require(throws: CocoaError.self) {
            try NSManagedObjectModelReference(
                entityVersionHashes: ["Car": Data(count: 32)], in: bundle, versionChecksum: "x"
            ).resolve()
        }
        expectEqual(hashes.code.rawValue, 134504)
        let name = try #require(throws: CocoaError.self) {
            try NSManagedObjectModelReference(name: "Crs", in: bundle, versionChecksum: "x").resolve()
        }
        expectEqual(name.code, .fileReadNoSuchFile)
        expectContains(name.localizedDescription, "Cars")
        let both = try #require(throws: CocoaError.self) {
            try NSManagedObjectModelReference(name: "Cars", in: bundle, versionChecksum: "x").resolve()
        }
        expectContains(both.localizedDescription, old.versionChecksum)
        expectContains(both.localizedDescription, new.versionChecksum)
    }

    #if compiler(>=6.2)
        @Test("A wrong checksum stops the program and names both")
        func stops() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = NSManagedObjectModelReference(model: CarModel.make(), versionChecksum: "wrong").resolvedModel
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "'q779bi2ZZEuRPJyJIsoxXB0eBitt0PkUDBrh5FdJi0o='")
            expectContains(text, "'wrong'")
        }
    #endif
}
