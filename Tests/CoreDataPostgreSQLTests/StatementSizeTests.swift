import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Rows whose values are large together.
@Suite("Statements of many large rows", .enabled(if: TestServer.isPresent))
struct StatementSizeTests {
    private let database: TestDatabase
    private let coordinator: NSPersistentStoreCoordinator
    private let store: PostgreSQLDatabase
    private let signals = Signals()

    init() throws {
        let piece = entity(
            "Piece", [attribute("number", .integer64AttributeType), attribute("contents", .binaryDataAttributeType)])
        piece.uniquenessConstraints = [["number"]]
        let model = NSManagedObjectModel()
        model.entities = [piece]
        database = try TestDatabase()
        coordinator = try database.coordinator(at: database.url("store", "pool_size=1"), model: model)
        store = try requireValue(coordinator.persistentStores.first as? PostgreSQLStore).database
        try store.requireOpen().limits.withLock { $0.statementSize = 1 << 20 }
        let signals = signals
        try store.read { session in session.connection.log = { text, _ in signals.add(text) } }
    }

    private static func contents(_ byte: some BinaryInteger) -> Data { Data(repeating: UInt8(byte), count: 600_000) }

    /// How many statements since the beginning of the test begin with a word and name the table.
    private func count(_ word: String) -> Int {
        signals.all.filter { $0.hasPrefix(word) && $0.contains("ZPIECE") }.count
    }

    private func stored(_ context: NSManagedObjectContext) throws -> [Data] {
        context.reset()
        return try context.all("Piece", sort: [NSSortDescriptor(key: "number", ascending: true)])
            .compactMap { $0.value(forKey: "contents") as? Data }
    }

    @Test("A save writes them with several statements")
    func save() throws {
        try database.use(coordinator) { context in
            for number in 0..<5 {
                context.make("Piece", nil, ["number": number, "contents": Self.contents(number)])
            }
            try context.save()
            expectEqual(count("INSERT"), 3)
            try expectEqual(stored(context), (0..<5).map { Self.contents($0) })
            for piece in try context.all("Piece") {
                piece.setValue(Self.contents((piece.number("number") ?? 0) + 10), forKey: "contents")
            }
            try context.save()
            expectEqual(count("UPDATE"), 3)
            try expectEqual(stored(context), (10..<15).map { Self.contents($0) })
        }
    }

    @Test("A batch insert with a uniqueness constraint writes them in several parts")
    func batchInsert() throws {
        try database.use(coordinator) { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            context.make("Piece", nil, ["number": 3, "contents": Self.contents(100)])
            try context.save()
            let before = count("INSERT")
            let rows = (0..<5).map { ["number": $0, "contents": Self.contents($0)] as [String: Any] }
            try context.execute(NSBatchInsertRequest(entityName: "Piece", objects: rows))
            expectEqual(count("INSERT") - before, 3)
            try expectEqual(stored(context), (0..<5).map { Self.contents($0) })
        }
    }
}
