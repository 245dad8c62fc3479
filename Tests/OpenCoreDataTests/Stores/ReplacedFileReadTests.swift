import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// Another coordinator replaces a value after a read transaction has begun, and before its file is read.
@Suite("A file of external data that is replaced while its row is read")
struct ReplacedFileReadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> (NSManagedObjectContext, SQLiteStore) {
        let image = NSAttributeDescription()
        image.name = "image"
        image.attributeType = .binaryDataAttributeType
        image.allowsExternalBinaryDataStorage = true
        let photo = NSEntityDescription()
        photo.name = "Photo"
        photo.properties = [image]
        let model = NSManagedObjectModel()
        model.entities = [photo]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file("store.sqlite"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (context, try requireValue(store as? SQLiteStore))
    }

    private static func image(_ byte: UInt8) -> Data { Data(repeating: byte, count: 200_000) }

    private func save(_ byte: UInt8) throws {
        let (context, _) = try open()
        try context.performAndWait {
            let photo =
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Photo")).first
                ?? NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
            photo.setValue(Self.image(byte), forKey: "image")
            try context.save()
        }
    }

    /// The first bytes of the values of a fetch, during whose first read transaction the value is replaced.
    private func read(from source: any SnapshotSource, _ store: SQLiteStore, replacements: Int) throws -> [UInt8?] {
        let layout = try requireValue(store.persistentStoreCoordinator?.layouts.byName["Photo"])
        let calls = Locked(0)
        let errors = Locked<[String]>([])
        var query = StoreQuery(layout: layout)
        query.control = FetchControl { _ in
            // The first call comes before the statement, the second one with its first row.
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard call % 2 == 0, call <= 2 * replacements else { return }
            do { try save(UInt8(1 + call / 2)) } catch { errors.withLock { $0.append("\(error)") } }
        }
        let list = try source.rows(query)
        expectEqual(errors.withLock { $0 }, [])
        let slot = try requireValue(layout.properties.first { $0.name == "image" })
        return list.buffers.flatMap { buffer in
            (0..<buffer.count).map { (slot.read(buffer[$0].cells) as? Data)?.first }
        }
    }

    @Test("the row is read again, and has the newest value", arguments: [1, 3, 12])
    func readAgain(replacements: Int) throws {
        try save(1)
        let (context, store) = try open()
        defer { withExtendedLifetime(context) {} }
        try expectEqual(read(from: store.database, store, replacements: replacements), [UInt8(replacements + 1)])
        // The rows that were read before are forgotten.
        let layout = try requireValue(store.persistentStoreCoordinator?.layouts.byName["Photo"])
        let row = try requireValue(try store.database.snapshot(layout: layout, key: 1))
        let slot = try requireValue(layout.properties.first { $0.name == "image" })
        expectEqual((slot.read(row.row.cells) as? Data)?.first, UInt8(replacements + 1))
    }

    @Test("in a query generation it is an error")
    func generation() throws {
        try save(1)
        let (context, store) = try open()
        defer { withExtendedLifetime(context) {} }
        let generation = try requireValue(try store.database.generation())
        try save(2)
        let error = thrownError { _ = try read(from: generation, store, replacements: 0) }
        expectEqual(error?.code, CocoaError.Code.fileReadNoSuchFile.rawValue)
    }
}
