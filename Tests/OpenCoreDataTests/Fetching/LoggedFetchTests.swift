import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// A program that logs its statements runs the same code as one that doesn't.
@Suite("A fetch whose statements are logged")
struct LoggedFetchTests {
    /// The titles that a context fetches from a store of 40 albums, while everything is logged or nothing.
    private func results(of formats: [String], isLogged: Bool, in folder: TemporaryFolder) throws -> [[String]] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("a.sqlite"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            if try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Album")) == 0 {
                for index in 0..<40 {
                    let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
                    album.setValue(index % 7 == 0 ? nil : "album \(index % 13)", forKey: "title")
                }
                try context.save()
                context.reset()
            }
            let store = try requireValue(coordinator.persistentStores.first as? SQLiteStore)
            if isLogged { try store.database.withOpen { $0.connection.logLevel = .rows } }
            return try formats.map { format in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
                request.predicate = NSPredicate(format: format)
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                request.fetchLimit = format.count % 3 == 0 ? 5 : 0
                let titles = try context.fetch(request).map { $0.value(forKey: "title") as? String ?? "nil" }
                context.reset()
                return titles
            }
        }
    }

    @Test("has the same results, for random predicates")
    func sameResults() throws {
        let seed = TestRun.seed(for: "logged fetches")
        var random = SeededGenerator(seed: seed)
        let formats = (0..<TestRun.quick(40, long: 400)).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                let symbol = ["==", "!=", "<", ">=", "CONTAINS", "BEGINSWITH[c]"].randomElement(using: &random)!
                return "title \(symbol) 'album \(Int.random(in: 0..<14, using: &random))'"
            }.joined(separator: random.chance(1, of: 2) ? " AND " : " OR ")
        }
        let folder = try TemporaryFolder()
        let plain = try results(of: formats, isLogged: false, in: folder)
        let logged = try results(of: formats, isLogged: true, in: folder)
        expectEqual(plain, logged, "seed \(seed)")
        expectTrue(plain.contains { !$0.isEmpty })
    }

    @Test("is the same statement to SQLite, and its own select in the log")
    func statements() throws {
        let folder = try TemporaryFolder()
        _ = try results(of: [], isLogged: false, in: folder)
        let connection = try SQLiteConnection(
            path: folder.url.appendingPathComponent("a.sqlite").path, mode: .readOnly)
        try SQLiteFunctions.install(on: connection)
        let select = "SELECT Z_PK, ZTITLE FROM ZALBUM WHERE Z_PK < ?"
        let statement = try SQLiteRowCollector.statement(
            reading: ["Z_PK", "ZTITLE"], of: select, on: connection)
        expectContains(statement.sql, "NSCoreDataReadRows")
        try statement.bind(Int64(3), at: 1)
        expectEqual(statement.observedText, select)
        expectEqual(statement.expandedText, "SELECT Z_PK, ZTITLE FROM ZALBUM WHERE Z_PK < 3")
    }
}
