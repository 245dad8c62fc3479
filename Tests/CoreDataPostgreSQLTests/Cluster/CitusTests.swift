import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Stores in a Citus cluster, which `Scripts/citus-cluster.sh` starts.
@Suite("Stores on the servers of a Citus cluster", .enabled(if: TestServer.cluster == .citus), .serialized)
struct CitusTests {
    private static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    /// The workers, as the coordinator names them.
    private static func workers(_ connection: PostgreSQLConnection) throws -> [(host: String, port: Int64)] {
        try connection.execute(
            "SELECT node_name::text, node_port::bigint FROM citus_get_active_worker_nodes() ORDER BY 2"
        ).map { ($0.text(0), $0.int64(1)) }
    }

    private static let placements = """
        FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n USING (groupid) \
        JOIN pg_class c ON c.oid = s.logicalrelid WHERE n.noderole = 'primary'
        """

    /// The ports of the servers that have the tables of a schema.
    private static func ports(_ schema: String, _ connection: PostgreSQLConnection) throws -> [Int64] {
        try connection.execute(
            "SELECT DISTINCT nodeport::bigint \(placements) AND c.relnamespace = to_regnamespace('\(schema)')"
        ).map { $0.int64(0) }
    }

    @Test("A save is one transaction of one server, and so is a batch insert")
    func oneServer() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(
            at: database.url("store", "options=-ccitus.log_remote_commands%3Don%20-cclient_min_messages%3Dlog"),
            options: Self.options.merging([NSPostgreSQLPoolSizeOption: 1]) { own, _ in own })
        let store = try requireValue(coordinator.persistentStores.first as? PostgreSQLStore).database
        let signals = Signals()
        try store.read { session in
            let handler = session.connection.noticeHandler
            session.connection.noticeHandler = {
                signals.add($0)
                handler?($0)
            }
        }
        try database.fill(coordinator)
        try database.use(coordinator) { context in
            for chapter in try context.all("Chapter", "name BEGINSWITH 'One'") { context.delete(chapter) }
            for book in try context.all("Book") { book.setValue("changed", forKey: "name") }
            try context.save()
            let rows = (0..<3000).map { ["name": "\($0)"] as [String: Any] }
            try context.execute(NSBatchInsertRequest(entityName: "Chapter", objects: rows))
        }
        #expect(signals.all.contains { $0.contains("issuing COMMIT") })
        #expect(!signals.all.contains { $0.contains("PREPARE TRANSACTION") || $0.contains("COPY") })
    }

    @Test("A schema moves between servers while it is written: no save is lost")
    func moving() async throws {
        let moves = TestRun.quick(3, long: 20)
        let database = try TestDatabase()
        let writers = try (0..<4).map { _ in try database.coordinator(at: database.url(), options: Self.options) }
        let connection = try TestServer.connect()
        defer { connection.close() }
        let workers = try Self.workers(connection)
        try #require(workers.count > 1)
        let (done, errors) = (Signals(), Signals())
        // The writers end after an error, too.
        defer { done.add("moved") }
        for (index, coordinator) in writers.enumerated() {
            DispatchQueue.global().async {
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                context.performAndWait {
                    while !done.all.contains("moved") {
                        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                        tag.setValue("\(index)", forKey: "name")
                        if let error = thrownError({ try context.save() }) {
                            errors.add(error.localizedDescription)
                            context.rollback()
                        } else {
                            done.add("save")
                        }
                    }
                }
                done.add("writer")
            }
        }
        let schema = database.schema("store")
        #expect(done.wait { $0.count > 20 })
        for move in 0..<moves {
            let present = try Self.ports(schema, connection)
            let target = try requireValue(workers.first { !present.contains($0.port) })
            try connection.executeScript(
                "SELECT citus_schema_move('\(schema)', '\(target.host)', \(target.port))")
            try expectEqual(Self.ports(schema, connection), [target.port], "move \(move)")
            let count = done.all.count
            #expect(done.wait { $0.count > count + 4 })
        }
        done.add("moved")
        #expect(done.wait { $0.count { $0 == "writer" } == writers.count })
        let saves = done.all.count { $0 == "save" }
        let coordinator = try database.coordinator(at: database.url(), options: Self.options)
        let store = try requireValue(coordinator.persistentStores.first as? PostgreSQLStore).database
        let stored = try database.use(coordinator) {
            try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        }
        let recorded = try store.history(.all, content: .transactions).count
        #expect(stored == saves && recorded == saves)
        expectEqual(errors.all, [])
        print("Moves: \(moves), \(saves) saves happened, \(saves - stored) lost, \(errors.all.count) threw")
    }

    /// Programs outside of the test crash the servers while it runs.
    @Test(
        "Crashes of servers lose no save, write none twice, and leave the history complete",
        .enabled(if: ProcessInfo.processInfo.environment["COREDATA_CITUS_CRASH_SECONDS"] != nil))
    func crashes() throws {
        let text = ProcessInfo.processInfo.environment["COREDATA_CITUS_CRASH_SECONDS"] ?? ""
        let end = ContinuousClock.now + .seconds(Double(text) ?? 60)
        let database = try TestDatabase()
        let options = Self.options.merging([NSPostgreSQLConnectTimeoutOption: 2]) { own, _ in own }
        let writers = try (0..<4).map { _ in try database.coordinator(at: database.url(), options: options) }
        let reading = try database.coordinator(at: database.url(), options: options)
        let (saved, refused, done) = (Signals(), Signals(), Signals())
        for (index, coordinator) in writers.enumerated() {
            Thread.detachNewThread {
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                context.performAndWait {
                    var number = 0
                    while ContinuousClock.now < end {
                        number += 1
                        let name = "\(index) \(number)"
                        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                        tag.setValue(name, forKey: "name")
                        let error = thrownError { try context.save() }
                        if error != nil { context.rollback() }
                        (error == nil ? saved : refused).add(name)
                    }
                }
                done.add("")
            }
        }
        let store = try requireValue(reading.persistentStores.first as? PostgreSQLStore).database
        var seen: [Int64] = []
        var isLast = false
        while !isLast {
            isLast = done.all.count == writers.count
            let range: HistoryRange = seen.last.map { .afterTransaction($0) } ?? .all
            do {
                seen += try store.history(range, content: .transactions).map(\.number)
            } catch {
                if isLast { throw error }
            }
        }
        let stored = try database.use(reading) { try $0.names("Tag") }
        let acknowledged = Set(saved.all)
        expectEqual(Set(stored).count, stored.count)
        expectEmpty(acknowledged.subtracting(stored))
        expectTrue(Set(refused.all).isDisjoint(with: stored))
        #expect(seen.count == stored.count && Set(seen).count == seen.count)
        print(
            """
            Crashes: \(saved.all.count) saves acknowledged, \(acknowledged.subtracting(stored).count) lost, \
            \(stored.count - Set(stored).count) doubled, \(refused.all.count) threw, of which \
            \(Set(refused.all).intersection(stored).count) happened, \(stored.count - seen.count) missed in the history
            """)
    }

    @Test("Stores spread over the servers")
    func manyStores() async throws {
        let count =
            ProcessInfo.processInfo.environment["COREDATA_CITUS_STORES"].flatMap(Int.init) ?? TestRun.quick(4, long: 20)
        let database = try TestDatabase()
        let note = entity("Note")
        note.properties = [attribute("name", .stringAttributeType)]
        let model = model([note])
        let start = ContinuousClock.now
        func open(_ number: Int) throws -> NSPersistentStoreCoordinator {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: NSPostgreSQLStoreType, configurationName: nil, at: database.url("s\(number)"),
                options: [NSPostgreSQLPoolSizeOption: 1])
            return coordinator
        }
        func close(_ coordinator: NSPersistentStoreCoordinator) throws {
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
        for number in 0..<count {
            let coordinator = try open(number)
            try database.use(coordinator) { context in
                context.make("Note", "\(number)")
                try context.save()
            }
            try close(coordinator)
        }
        let created = ContinuousClock.now
        for number in 0..<count {
            let coordinator = try open(number)
            try database.use(coordinator) { try expectEqual($0.names("Note"), ["\(number)"]) }
            try close(coordinator)
        }
        let connection = try TestServer.connect()
        defer { connection.close() }
        let servers = try connection.execute(
            """
            SELECT nodeport::bigint, COUNT(DISTINCT c.relnamespace) \(Self.placements) \
            AND starts_with(c.relnamespace::regnamespace::text, '\(database.schema(""))') GROUP BY 1 ORDER BY 1
            """
        ).map { $0.int64(1) }
        #expect(servers.count > 1 && servers.reduce(0, +) == Int64(count))
        print(
            "Stores: \(servers) on the servers, \(created - start) to create, \(ContinuousClock.now - created) to open")
    }

    @Test("Without citus.enable_unsafe_triggers, the error of a model with derived attributes names the setting")
    func refusedTriggers() throws {
        let database = try TestDatabase()
        let author = entity("Author")
        let book = entity("Book")
        let books = toMany("books", book)
        let writer = toOne("author", author)
        pair(books, writer)
        let count = NSDerivedAttributeDescription()
        count.name = "bookCount"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(format: "books.@count")
        author.properties = [books, count]
        book.properties = [writer]
        let model = model([author, book])
        let url = database.url("store", "options=-ccitus.enable_unsafe_triggers%3Doff")
        let error = try requireError { _ = try database.coordinator(at: url, model: model) }
        expectEqual(error.code, NSPersistentStoreOpenError)
        expectEqual(error.localizedRecoverySuggestion?.contains("citus.enable_unsafe_triggers"), true)
        try expectFalse(database.hasSchema())
    }

    @Test("A worker is refused")
    func worker() throws {
        let connection = try TestServer.connect()
        defer { connection.close() }
        let worker = try requireValue(Self.workers(connection).last)
        let database = try TestDatabase()
        let url = database.url("store", "port=\(worker.port)")
        let error = try requireError { _ = try database.coordinator(at: url) }
        expectEqual(error.localizedFailureReason?.contains("worker of a Citus cluster"), true)
    }
}
