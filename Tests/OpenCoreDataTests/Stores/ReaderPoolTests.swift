import Dispatch
import Synchronization
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// Reading a SQLite store while another thread uses its connection.
@Suite("Connections that read")
struct ReaderPoolTests {
    private struct Stack: @unchecked Sendable {
        let folder: TemporaryFolder
        let coordinator: NSPersistentStoreCoordinator
        let store: SQLiteStore

        init(_ options: [AnyHashable: Any]? = nil) throws {
            folder = try TemporaryFolder()
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("a.sqlite"), options: options)
            self.store = store as! SQLiteStore
            let context = newContext()
            try context.performAndWait {
                let artist = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
                artist.setValue("Abba", forKey: "name")
                try context.save()
            }
        }

        func newContext() -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }

        /// The names as one fetch reads them: a fault that fires later may have a newer row.
        func names() throws -> [String] {
            let context = newContext()
            return try context.performAndWait {
                let request = NSFetchRequest<NSDictionary>(entityName: "Artist")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = ["name"]
                return try context.fetch(request).map { $0["name"] as? String ?? "" }
            }
        }

        /// Runs a block while another thread is in the middle of a save that changes the name.
        func duringSave(_ body: () throws -> Void) throws {
            let begun = DispatchSemaphore(value: 0)
            let done = DispatchSemaphore(value: 0)
            let ended = DispatchGroup()
            ended.enter()
            Thread.detachNewThread {
                try? store.database.withOpen { open in
                    try open.withWriteTransaction {
                        try open.connection.run("UPDATE ZARTIST SET ZNAME = 'Changed', Z_OPT = Z_OPT + 1")
                        begun.signal()
                        done.wait()
                    }
                }
                ended.leave()
            }
            begun.wait()
            defer {
                done.signal()
                ended.wait()
            }
            try body()
        }
    }

    @Test(
        "a fetch doesn't wait for a save of another thread, and sees the rows before it",
        .timeLimit(.minutes(TestRun.hangMinutes)))
    func fetchDuringSave() throws {
        let stack = try Stack()
        try stack.duringSave { try expectEqual(stack.names(), ["Abba"]) }
        try expectEqual(stack.names(), ["Changed"])
    }

    @Test(
        "a row that was read while a save replaced it is not kept in the row cache",
        .timeLimit(.minutes(TestRun.hangMinutes)))
    func staleRows() throws {
        let stack = try Stack()
        let cache = stack.store.database.rowCache
        let readIn = cache.generation.current
        let buffer = try stack.store.database.withOpen { open -> RowBuffer in
            let layout = try requireValue(stack.coordinator.layouts.byName["Artist"])
            return try requireValue(try open.row(layout, key: 1)?.buffer)
        }
        cache.evict(root: buffer.layouts[buffer[0].layoutNumber].root, keys: [1])
        cache.add([buffer], readIn: readIn)
        #expect(cache.row(buffer.layouts[buffer[0].layoutNumber], key: 1) == nil)
        expectTrue(buffer.mayBeSuperseded)
        expectEmpty(cache.checkInvariants())
    }

    @Test("a row that another process has changed during a fetch isn't kept in the row cache once that was merged")
    func rowsOfOlderSnapshot() throws {
        let stack = try Stack()
        let context = stack.newContext()
        try context.performAndWait {
            for number in 0..<2000 {
                NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
                    .setValue("\(number)", forKey: "name")
            }
            try context.save()
            context.reset()
        }
        let layout = try requireValue(stack.coordinator.layouts.byName["Artist"])
        let database = stack.store.database
        // The closure runs on this thread.
        nonisolated(unsafe) let writer = try SQLiteConnection(path: stack.folder.path("a.sqlite"), mode: .readWrite)
        let hasChanged = Locked(false)
        let root = layout.root
        let control = FetchControl { _ in
            hasChanged.withLock { hasChanged in
                guard !hasChanged else { return }
                hasChanged = true
                try? writer.run("UPDATE ZARTIST SET ZNAME = 'Changed', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1900")
                // As a context does that merges the change.
                database.rowCache.evict(root: root, keys: [1900])
            }
        }
        let rows = try database.rows(StoreQuery(layout: layout, control: control))
        #expect(hasChanged.withLock { $0 })
        expectEqual(rows.buffers.reduce(0) { $0 + $1.count }, 2001)
        let found = try requireValue(try database.snapshot(layout: layout, key: 1900))
        expectEqual(found.row.version, 2)
        withExtendedLifetime((rows, found)) {}
    }

    @Test("one thread needs one connection")
    func oneThread() throws {
        let stack = try Stack()
        _ = try stack.names()
        expectEqual(stack.store.database.readers.connectionCount, 0)
    }

    @Test(
        "NSPersistentStoreConnectionPoolMaxSizeKey limits the connections", .timeLimit(.minutes(TestRun.hangMinutes)),
        arguments: [2, 3])
    func maximum(_ size: Int) throws {
        let stack = try Stack([NSPersistentStoreConnectionPoolMaxSizeKey: NSNumber(value: size)])
        try stack.duringSave {
            let pool = stack.store.database.readers
            let acquired = (0..<5).compactMap { _ in pool.acquire() }
            expectEqual(acquired.count, size - 1)
            expectEqual(pool.connectionCount, size - 1)
            for reader in acquired { pool.release(reader) }
            try expectEqual(stack.names(), ["Abba"])
            expectEqual(pool.connectionCount, size - 1)
        }
    }

    @Test(
        "a store with one connection, or without a write-ahead log, has no others",
        arguments: [
            [NSPersistentStoreConnectionPoolMaxSizeKey: 1], [NSPersistentStoreConnectionPoolMaxSizeKey: 0],
            [NSSQLitePragmasOption: ["journal_mode": "DELETE"]],
        ] as [[String: any Sendable]])
    func none(_ options: [String: any Sendable]) throws {
        let stack = try Stack(options)
        #expect(stack.store.database.readers.acquire() == nil)
        try expectEqual(stack.names(), ["Abba"])
    }

    @Test("a removed store closes the connections")
    func removed() throws {
        let stack = try Stack()
        let reader = try requireValue(stack.store.database.readers.acquire())
        try stack.coordinator.remove(stack.store)
        stack.store.database.readers.release(reader)
        expectEqual(stack.store.database.readers.connectionCount, 0)
        #expect(stack.store.database.readers.acquire() == nil)
    }

    @Test("many threads read while one saves; each sees whole saves", .timeLimit(.minutes(TestRun.hangMinutes)))
    func stress() async throws {
        let stack = try Stack()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<100 {
                    let context = stack.newContext()
                    try context.performAndWait {
                        for artist in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Artist")) {
                            artist.setValue("\(number)", forKey: "name")
                        }
                        let artist = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
                        artist.setValue("\(number)", forKey: "name")
                        try context.save()
                    }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<100 {
                        let names = try stack.names()
                        expectEqual(Set(names).count, 1, "\(names)")
                    }
                }
            }
            try await group.waitForAll()
        }
        expectEmpty(stack.store.database.rowCache.checkInvariants())
    }
}
