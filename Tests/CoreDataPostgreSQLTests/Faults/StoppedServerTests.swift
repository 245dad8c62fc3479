import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// An open store while its server is stopped or accepts no connections.
@Suite("A server that goes away", .enabled(if: TestServer.isPresent))
struct StoppedServerTests {
    /// A store on a server.
    private struct Library {
        let context: NSManagedObjectContext
        let store: PostgreSQLDatabase

        init(_ url: URL, model: NSManagedObjectModel = LibraryModel.make()) throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            store = try requireValue(
                try coordinator.addPersistentStore(ofType: NSPostgreSQLStoreType, configurationName: nil, at: url)
                    as? PostgreSQLStore
            ).database
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
        }

        func save(_ name: String) -> NSError? {
            context.performAndWait {
                context.make("Book", name, ["author": context.make("Author", name)])
                let error = thrownError { try context.save() }
                if error != nil { context.rollback() }
                return error
            }
        }

        func names(_ entity: String = "Book") throws -> [String] {
            try context.performAndWait {
                context.reset()
                return try context.names(entity)
            }
        }
    }

    @Test("A store goes on after its server was stopped and started again")
    func restart() throws {
        let server = try PrivateServer()
        let library = try Library(server.url)
        expectEqual(library.save("a"), nil)
        for (mode, name) in [(PrivateServer.StopMode.fast, "b"), (.immediate, "c")] {
            let before = try library.names()
            try server.stop(mode)
            let writing = try requireValue(library.save("lost"))
            expectEqual(writing.domain, NSCocoaErrorDomain)
            expectEqual(writing.code, CocoaError.fileWriteUnknown.rawValue)
            let reading = try requireError { _ = try library.names() }
            expectEqual(reading.code, CocoaError.fileReadUnknown.rawValue)
            let opening = try requireError { _ = try Library(server.url) }
            expectEqual(opening.code, NSPersistentStoreOpenError)
            try server.start()
            try expectEqual(library.names(), before)
            expectEqual(library.save(name), nil)
        }
        // The first request after a restart may be a save, too.
        try server.stop(.fast)
        try server.start()
        expectEqual(library.save("d"), nil)
        try expectEqual(library.names(), ["a", "b", "c", "d"])
        try expectEqual(library.names("Author"), ["a", "b", "c", "d"])
    }

    @Test("Saves during crashes of the server happen once, or throw and haven't happened")
    func crashes() throws {
        let server = try PrivateServer()
        let model = LibraryModel.make()
        let library = try Library(server.url, model: model)
        let signals = Signals()
        let isDone = Signals()
        let saver = Thread {
            var number = 0
            while isDone.all.isEmpty {
                let error = library.save("\(number)")
                if let error { expectEqual(error.domain, NSCocoaErrorDomain) }
                signals.add(error == nil ? "\(number)" : "")
                number += 1
            }
            signals.add("end")
        }
        saver.start()
        for _ in 0..<TestRun.quick(2, long: 10) {
            let count = signals.all.count
            #expect(signals.wait { $0.count > count + 50 })
            try server.stop(.immediate)
            try server.start()
        }
        let count = signals.all.count
        #expect(signals.wait { $0.dropFirst(count).contains { !$0.isEmpty } }, "Saves work again.")
        isDone.add("end")
        #expect(signals.wait { $0.last == "end" })
        let saved = signals.all.filter { !$0.isEmpty && $0 != "end" }.sorted()
        let other = try Library(server.url, model: model)
        try expectEqual(other.names(), saved)
        try expectEqual(other.names("Author"), saved)
        print("Crashes: \(saved.count) saves happened, \(signals.all.count - 1 - saved.count) threw")
    }

    @Test("What several writers are told to be saved during crashes of the server is saved, and nothing else")
    func crashesUnderWriters() throws {
        let server = try PrivateServer()
        let model = LibraryModel.make()
        _ = try Library(server.url, model: model)
        let signals = Signals()
        let isDone = Signals()
        let writers = 8
        for writer in 0..<writers {
            let library = try Library(server.url, model: model)
            let saver = Thread {
                var number = 0
                while isDone.all.isEmpty {
                    let name = "\(writer)-\(number)"
                    signals.add(library.save(name) == nil ? name : "")
                    number += 1
                }
                signals.add("end")
            }
            saver.start()
        }
        // COREDATA_CRASH_SECONDS has the crashes go on for so long.
        let seconds = ProcessInfo.processInfo.environment["COREDATA_CRASH_SECONDS"].flatMap { Double($0) } ?? 0
        let end = ContinuousClock.now + .seconds(seconds)
        var crashes = 0
        while crashes < TestRun.quick(2, long: 20) || ContinuousClock.now < end {
            let count = signals.all.count
            #expect(signals.wait { $0.count > count + 100 })
            try server.stop(.immediate)
            try server.start()
            crashes += 1
        }
        let count = signals.all.count
        #expect(signals.wait { $0.dropFirst(count).contains { !$0.isEmpty } }, "Saves work again.")
        isDone.add("end")
        #expect(signals.wait { $0.filter { $0 == "end" }.count == writers })
        let saved = signals.all.filter { !$0.isEmpty && $0 != "end" }.sorted()
        let found = try Library(server.url, model: model).names().sorted()
        expectEqual(Set(saved).subtracting(found), [], "Told as saved, and not there")
        expectEqual(Set(found).subtracting(saved), [], "There, and told as not saved")
        expectEqual(found.count, Set(found).count, "There twice")
        print("\(crashes) crashes under \(writers) writers: \(saved.count) saves happened")
    }

    @Test("A crash begins a new run of the server, another restart doesn't")
    func serverRuns() throws {
        let server = try PrivateServer()
        let library = try Library(server.url)
        expectEqual(library.save("a"), nil)
        func run() throws -> String? {
            let location = try PostgreSQLLocation(url: server.url)
            let connection = try PostgreSQLConnection(location)
            defer { connection.close() }
            return try PostgreSQLServerRun.value(connection, PostgreSQLDialect(schema: location.schema))
        }
        let first = try requireValue(try run())
        try expectEqual(run(), first)
        try server.stop(.fast)
        try server.start()
        try expectEqual(run(), first)
        try server.stop(.immediate)
        try server.start()
        let second = try requireValue(try run())
        #expect(second != first)
        try expectEqual(run(), second)
    }

    @Test(
        "A save is recognized by what it has written: a row that is older or has other values doesn't have it")
    func traces() throws {
        let server = try PrivateServer()
        let library = try Library(server.url)
        for name in ["a", "b"] { expectEqual(library.save(name), nil) }
        let rows = try ["a", "b"].map { name in
            try library.context.performAndWait {
                let book = try requireValue(try library.context.all("Book", "name = '\(name)'").first)
                return try requireValue(
                    try library.store.snapshot(layout: book.entity.entityLayout, key: book.objectID.key))
            }
        }
        let layout = rows[0].buffer.layouts[rows[0].row.layoutNumber]
        func isIn(_ trace: PostgreSQLSaveTrace) throws -> Bool { try library.store.read { try trace.isIn($0) } }
        func row(_ index: Int, key: Int64, version: Int32) -> PostgreSQLSaveTrace {
            .row(layout: layout, key: key, version: version, cells: rows[index].row.cells)
        }
        let keys = rows.map(\.row.primaryKey)
        try expectTrue(isIn(row(0, key: keys[0], version: 1)))
        try expectFalse(isIn(row(0, key: keys[0], version: 2)))
        // Another save has changed the row since.
        try expectTrue(isIn(row(1, key: keys[0], version: 0)))
        try expectTrue(isIn(.inserted(layout: layout, key: keys[0])))
        try expectFalse(isIn(.inserted(layout: layout, key: 1_000_000)))
        try expectFalse(isIn(row(1, key: keys[0], version: 1)))
        try expectFalse(isIn(.deleted(layout: layout, key: keys[0])))
        try expectTrue(isIn(.deleted(layout: layout, key: 1_000_000)))
        withExtendedLifetime(rows) {}
    }

    @Test("A run of the server has given the numbers from that of its row on, across the end of 32 bits")
    func numbersOfRuns() {
        let run = PostgreSQLServerRun(value: "", transaction: 100)
        expectFalse(run.hasGiven(99))
        expectTrue(run.hasGiven(100))
        expectTrue(run.hasGiven(4_294_967_397))
        expectFalse(run.hasGiven(4_294_967_295))
        expectTrue(PostgreSQLServerRun(value: "", transaction: .max).hasGiven(4_294_967_299))
    }

    @Test("Too many connections of the server are an error, after which the store goes on")
    func tooManyConnections() throws {
        let server = try PrivateServer()
        func administrate(_ texts: String...) throws {
            let connection = try PostgreSQLConnection(PostgreSQLLocation(url: server.url))
            defer { connection.close() }
            for text in texts { try connection.executeScript(text) }
        }
        try administrate(
            "CREATE ROLE app LOGIN", "GRANT CREATE ON DATABASE postgres TO app",
            "ALTER SYSTEM SET max_connections = 8", "ALTER SYSTEM SET superuser_reserved_connections = 3")
        try server.stop(.fast)
        try server.start()
        let url = server.url("user=app&schema=shop")
        let library = try Library(url)
        expectEqual(library.save("a"), nil)
        let open = try library.store.requireOpen()
        open.notifier.finish()
        open.pool.closeIdleConnections()

        // Of the eight places three are reserved, and the observer has one.
        let observer = try server.connect()
        defer { observer.close() }
        var connections: [PostgreSQLConnection] = []
        let location = try PostgreSQLLocation(url: url)
        var end = ContinuousClock.now + .seconds(300)
        while connections.count < 4, ContinuousClock.now < end {
            do {
                connections.append(try PostgreSQLConnection(location))
            } catch let failure as PostgreSQLFailure
                where failure.sqlState == PostgreSQLFailure.State.tooManyConnections
            {
                // The processes of the store's connections end a moment after these.
                try observer.executeScript("SELECT pg_sleep(0.005)")
            }
        }
        try #require(connections.count == 4)
        let refusal = try #require(throws: PostgreSQLFailure.self) { try PostgreSQLConnection(location) }
        expectEqual(refusal.sqlState, "53300")
        let reading = try requireError { _ = try library.names() }
        let opening = try requireError { _ = try Library(url) }
        for error in [try requireValue(library.save("b")), reading, opening] {
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSPersistentStoreTimeoutError)
            expectEqual(error.localizedRecoverySuggestion?.contains("max_connections"), true)
            #expect(error.userInfo[PostgreSQLError.stateKey] as? String == "53300")
        }
        expectEqual(open.pool.connectionCount, 0)
        for connection in connections { connection.close() }
        // The server's processes end a moment later.
        var error = library.save("b")
        end = ContinuousClock.now + .seconds(300)
        while error?.code == NSPersistentStoreTimeoutError, ContinuousClock.now < end {
            try observer.executeScript("SELECT pg_sleep(0.005)")
            error = library.save("b")
        }
        expectEqual(error, nil)
        try expectEqual(library.names(), ["a", "b"])
    }

    @Test("A wrong password is an error of opening, and of each request once it was changed")
    func password() throws {
        let server = try PrivateServer()
        let connection = try PostgreSQLConnection(PostgreSQLLocation(url: server.url))
        defer { connection.close() }
        try connection.executeScript("CREATE ROLE coredata_password LOGIN PASSWORD 'right'")
        try connection.executeScript("GRANT CREATE ON DATABASE postgres TO coredata_password")
        let wrong = try requireError {
            _ = try Library(server.url("user=coredata_password&password=wrongsecret&schema=shop"))
        }
        expectEqual(wrong.code, NSPersistentStoreOpenError)
        #expect(wrong.userInfo[PostgreSQLError.stateKey] as? String == "28P01")
        #expect(!"\(wrong) \(wrong.userInfo)".contains("wrongsecret"))
        let library = try Library(server.url("user=coredata_password&password=right&schema=shop"))
        expectEqual(library.save("a"), nil)
        try connection.executeScript("ALTER ROLE coredata_password PASSWORD 'other'")
        // Connections stay valid, new ones are refused.
        expectEqual(library.save("b"), nil)
        let open = try library.store.requireOpen()
        open.notifier.finish()
        open.pool.closeIdleConnections()
        expectEqual(library.save("c")?.code, NSPersistentStoreOpenError)
        try expectEqual(requireError { _ = try library.names() }.code, NSPersistentStoreOpenError)
        try connection.executeScript("ALTER ROLE coredata_password PASSWORD 'right'")
        expectEqual(library.save("c"), nil)
        try expectEqual(library.names(), ["a", "b", "c"])
    }
}
