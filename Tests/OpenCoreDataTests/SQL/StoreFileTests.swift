import CoreDataModel
import CoreDataPredicates
import Dispatch
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("A store file")
struct StoreFileTests {
    let folder = try! TemporaryFolder()

    private var path: String { folder.path("Music.sqlite") }

    @discardableResult
    private func open(_ options: SQLiteStoreOptions = SQLiteStoreOptions()) throws -> SQLiteStoreFile {
        try SQLiteStoreFile.open(at: path, model: AlbumModel.make(), options: options)
    }

    @Test("is created with the format's pragmas, tables, rows and metadata")
    func creation() throws {
        let store = try open()
        let connection = store.connection
        expectTrue(store.wasCreated)
        expectFalse(store.isReadOnly)
        try expectEqual(connection.pragma("page_size"), "4096")
        try expectEqual(connection.pragma("auto_vacuum"), "2")
        try expectEqual(connection.pragma("journal_mode"), "wal")
        try expectEqual(connection.pragma("encoding"), "UTF-8")
        try expectEqual(connection.pragma("user_version"), "0")

        let rows = try connection.statement("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        var statements: [String] = []
        while try rows.step() { statements.append(rows.text(at: 0) ?? "") }
        try expectEqual(statements, SQLiteDefinition(store.schema).statements())
        try expectEqual(connection.pragma("schema_version"), String(statements.count))

        try expectEqual(
            connection.text("SELECT group_concat(Z_ENT || Z_NAME || Z_SUPER || '-' || Z_MAX) FROM Z_PRIMARYKEY"),
            "1Album0-0,2Artist0-0,3Band2-0,4Singer2-0,5Tag0-0,6Track0-0")
        try expectEqual(connection.integer("SELECT Z_VERSION FROM Z_METADATA"), 1)
        let metadata = store.metadata
        #expect(metadata["NSStoreType"] as? String == "SQLite")
        #expect(metadata["NSStoreUUID"] as? String == store.identifier)
        expectEqual(store.identifier, store.identifier.uppercased())
        expectEqual(store.identifier.count, 36)
        expectEqual((metadata["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue, 1344)
        expectEqual((metadata["NSStoreModelVersionHashesVersion"] as? NSNumber)?.intValue, 3)
        #expect(metadata["_NSAutoVacuumLevel"] as? String == "2")
        expectEqual((metadata["NSStoreModelVersionHashes"] as? [String: Data])?.count, 6)
        expectEqual((metadata["NSStoreModelVersionHashesDigest"] as? String)?.count, 88)
        expectEqual((metadata["NSStoreModelVersionChecksumKey"] as? String)?.count, 44)
    }

    @Test("opens again with the same UUID and metadata, also if the file was empty")
    func reopening() throws {
        _ = FileManager.default.createFile(atPath: path, contents: Data())
        let identifier = try open().identifier
        let store = try open()
        expectFalse(store.wasCreated)
        expectEqual(store.identifier, identifier)
        #expect(try SQLiteStoreFile.metadata(at: path)["NSStoreUUID"] as? String == identifier)
    }

    @Test("contains the model that created it")
    func modelCache() throws {
        try open()
        let model = try requireValue(try SQLiteStoreFile.cachedModel(at: path))
        expectEqual(model.entityVersionHashesByName, AlbumModel.make().entityVersionHashesByName)
    }

    @Test("preserves metadata of the application")
    func metadata() throws {
        let store = try open()
        var metadata = store.metadata
        metadata["owner"] = ["name": "Ada", "age": NSNumber(value: 36)] as [String: Any]
        metadata["flags"] = [NSNumber(value: true), NSNumber(value: 1.5)]
        metadata["made"] = Date(timeIntervalSinceReferenceDate: 86_400.5)
        metadata["token"] = Data([1, 2])
        try store.write(metadata: metadata)
        let read = try SQLiteStoreFile.metadata(at: path)
        #expect((read["owner"] as? [String: Any])?["name"] as? String == "Ada")
        expectEqual(((read["owner"] as? [String: Any])?["age"] as? NSNumber)?.intValue, 36)
        expectEqual((read["flags"] as? [Any])?.compactMap { ($0 as? NSNumber)?.doubleValue }, [1, 1.5])
        #expect(read["made"] as? Date == Date(timeIntervalSinceReferenceDate: 86_400.5))
        #expect(read["token"] as? Data == Data([1, 2]))
        try SQLiteStoreFile.setMetadata(store.metadata.merging(["owner": "Bob"]) { $1 }, at: path)
        #expect(try SQLiteStoreFile.metadata(at: path)["owner"] as? String == "Bob")
        let error = thrownError { try store.write(metadata: ["bad": NSObject()]) }
        expectEqual(error?.code, 134070)
    }

    @Test("is not changed by a read-only store, and no side files remain")
    func readOnly() throws {
        try open()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        do {
            var options = SQLiteStoreOptions()
            options.isReadOnly = true
            let store = try open(options)
            expectTrue(store.isReadOnly)
            expectEqual(thrownError { try store.connection.run("DELETE FROM Z_PRIMARYKEY") }?.code, 513)
        }
        _ = try SQLiteStoreFile.metadata(at: path)
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), before)
        try expectEqual(folder.contents, ["Music.sqlite"])
    }

    @Test("is read with the pages in the log of another connection")
    func readOnlyWithLog() throws {
        let writer = try open()
        var metadata = writer.metadata
        metadata["note"] = "new"
        try writer.write(metadata: metadata)
        var options = SQLiteStoreOptions()
        options.isReadOnly = true
        #expect(try open(options).metadata["note"] as? String == "new")
    }

    @Test("of another model throws an error with the entities that differ, unless versions are ignored")
    func otherModel() throws {
        try open()
        let model = AlbumModel.make()
        let tag = try requireValue(model.entitiesByName["Tag"])
        tag.properties += [AlbumModel.attribute("colour", .stringAttributeType)]
        let before = try SQLiteStoreFile.metadata(at: path)
        let error = try requireValue(thrownError { _ = try SQLiteStoreFile.open(at: path, model: model) })
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, 134100)
        #expect(
            error.userInfo["reason"] as? String
                == "The model used to open the store is incompatible with the one used to create the store")
        #expect(
            (error.userInfo["metadata"] as? [String: Any])?["NSStoreUUID"] as? String == before["NSStoreUUID"]
                as? String)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == path)
        expectEqual(error.localizedFailureReason?.contains("Tag.colour: attribute added"), true)

        var options = SQLiteStoreOptions()
        options.ignoresVersioning = true
        let missing = thrownError { _ = try SQLiteStoreFile.open(at: path, model: model, options: options) }
        expectEqual(missing?.code, 134020)
        expectEqual(missing?.localizedFailureReason?.contains("ZCOLOUR"), true)
    }

    @Test("that many open at once is created by one of them", arguments: 0..<10)
    func racingCreation(round: Int) throws {
        let path = self.path
        let model = AlbumModel.make()
        model.freeze()
        let schemas = UncheckedBox(model)
        let results = Results()
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            results.add(
                Result { try SQLiteStoreFile.open(at: path, model: schemas.value) }.map {
                    ($0.identifier, $0.wasCreated)
                })
        }
        let opened = try results.all.map { try $0.get() }
        expectEqual(Set(opened.map(\.0)).count, 1)
        expectEqual(opened.filter(\.1).count, 1)
    }

    private struct UncheckedBox: @unchecked Sendable {
        let value: NSManagedObjectModel
        init(_ value: NSManagedObjectModel) { self.value = value }
    }

    private final class Results: @unchecked Sendable {
        private let lock = NSLock()
        private var results: [Result<(String, Bool), any Error>] = []
        func add(_ result: Result<(String, Bool), any Error>) { lock.withLock { results.append(result) } }
        var all: [Result<(String, Bool), any Error>] { lock.withLock { results } }
    }

    @Test("is analyzed and vacuumed if the options say so, and has the pragmas of the options")
    func options() throws {
        try open()
        var options = SQLiteStoreOptions()
        options.analyzes = true
        options.vacuums = true
        options.pragmas = ["synchronous": "OFF", "journal_mode": "DELETE"]
        let store = try open(options)
        try expectEqual(store.connection.pragma("synchronous"), "0")
        try expectEqual(store.connection.pragma("journal_mode"), "delete")
        expectTrue(try store.connection.hasTable("sqlite_stat1"))
    }
}
