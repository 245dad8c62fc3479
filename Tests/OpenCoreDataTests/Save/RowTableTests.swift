import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// A connection that is observed writes each row by a statement, another one many rows by one.
@Suite("Rows that one statement writes")
struct RowTableTests {
    private final class Stack {
        let folder: TemporaryFolder
        let coordinator: NSPersistentStoreCoordinator
        let context: NSManagedObjectContext
        private let observed: SQLiteConnection?

        init(writesEach: Bool) throws {
            folder = try TemporaryFolder()
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Albums.sqlite"))
            context = Self.context(coordinator)
            observed = writesEach ? try (store as? SQLiteStore)?.database.withOpen { $0.connection } : nil
            observed?.statementObserver = { _ in }
        }

        deinit { observed?.statementObserver = nil }

        static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.mergePolicy = NSErrorMergePolicy
            return context
        }

        /// All columns of the albums but keys. Files have names of their own, and archives an order.
        func albums() throws -> [String] {
            let connection = try SQLiteConnection(path: folder.path("Albums.sqlite"), mode: .readOnly)
            let columns = ["Z_ENT", "Z_OPT", "ZADDED", "ZIDENT", "ZISLIVE", "ZLINK", "ZPRICE", "ZRATING"]
            let values = (columns + ["ZTITLE", "Z2_PERFORMER", "ZTRACKCOUNT"])
                .map { "typeof(l.\($0)), quote(l.\($0))" }.joined(separator: ", ")
            let statement = try connection.uncachedStatement(
                """
                SELECT \(values), typeof(ZCOVER), length(ZCOVER), typeof(ZINFO), length(ZINFO), a.ZNAME FROM ZALBUM l \
                LEFT JOIN ZARTIST a ON a.Z_PK = ZPERFORMER ORDER BY ZIDENT
                """)
            var rows: [String] = []
            while try statement.step() {
                rows.append((0..<statement.columnCount).map { statement.text(at: $0) ?? "NULL" }.joined(separator: "|"))
            }
            return rows
        }
    }

    /// Values of every attribute of an album, or nil.
    private static func set(_ album: NSManagedObject, _ random: inout SeededGenerator) {
        func set(_ key: String, _ values: [Any?]) { album.setValue(values.randomElement(using: &random)!, forKey: key) }
        set("added", [nil, Date(timeIntervalSinceReferenceDate: 0.1), Date.distantPast])
        set("cover", [nil, Data(), Data([0, 1, 2]), Data(count: 120_000)])
        set("info", [nil, "text" as NSString, ["a": 1] as NSDictionary])
        set("isLive", [nil, true, false])
        set("link", [nil, URL(string: "https://example.com/ä")])
        set(
            "price",
            [nil, NSDecimalNumber(string: "12.5"), NSDecimalNumber(string: "-3"), NSDecimalNumber(string: "1e40")])
        set("rating", [nil, 0.0, -0.0, Double.infinity, 1e-300, 4.0])
        set("title", [nil, "", "a\u{0}b", "Ä 🎸", String(repeating: "long ", count: 2000)])
    }

    private static func uuid(_ number: Int) -> UUID {
        withUnsafeBytes(of: (UInt64(number).bigEndian, UInt64(7))) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The albums after many were inserted, and after some of their properties were changed.
    private func albums(writesEach: Bool, seed: UInt64, count: Int) throws -> [[String]] {
        let stack = try Stack(writesEach: writesEach)
        var random = SeededGenerator(seed: seed)
        return try stack.context.performAndWait {
            let artists = (0..<5).map { number in
                let artist = NSEntityDescription.insertNewObject(
                    forEntityName: ["Artist", "Band", "Singer"][number % 3], into: stack.context)
                artist.setValue("artist \(number)", forKey: "name")
                return artist
            }
            let albums = (0..<count).map { number in
                let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: stack.context)
                album.setValue(Self.uuid(number), forKey: "ident")
                Self.set(album, &random)
                album.setValue(
                    random.chance(1, of: 4) ? nil : artists.randomElement(using: &random), forKey: "performer")
                return album
            }
            try stack.context.save()
            let inserted = try stack.albums()
            for album in albums where random.chance(3, of: 4) {
                if random.chance(1, of: 2) {
                    Self.set(album, &random)
                } else {
                    album.setValue("changed", forKey: "title")
                }
                if random.chance(1, of: 3) {
                    album.setValue(artists.randomElement(using: &random), forKey: "performer")
                }
            }
            try stack.context.save()
            return [inserted, try stack.albums()]
        }
    }

    @Test("are those that a statement for each row writes, whatever values they have")
    func sameRows() throws {
        let seed = TestRun.seed(for: "tables of rows")
        let count = TestRun.quick(1100, long: 20_000)
        let together = try albums(writesEach: false, seed: seed, count: count)
        let each = try albums(writesEach: true, seed: seed, count: count)
        for (one, other) in zip(together, each) {
            expectEqual(one.count, count)
            expectEqual(zip(one, other).first { $0 != $1 }.map { "\($0)" }, nil, "seed \(seed)")
        }
        expectTrue(together[0] != together[1])
    }

    @Test("name the rows in conflict, and leave the others as they were", arguments: [false, true])
    func conflicts(writesEach: Bool) throws {
        let stack = try Stack(writesEach: writesEach)
        let other = Stack.context(stack.coordinator)
        var (tags, ids): ([NSManagedObject], [NSManagedObjectID]) = ([], [])
        try stack.context.performAndWait {
            tags = (0..<20).map { number in
                let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: stack.context)
                tag.setValue("\(number)", forKey: "name")
                return tag
            }
            try stack.context.save()
            ids = tags.map(\.objectID)
        }
        try other.performAndWait {
            try other.existingObject(with: ids[3]).setValue("three", forKey: "name")
            other.delete(try other.existingObject(with: ids[7]))
            try other.save()
        }
        stack.context.performAndWait {
            for tag in tags { tag.setValue("all", forKey: "name") }
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            let conflicts = error?.userInfo["conflictList"] as? [NSMergeConflict] ?? []
            expectEqual(Set(conflicts.map(\.sourceObject.objectID)), [ids[3], ids[7]])
        }
        other.performAndWait {
            other.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.predicate = NSPredicate(format: "name == 'all'")
            expectEqual(try? other.count(for: request), 0)
        }
    }

    @Test("exchange unique values, and are refused for one that another row has", arguments: [false, true])
    func uniqueValues(writesEach: Bool) throws {
        let stack = try Stack(writesEach: writesEach)
        try stack.context.performAndWait {
            let albums = (0..<10).map { number in
                let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: stack.context)
                album.setValue(Self.uuid(number), forKey: "ident")
                return album
            }
            try stack.context.save()
            for (number, album) in albums.enumerated() { album.setValue(Self.uuid((number + 1) % 10), forKey: "ident") }
            try stack.context.save()
            for number in 9..<15 {
                let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: stack.context)
                album.setValue(Self.uuid(number), forKey: "ident")
            }
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectConstraintMergeError)
        }
        expectEqual(try stack.albums().count, 10)
    }

    @Test("of a batch insert are those that a statement for each row writes", arguments: [false, true])
    func batch(writesEach: Bool) throws {
        let stack = try Stack(writesEach: writesEach)
        try stack.context.performAndWait {
            var number = 0
            let insert = NSBatchInsertRequest(entityName: "Track") { (values: NSMutableDictionary) in
                number += 1
                if number % 3 > 0 { values["title"] = "track \(number)" }
                return number > 3000
            }
            insert.resultType = .objectIDs
            let result = try stack.context.execute(insert) as? NSBatchInsertResult
            let ids = try requireValue(result?.result as? [NSManagedObjectID])
            expectEqual(ids.count, 3000)
            let titles = try [0, 1, 1024, 2999].map {
                try stack.context.existingObject(with: ids[$0]).value(forKey: "title") as? String
            }
            expectEqual(titles, ["track 1", "track 2", "track 1025", nil])
        }
    }

    /// Tags, the third of which can't be made.
    private final class Tags: SQLiteRowTable {
        private var keys: [Int64] = [1, 2, 3]
        private let cells: BatchCells

        struct NoTag: Error {}

        init(_ layout: EntityLayout, _ plan: RowWritePlan, _ binder: SQLiteCellBinder) {
            cells = BatchCells(layout)
            super.init(plan, binder)
        }

        override func next() throws -> Row? {
            let key = keys.removeFirst()
            guard key < 3 else { throw NoTag() }
            return Row(key: key, version: 1, cells: cells.cells)
        }
    }

    @Test("end with the error of the row that can't be made")
    func errorOfRow() throws {
        let stack = try Stack(writesEach: false)
        let store = try requireValue(stack.coordinator.persistentStores.first as? SQLiteStore)
        try store.database.withOpen { open in
            let layout = try requireValue(stack.coordinator.layouts.byName["Tag"])
            let engine = SQLiteSaveEngine(open)
            let tags = Tags(
                layout, try open.plans.writePlan(layout), SQLiteCellBinder(engine: engine, keys: nil))
            #expect(throws: Tags.NoTag.self) {
                try engine.withTransaction { while try tags.insert(on: open.connection) {} }
            }
            expectEqual(try open.connection.integer("SELECT count(*) FROM ZTAG"), 0)
        }
    }

    @Test("can't be read by a trigger of the file")
    func hostileTrigger() throws {
        let stack = try Stack(writesEach: false)
        let store = try requireValue(stack.coordinator.persistentStores.first as? SQLiteStore)
        let insertTags = {
            for _ in 0..<10 { _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: stack.context) }
            try stack.context.save()
        }
        try stack.context.performAndWait { try insertTags() }
        try store.database.withOpen {
            try $0.connection.run("CREATE TABLE taken(c0)")
            try $0.connection.run(
                """
                CREATE TRIGGER takes AFTER INSERT ON ZTAG BEGIN
                INSERT INTO taken SELECT c0 FROM NSCoreDataRows4; END
                """)
        }
        stack.context.performAndWait {
            let error = thrownError { try insertTags() }
            expectContains("\(String(describing: error))", "unsafe use of virtual table")
        }
    }
}
