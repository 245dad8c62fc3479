import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("A file that a killed process has left half made")
struct HalfMadeStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes many pages of a transaction into a new file, and ends.
    private static func endDuringTransaction(_ path: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .create)
        try connection.setPragma("cache_size", "1")
        try connection.run("BEGIN")
        try connection.run("CREATE TABLE Z_METADATA (a)")
        for _ in 0..<200 { try connection.run("INSERT INTO Z_METADATA VALUES (zeroblob(3000))") }
        kill(getpid(), SIGKILL)
    }

    @Test("is replaced by a copy of a store")
    func replaced() async throws {
        let model = NSManagedObjectModel()
        let source = folder.file("source.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.remove(try coordinator.addPersistentStore(type: .sqlite, at: source))
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path("a.sqlite") as String] in
            try Self.endDuringTransaction(path)
        }
        try requireValue(folder.contents.contains("a.sqlite-journal"))
        try coordinator.replacePersistentStore(
            at: folder.file("a.sqlite"), withPersistentStoreFrom: source, type: .sqlite)
        try coordinator.addPersistentStore(type: .sqlite, at: folder.file("a.sqlite"))
    }
}
