import OpenCoreData
import Testing

@testable import CoreDataStores

/// Copies of a store that had to be locked, since saves have removed external data during each attempt before.
@Suite("Copies of locked stores")
struct LockedStoreCopyTests {
    private let folder: TemporaryFolder
    private let image = Data(repeating: 7, count: 200_000)

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String) throws -> NSManagedObjectContext {
        let value = NSAttributeDescription()
        value.name = "image"
        value.attributeType = .binaryDataAttributeType
        value.allowsExternalBinaryDataStorage = true
        let photo = NSEntityDescription()
        photo.name = "Photo"
        photo.properties = [value]
        let model = NSManagedObjectModel()
        model.entities = [photo]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .sqlite, at: folder.file(name))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func save(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context).setValue(image, forKey: "image")
            try context.save()
        }
    }

    private func images(_ context: NSManagedObjectContext) throws -> [Data?] {
        try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Photo")).map {
                $0.value(forKey: "image") as? Data
            }
        }
    }

    private func copy(timeout: Double = 10) -> SQLiteStoreCopy {
        var options = SQLiteStoreOptions()
        options.timeout = timeout
        return SQLiteStoreCopy(
            from: folder.file("store.sqlite"), options: options, to: folder.file("copy.sqlite"), options: options,
            attemptsWithoutLock: 0)
    }

    @Test("the copy has all rows and files, and the open store goes on saving")
    func complete() throws {
        let context = try open("store.sqlite")
        try save(context)
        try copy().run()
        try save(context)
        try expectEqual(images(open("copy.sqlite")), [image])
        try expectEqual(images(open("store.sqlite")), [image, image])
    }

    @Test("files of rows that were saved away during the copy don't stay", arguments: [false, true])
    func savedAway(replaces: Bool) throws {
        let context = try open("store.sqlite")
        try save(context)
        try save(context)
        let (source, copy) = (
            SQLiteExternalData(storePath: folder.path("store.sqlite")),
            SQLiteExternalData(storePath: folder.path("copy.sqlite"))
        )
        // A save that has removed a file since the transaction began.
        try source.remove(file: try requireValue(source.namesInFolder.max()))
        let files = SQLiteExternalDataCopy(from: source, to: copy)
        let options = SQLiteStoreOptions()
        let isFirst = try SQLiteStoreFile.withReader(at: source.storePath, options: options) {
            try files.copy(namedOn: $0, isLocked: false)
        }
        expectFalse(isFirst)
        expectEqual(copy.namesInFolder.count, 1)
        try context.performAndWait {
            for photo in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Photo")) {
                context.delete(photo)
            }
            try context.save()
        }
        try save(context)
        let target = try SQLiteConnection(path: copy.storePath, mode: .create)
        let isSecond = try SQLiteStoreFile.withReader(at: source.storePath, options: options) { connection in
            guard try files.copy(namedOn: connection, isLocked: false) else { return false }
            try target.copyDatabase(from: connection)
            return true
        }
        expectTrue(isSecond)
        if replaces { files.finish(on: target) } else { files.finish() }
        expectEqual(copy.namesInFolder, source.namesInFolder)
    }

    @Test("a store that another connection has locked is a timeout, and nothing is left")
    func locked() throws {
        try save(try open("store.sqlite"))
        let other = try SQLiteConnection(path: folder.path("store.sqlite"), mode: .readWrite)
        try other.begin(.immediate)
        let error = thrownError { try copy(timeout: 0.05).run() }
        expectEqual(error?.code, 134090)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == folder.path("store.sqlite"))
        try expectEmpty(folder.contents.filter { $0.contains("copy") })
    }

    @Test("a store that is gone is an error, and nothing is left")
    func gone() throws {
        let error = thrownError { try copy().run() }
        expectEqual(error?.code, 134070)
        try expectEmpty(folder.contents)
    }
}
