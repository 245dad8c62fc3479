import CoreData
import Testing

@Suite("Links in place of binary and XML files")
struct LinkedFileStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Adds a tag to a store, and returns the names of all.
    @discardableResult
    private func add(_ name: String, _ kind: StoreKind, at file: String) throws -> [String] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: folder.file(file))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        var names: [String] = []
        try on(context) {
            context.make("Tag", name)
            try context.save()
            names = try context.names("Tag")
        }
        return names
    }

    private func isLink(_ file: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: folder.path(file))) != nil
    }

    @Test("A save through a symbolic link changes the file, and keeps the link", arguments: [StoreKind.binary, .xml])
    func symbolicLink(_ kind: StoreKind) throws {
        try FileManager.default.createDirectory(at: folder.file("real"), withIntermediateDirectories: false)
        try add("a", kind, at: "real/store")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "real/store")
        try FileManager.default.createSymbolicLink(atPath: folder.path("second"), withDestinationPath: "link")
        try add("b", kind, at: "link")
        try add("c", kind, at: "second")
        expectTrue(isLink("link"))
        expectTrue(isLink("second"))
        try expectEqual(add("d", kind, at: "real/store"), ["a", "b", "c", "d"])
        try expectEqual(folder.contents, ["link", "real", "second"])
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path("real")), ["store"])
    }

    @Test(
        "A symbolic link to a missing file is an error that names it, and nothing is made",
        arguments: [StoreKind.binary, .xml])
    func danglingLink(_ kind: StoreKind) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "store")
        let error = thrownError { try add("a", kind, at: "link") }
        expectEqual(error?.code, CocoaError.Code.fileReadUnknown.rawValue)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == folder.path("link"))
        expectTrue(isLink("link"))
        try expectEqual(folder.contents, ["link"])
    }

    @Test("A loop of links is an error that names the file", arguments: [StoreKind.binary, .xml])
    func loop(_ kind: StoreKind) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path("a"), withDestinationPath: "b")
        try FileManager.default.createSymbolicLink(atPath: folder.path("b"), withDestinationPath: "a")
        let error = thrownError { try add("a", kind, at: "a") }
        expectEqual(error?.domain, NSCocoaErrorDomain)
        expectEqual(error?.localizedDescription.contains("\u{201c}a\u{201d}"), true)
        try expectEqual(folder.contents, ["a", "b"])
    }

    @Test("Metadata that are written through a link keep it, and the objects", arguments: [StoreKind.binary, .xml])
    func metadata(_ kind: StoreKind) throws {
        try add("a", kind, at: "store")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "store")
        try NSPersistentStoreCoordinator.setMetadata(
            ["own": "value"], forPersistentStoreOfType: kind.type, at: folder.file("link"))
        expectTrue(isLink("link"))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: kind.type, at: folder.file("store"))
        #expect(metadata["own"] as? String == "value")
        try NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make()).destroyPersistentStore(
            at: folder.file("link"), ofType: kind.type)
        expectFalse(FileManager.default.fileExists(atPath: folder.path("store")))
    }
}
