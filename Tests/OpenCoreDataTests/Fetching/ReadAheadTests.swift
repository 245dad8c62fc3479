import Foundation
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// Faults of neighbouring rows, one by one.
@Suite("Rows that are read before faults ask for them")
struct ReadAheadTests {
    private let folder = try! TemporaryFolder()
    private var url: URL { folder.url.appendingPathComponent("a.sqlite") }
    private static let count = 400

    private func context() throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        _ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Saves artists, and returns their IDs as another context has them.
    private func fill(_ reader: NSManagedObjectContext) throws -> [NSManagedObjectID] {
        let writer = try context()
        try writer.performAndWait {
            for number in 0..<Self.count { writer.make("Artist", ["name": "Artist \(number)"]) }
            try writer.save()
        }
        return try reader.performAndWait {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Artist")
            request.resultType = .managedObjectIDResultType
            return try reader.fetch(request).sorted { $0.key < $1.key }
        }
    }

    private func name(_ id: NSManagedObjectID, _ context: NSManagedObjectContext) -> String? {
        context.object(with: id).text("name")
    }

    /// Runs statements on the file, as another program does.
    private func run(_ statements: [String]) throws {
        let connection = try SQLiteConnection(path: url.path, mode: .readWrite)
        for statement in statements { try connection.run(statement) }
    }

    @Test("neighbours need a statement for many of them, in any order, and have their own values")
    func neighbours() throws {
        let reader = try context()
        let ids = try fill(reader)
        try reader.performAndWait {
            let recorder = try StatementRecorder(reader)
            var held: [NSManagedObject] = []
            let statements = recorder.during {
                for start in stride(from: 0, to: Self.count, by: 20) {
                    for index in (start..<start + 20).shuffled() {
                        let object = reader.object(with: ids[index])
                        held.append(object)
                        expectEqual(object.text("name"), "Artist \(index)")
                    }
                }
            }
            // Requests at a greater distance in time than a shared transaction allows read their own rows.
            #expect(statements.contains { $0.contains(">=") }, "\(statements.count)")
            #expect(statements.count < Self.count, "\(statements.count)")
            expectEqual(reader.persistentStoreCoordinator?.checkRowCaches(), [])
            withExtendedLifetime(held) {}
        }
    }

    @Test("a fault sees what another program has changed, inserted and deleted after its row was read ahead")
    func otherPrograms() throws {
        let reader = try context()
        let ids = try fill(reader)
        try reader.performAndWait {
            var held: [NSManagedObject] = []
            for index in 0..<200 {
                held.append(reader.object(with: ids[index]))
                expectEqual(held[index].text("name"), "Artist \(index)")
            }
            for index in 200..<230 {
                if index.isMultiple(of: 3) {
                    try run(["UPDATE ZARTIST SET ZNAME = 'new \(index)' WHERE Z_PK = \(ids[index].key)"])
                    expectEqual(name(ids[index], reader), "new \(index)")
                } else if index.isMultiple(of: 5) {
                    try run(["DELETE FROM ZARTIST WHERE Z_PK = \(ids[index].key)"])
                    #expect(throws: (any Error).self) { try reader.existingObject(with: ids[index]) }
                } else {
                    expectEqual(name(ids[index], reader), "Artist \(index)")
                }
            }
            withExtendedLifetime(held) {}
        }
    }

    @Test("a fault sees what another context of the coordinator has saved after its row was read ahead")
    func otherContexts() throws {
        let reader = try context()
        let ids = try fill(reader)
        let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        writer.persistentStoreCoordinator = reader.persistentStoreCoordinator
        try reader.performAndWait {
            var held: [NSManagedObject] = []
            for index in 0..<200 {
                held.append(reader.object(with: ids[index]))
                expectEqual(held[index].text("name"), "Artist \(index)")
            }
            for index in 200..<220 {
                try writer.performAndWait {
                    writer.object(with: ids[index]).setValue("new \(index)", forKey: "name")
                    try writer.save()
                    writer.reset()
                }
                expectEqual(name(ids[index], reader), "new \(index)")
            }
            withExtendedLifetime(held) {}
        }
    }

    @Test("keys without rows in a read range are found missing, and rows beyond them present")
    func gaps() throws {
        let reader = try context()
        let ids = try fill(reader)
        try run(["DELETE FROM ZARTIST WHERE Z_PK % 2 = 0"])
        try reader.performAndWait {
            var held: [NSManagedObject] = []
            for (index, id) in ids.enumerated() {
                if id.key.isMultiple(of: 2) {
                    #expect(throws: (any Error).self) { try reader.existingObject(with: id) }
                } else {
                    held.append(try reader.existingObject(with: id))
                    expectEqual(held.last?.text("name"), "Artist \(index)")
                }
            }
            withExtendedLifetime(held) {}
        }
    }
}
