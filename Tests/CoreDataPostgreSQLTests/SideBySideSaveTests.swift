import CoreDataTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Saves of several contexts of one coordinator.
@Suite("Saves of one coordinator side by side", .enabled(if: TestServer.isPresent))
struct SideBySideSaveTests {
    private let database: TestDatabase
    private let coordinator: NSPersistentStoreCoordinator

    init() throws {
        database = try TestDatabase()
        coordinator = try database.coordinator(at: database.url())
    }

    private func makeContext() -> NSManagedObjectContext { Self.makeContext(coordinator) }

    private static func makeContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Saves authors.
    private func makeAuthors(_ names: String...) throws -> [NSManagedObjectID] {
        try database.use(coordinator) { context in
            let authors = names.map { context.make("Author", $0, ["age": 0]) }
            try context.save()
            return authors.map(\.objectID)
        }
    }

    /// Holds the row of an author against writers while a block runs.
    private func withLockedRow(_ id: NSManagedObjectID, _ body: (PostgreSQLConnection) throws -> Void) throws {
        let connection = try TestServer.connect()
        defer { connection.close() }
        try connection.begin()
        let key = try requireValue(Int64(id.uriRepresentation().lastPathComponent.dropFirst()))
        try connection.execute(
            "SELECT 1 FROM \"\(database.schema("store"))\".zperson WHERE z_pk = \(key) FOR UPDATE")
        try body(connection)
        if connection.transactionStatus == .inTransaction { try connection.rollback() }
    }

    @Test("A save that waits for a row keeps no save of other rows waiting")
    func aSaveThatWaits() throws {
        let ids = try makeAuthors("Ada", "Bea")
        let signals = Signals()
        try withLockedRow(ids[0]) { connection in
            let waiting = makeContext()
            waiting.perform {
                waiting.object(with: ids[0]).setValue(1, forKey: "age")
                signals.add(thrownError { try waiting.save() } == nil ? "waited" : "failed")
            }
            let other = makeContext()
            try on(other) {
                for age in 1...20 {
                    other.object(with: ids[1]).setValue(age, forKey: "age")
                    try other.save()
                }
            }
            expectEmpty(signals.all)
            try connection.rollback()
            #expect(signals.wait { $0 == ["waited"] })
        }
        try database.use(coordinator) { context in
            try expectEqual(context.all("Author", "age == 1").map { $0.text("name") }, ["Ada"])
            try expectEqual(context.all("Author", "age == 20").map { $0.text("name") }, ["Bea"])
        }
    }

    @Test("Metadata that is set while another save commits is written by the next save")
    func metadataDuringCommit() throws {
        let proxy = try TestProxy()
        defer { proxy.stop() }
        let url = database.url("metadata")
        let coordinator = try database.coordinator(at: proxy.url(url))
        let store = try requireValue(coordinator.persistentStores.first)
        func save(_ name: String) throws {
            try database.use(coordinator) { context in
                context.make("Author", name)
                try context.save()
            }
        }
        var isSet = false
        proxy.cut { message in
            guard message.isCommit, !isSet else { return nil }
            isSet = true
            coordinator.setMetadata(coordinator.metadata(for: store).merging(["x": "set"]) { $1 }, for: store)
            return nil
        }
        try save("first")
        proxy.passAll()
        expectTrue(isSet)
        func stored() throws -> String? {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSPostgreSQLStoreType, at: url)["x"]
                as? String
        }
        try expectEqual(stored(), nil)
        try save("second")
        try expectEqual(stored(), "set")
    }

    @Test("Counters that many contexts raise are exact, in the store and in each context")
    func countersThatManyContexts() throws {
        let ids = try makeAuthors("Ada", "Bea", "Cleo")
        let reader = makeContext()
        reader.automaticallyMergesChangesFromParent = true
        try on(reader) { for author in try reader.all("Author") { expectEqual(author.number("age"), 0) } }
        let (threads, steps) = (8, TestRun.quick(25, long: 500))
        let signals = Signals()
        for thread in 0..<threads {
            Thread.detachNewThread { [coordinator] in
                let context = Self.makeContext(coordinator)
                context.performAndWait {
                    for step in 0..<steps {
                        let author = context.object(with: ids[(thread + step) % 3])
                        while true {
                            author.setValue((author.number("age") ?? 0) + 1, forKey: "age")
                            guard let error = thrownError({ try context.save() }) else { break }
                            guard error.code == NSManagedObjectMergeError else {
                                signals.add("\(error)")
                                return
                            }
                            context.rollback()
                            context.refresh(author, mergeChanges: false)
                        }
                    }
                    signals.add("end")
                }
            }
        }
        #expect(signals.wait { $0.count == threads })
        expectEqual(signals.all, Array(repeating: "end", count: threads))
        let sum = try database.use(coordinator) { context in
            context.stalenessInterval = 0
            return try context.all("Author").reduce(0) { $0 + ($1.number("age") ?? 0) }
        }
        expectEqual(sum, Int64(threads * steps))
        // The last merge has the newest versions: a merge of an older one can't come after it.
        let merged = reader.performAndWait { ids.reduce(0) { $0 + (reader.object(with: $1).number("age") ?? 0) } }
        expectEqual(merged, sum)
        try database.use(coordinator) { context in
            // The row cache has the newest versions, too.
            expectEqual(ids.reduce(0) { $0 + (context.object(with: $1).number("age") ?? 0) }, sum)
            try checkInvariants(of: context)
        }
    }

    @Test("A commit that the server refuses keeps no later save from being merged")
    func aCommitThatTheServer() throws {
        let ids = try makeAuthors("Ada", "Bea")
        let reader = makeContext()
        reader.automaticallyMergesChangesFromParent = true
        try on(reader) { for author in try reader.all("Author") { expectEqual(author.number("age"), 0) } }
        let connection = try TestServer.connect()
        defer { connection.close() }
        // A trigger that runs at the COMMIT.
        let schema = database.schema("store")
        // Two statements: a cluster prepares those that make functions, one at a time.
        try connection.executeScript(
            """
            CREATE FUNCTION "\(schema)".refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN IF NEW.zage = 99 THEN RAISE EXCEPTION 'refused'; END IF; RETURN NULL; END $$
            """)
        try connection.executeScript(
            """
            CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON "\(schema)".zperson DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION "\(schema)".refuse()
            """)
        let context = makeContext()
        try on(context) {
            context.object(with: ids[0]).setValue(99, forKey: "age")
            #expect(thrownError { try context.save() } != nil)
            context.rollback()
            context.object(with: ids[1]).setValue(7, forKey: "age")
            try context.save()
        }
        reader.performAndWait {
            expectEqual(ids.map { reader.object(with: $0).number("age") }, [0, 7])
        }
    }

    @Test("Batch updates of several contexts run side by side")
    func batchUpdatesOfSeveral() throws {
        let ids = try makeAuthors("Ada", "Bea")
        let signals = Signals()
        func update(_ context: NSManagedObjectContext, _ name: String) throws {
            let request = NSBatchUpdateRequest(entityName: "Author")
            request.predicate = NSPredicate(format: "name == %@", name)
            request.propertiesToUpdate = ["age": 5]
            try context.execute(request)
        }
        try withLockedRow(ids[0]) { connection in
            let waiting = makeContext()
            waiting.perform { signals.add(thrownError { try update(waiting, "Ada") } == nil ? "waited" : "failed") }
            let other = makeContext()
            try on(other) { try update(other, "Bea") }
            expectEmpty(signals.all)
            try connection.rollback()
            #expect(signals.wait { $0 == ["waited"] })
        }
    }
}
