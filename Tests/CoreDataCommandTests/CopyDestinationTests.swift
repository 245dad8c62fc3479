import CoreData
import Testing

/// Destinations to which `coredata store backup` and `coredata store copy` don't write.
struct CopyDestinationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let verbs = ["backup", "copy"]

    private func makeStore(_ kind: StoreKind = .sqlite) throws -> String {
        let url = folder.file("store.data")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            context.make("Tag", "one")
            try context.save()
        }
        try coordinator.remove(store)
        return url.path
    }

    /// Runs a verb that must fail, and change nothing.
    private func expectRefusal(_ text: String, _ arguments: String...) async throws {
        let before = try folder.contents
        let run = try await CommandRun(arguments: ["store"] + arguments)
        expectEqual(run.status, 1)
        expectContains(run.errors, text, "\(run.errors)")
        try expectEqual(folder.contents, before)
    }

    @Test("An existing file, a folder and a file in a missing folder", arguments: verbs)
    func anExistingFileAFolder(_ verb: String) async throws {
        let store = try makeStore()
        let file = try folder.write("text", to: "letter.txt")
        try await expectRefusal("letter.txt exists. Replace it with --force.", verb, store, file.path)
        try await expectRefusal("It is no SQLite database", verb, store, file.path, "--force")
        try expectEqual(Data(contentsOf: file), Data("text".utf8))
        try await expectRefusal("is a folder", verb, store, folder.url.path, "--force")
        try await expectRefusal("doesn't exist", verb, store, folder.path("missing/copy.sqlite"))
    }

    @Test("The store itself, by its own path and by a symbolic link", arguments: verbs)
    func theStoreItselfByItsOwn(_ verb: String) async throws {
        let store = try makeStore()
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: store)
        try await expectRefusal("is the store itself", verb, store, store, "--force")
        try await expectRefusal("is the store itself", verb, store, link.path, "--force")
    }

    @Test("A store of another kind is not replaced by a copy")
    func aStoreOfAnother() async throws {
        let store = try makeStore()
        let first = try await CommandRun("store", "copy", store, folder.path("copy.xml"))
        expectEqual(first.status, 0, "\(first.errors)")
        let before = try Data(contentsOf: folder.file("copy.xml"))
        try await expectRefusal(
            "It is no SQLite database", "copy", store, folder.path("copy.xml"), "--type", "sqlite", "--force")
        try expectEqual(Data(contentsOf: folder.file("copy.xml")), before)
    }

    @Test("A source that is no store", arguments: verbs)
    func aSourceThatIsNoStore(_ verb: String) async throws {
        let file = try folder.write("text", to: "letter.txt")
        try await expectRefusal(
            "is no store: it begins neither as a SQLite database", verb, file.path, folder.path("copy.sqlite"))
    }

    @Test("A server has no backup")
    func aServerHasNoBackup() async throws {
        try await expectRefusal("A backup is a file", "backup", try makeStore(), "postgresql://db.example.org/shop")
    }

    @Test("A backup of another kind of file has its kind", arguments: [StoreKind.binary, .xml])
    func aBackupOfAnother(_ kind: StoreKind) async throws {
        let store = try makeStore(kind)
        let run = try await CommandRun("store", "backup", store, folder.path("copy.data"))
        expectEqual(run.status, 0, "\(run.errors)")
        try expectEqual(Data(contentsOf: folder.file("copy.data")), Data(contentsOf: folder.file("store.data")))
    }
}
