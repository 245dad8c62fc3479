import Foundation
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("The read transaction that faults share")
struct ReusedTransactionTests {
    private let folder = try! TemporaryFolder()
    private var url: URL { folder.url.appendingPathComponent("a.sqlite") }

    /// A context on the file; each context has its own coordinator.
    private func context(_ options: [AnyHashable: Any]? = nil) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func store(of context: NSManagedObjectContext) throws -> SQLiteStore {
        try requireValue(context.persistentStoreCoordinator?.persistentStores.first as? SQLiteStore)
    }

    /// Saves artists, and returns their IDs as a second context has them.
    private func fill(_ reader: NSManagedObjectContext) throws -> [NSManagedObjectID] {
        let writer = try context()
        try writer.performAndWait {
            for number in 0..<400 { writer.make("Artist", ["name": "Artist \(number)"]) }
            try writer.save()
        }
        return try reader.performAndWait {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Artist")
            request.resultType = .managedObjectIDResultType
            return try reader.fetch(request)
        }
    }

    /// Fires faults until the connection is in a transaction.
    ///
    /// - Returns: the objects, and the IDs that are left.
    private func fire(
        _ ids: [NSManagedObjectID], _ context: NSManagedObjectContext, _ connection: SQLiteConnection
    ) -> (fired: [NSManagedObject], rest: ArraySlice<NSManagedObjectID>) {
        var fired: [NSManagedObject] = []
        for (index, id) in ids.enumerated() {
            let object = context.object(with: id)
            #expect(object.text("name") != nil)
            fired.append(object)
            if connection.isInTransaction { return (fired, ids[(index + 1)...]) }
        }
        return (fired, [])
    }

    @Test("begins when faults follow each other, and each fault sees what others have saved before")
    func seesSaves() throws {
        let reader = try context()
        let ids = try fill(reader)
        let writer = try context()
        try reader.performAndWait {
            let connection = try store(of: reader).database.withOpen { $0.connection }
            let (fired, rest) = fire(ids, reader, connection)
            expectTrue(connection.isInTransaction)
            #expect(fired.count > 5)
            for id in rest.prefix(20) {
                try writer.performAndWait {
                    let object = try writer.existingObject(with: requireValue(writer.id(id)))
                    object.setValue("New name", forKey: "name")
                    try writer.save()
                }
                expectEqual(reader.object(with: id).text("name"), "New name")
            }
        }
    }

    @Test("ends before a fetch and before a save")
    func endsBeforeOtherRequests() throws {
        let reader = try context()
        let ids = try fill(reader)
        try reader.performAndWait {
            let connection = try store(of: reader).database.withOpen { $0.connection }
            let (fired, _) = fire(ids, reader, connection)
            expectTrue(connection.isInTransaction)
            try expectEqual(reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Artist")), 400)
            expectFalse(connection.isInTransaction)
            reader.reset()
            let (again, _) = fire(ids, reader, connection)
            expectTrue(connection.isInTransaction)
            again[0].setValue("Changed", forKey: "name")
            try reader.save()
            expectFalse(connection.isInTransaction)
            withExtendedLifetime(fired) {}
        }
        let other = try context()
        try other.performAndWait {
            try expectEqual(other.existingObject(with: requireValue(other.id(ids[0]))).text("name"), "Changed")
        }
    }

    @Test("ends by itself, so that the log can be emptied")
    func endsWhenIdle() throws {
        let reader = try context()
        let ids = try fill(reader)
        try reader.performAndWait {
            let (fired, _) = fire(ids, reader, try store(of: reader).database.withOpen { $0.connection })
            // Waits until no transaction reads the log.
            let other = try SQLiteConnection(path: url.path, mode: .readWrite, timeout: 60)
            try expectEqual(other.integer("PRAGMA wal_checkpoint(TRUNCATE)"), 0)
            withExtendedLifetime(fired) {}
        }
    }

    @Test("doesn't exist in a journal mode whose readers lock out writers")
    func rollbackJournal() throws {
        let reader = try context([NSSQLitePragmasOption: ["journal_mode": "delete"]])
        let ids = try fill(reader)
        try reader.performAndWait {
            let connection = try store(of: reader).database.withOpen { $0.connection }
            let (fired, _) = fire(ids, reader, connection)
            expectEqual(fired.count, ids.count)
            expectFalse(connection.isInTransaction)
        }
    }

    @Test("doesn't hide for long that the file was deleted")
    func deletedFile() throws {
        let reader = try context()
        let ids = try fill(reader)
        try reader.performAndWait {
            let (fired, _) = fire(ids, reader, try store(of: reader).database.withOpen { $0.connection })
            try FileManager.default.removeItem(at: url)
            var failure: NSError?
            // A moment is over after this many requests, wherever the test runs.
            for _ in 0..<10_000 where failure == nil {
                reader.reset()
                for id in ids.prefix(50) where failure == nil {
                    do { _ = try reader.existingObject(with: id) } catch { failure = error as NSError }
                }
            }
            expectEqual(failure?.code, NSPersistentStoreOperationError)
            withExtendedLifetime(fired) {}
        }
    }
}

extension NSManagedObjectContext {
    /// The ID of another coordinator as this one has it.
    fileprivate func id(_ other: NSManagedObjectID) -> NSManagedObjectID? {
        persistentStoreCoordinator?.managedObjectID(forURIRepresentation: other.uriRepresentation())
    }
}
