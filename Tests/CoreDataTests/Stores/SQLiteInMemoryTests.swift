import CoreData
import Testing

/// SQLite stores in memory, as Xcode's templates make them for previews and tests.
@Suite("SQLite stores at /dev/null")
struct SQLiteInMemoryTests {
    private let null = URL(fileURLWithPath: "/dev/null")

    private func container(_ model: NSManagedObjectModel = LibraryModel.make()) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Memory", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }

    @Test("a new description has the URL of /dev/null")
    func description() {
        expectEqual(NSPersistentStoreDescription().url, null)
        expectEqual(NSPersistentStoreDescription().type, NSSQLiteStoreType)
    }

    @Test("objects are saved and fetched, and each store has its own")
    func saving() throws {
        let first = try container()
        let second = try container()
        let store = try requireValue(first.persistentStoreCoordinator.persistentStores.first)
        expectEqual(store.type, NSSQLiteStoreType)
        expectEqual(store.url, null)
        let context = first.newBackgroundContext()
        try on(context) {
            context.make("Book", "Emma")
            try context.save()
            context.reset()
            try expectEqual(context.names("Book"), ["Emma"])
            try expectEqual(context.all("Book", "name BEGINSWITH 'E'").count, 1)
        }
        let other = second.newBackgroundContext()
        try on(other) { try expectEmpty(other.all("Book")) }
    }

    @Test("external data stay in memory too")
    func externalData() throws {
        let item = entity("Item", [attribute("data", .binaryDataAttributeType)])
        item.attributesByName["data"]?.allowsExternalBinaryDataStorage = true
        let context = try container(model([item])).newBackgroundContext()
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try on(context) {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            object.setValue(data, forKey: "data")
            try context.save()
            context.reset()
            try #expect(context.all("Item").first?.value(forKey: "data") as? Data == data)
        }
        expectFalse(FileManager.default.fileExists(atPath: "/dev/.null_SUPPORT"))
    }

    @Test("stores below it are in memory too, each by its name")
    func named() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let urls = ["a.sqlite", "b.sqlite"].map { null.appendingPathComponent($0) }
        for url in urls { try coordinator.addPersistentStore(type: .sqlite, at: url) }
        expectEqual(urls.map { coordinator.persistentStore(for: $0)?.url }, urls)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            for (number, url) in urls.enumerated() {
                let book = context.make("Book", "Book \(number)")
                if let store = coordinator.persistentStore(for: url) { context.assign(book, to: store) }
            }
            try context.save()
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.affectedStores = coordinator.persistentStore(for: urls[1]).map { [$0] }
            try expectEqual(context.fetch(request).map { $0.text("name") }, ["Book 1"])
        }
    }

    @Test("a coordinator may have several")
    func several() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(type: .sqlite, at: null)
        try coordinator.addPersistentStore(type: .sqlite, at: null)
        expectEqual(coordinator.persistentStores.count, 2)
    }
}
