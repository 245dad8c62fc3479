import CoreData
import Testing

/// How often a store is read while it is added with the options for migration, by the log of SQL.
@Suite("Reads of a store that is opened")
struct OpeningReadsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func song(_ keys: [String]) -> NSManagedObjectModel {
        model([entity("Song", keys.map { attribute($0, .stringAttributeType) })])
    }

    private static func open(_ path: String, _ model: NSManagedObjectModel) throws {
        try NSPersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
            options: LightweightMigrationTests.options)
    }

    /// Opens a store in a process that logs SQL.
    private static func openLogging(_ path: String, _ keys: [String]) throws {
        UserDefaults.standard.register(defaults: ["com.apple.CoreData.SQLDebug": "1"])
        try open(path, song(keys))
    }

    private func count(_ text: String, _ result: ExitTest.Result?) -> Int {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).components(separatedBy: text).count - 1
    }

    @Test("A store of the current model is opened once, and its metadata are read once")
    func current() async throws {
        try Self.open(folder.path("songs.sqlite"), Self.song(["title"]))
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [path = folder.path("songs.sqlite") as String] in try Self.openLogging(path, ["title"])
        }
        expectEqual(count("Z_PLIST FROM Z_METADATA", result), 1)
        expectEqual(count("FROM Z_MODELCACHE", result), 0)
    }

    @Test("The model in a store of another model is read once; the metadata before, during and after the migration")
    func migrated() async throws {
        try Self.open(folder.path("songs.sqlite"), Self.song(["title"]))
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [path = folder.path("songs.sqlite") as String] in try Self.openLogging(path, ["title", "note"])
        }
        expectEqual(count("Z_PLIST FROM Z_METADATA", result), 3)
        expectEqual(count("SELECT Z_CONTENT FROM Z_MODELCACHE", result), 1)
    }
}
