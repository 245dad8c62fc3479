import CoreData
import Testing

/// Two processes on one file. The child is this program again, started by the testing library.
@Suite("Two processes on one file")
struct ProcessTests {
    private static func write(_ name: String, count: Int, into path: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            for index in 0..<count {
                let author = context.make("Author", "\(name) \(index)")
                context.make("Book", "\(name) \(index)", ["author": author])
                try context.save()
                context.reset()
            }
        }
    }

    @Test("both make the store and write into it at the same time; nothing is lost")
    func writing() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite").path
        let own = Task.detached { try Self.write("parent", count: 40, into: path) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            try Self.write("child", count: 40, into: path)
        }
        try await own.value
        let stack = try TestStack(.sqlite, folder: folder)
        try on(stack.context) {
            let books = try stack.context.all("Book")
            expectEqual(Set(books.map { $0.text("name")! }).count, 80)
            expectEqual(books.count, 80)
            #expect(books.allSatisfy { $0.text("name") == $0.object("author")?.text("name") })
        }
    }

    @Test("a store that is looked at while it is open keeps its locks: another process doesn't take its log away")
    func locks() async throws {
        let folder = try TemporaryFolder()
        let stack = try TestStack(.sqlite, folder: folder)
        let context = stack.context
        try await context.perform {
            context.make("Book", "Emma")
            try context.save()
        }
        // Opening and closing the file would end the locks of the open store.
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: stack.url)
        await #expect(processExitsWith: .success) { [path = stack.url.path as String] in
            try Self.write("child", count: 1, into: path)
        }
        try await context.perform {
            context.make("Book", "Persuasion")
            try context.save()
        }
        try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Emma", "Persuasion", "child 0"]) }
    }

    @Test("what another process has changed is a conflict, and seen after a refresh")
    func conflict() async throws {
        let folder = try TemporaryFolder()
        let stack = try TestStack(.sqlite, folder: folder)
        let context = stack.context
        let id = try await context.perform {
            let book = context.make("Book", "Emma")
            try context.save()
            return (book.objectID, UnsafeSender(book))
        }
        await #expect(processExitsWith: .success) { [path = folder.file("store.sqlite").path as String] in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: nil)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try on(context) {
                try context.one("Book", "Emma").setValue("Changed", forKey: "name")
                try context.save()
            }
        }
        try on(context) {
            let book = id.1.value
            expectEqual(book.text("name"), "Emma")
            book.setValue(7, forKey: "pages")
            expectEqual(thrownError { try context.save() }?.code, 133020)
            context.refresh(book, mergeChanges: true)
            expectEqual(book.text("name"), "Changed")
            expectEqual(book.number("pages"), 7)
            try context.save()
        }
    }

    @Test("both open a store of an older model at once; it is migrated once, and both see all objects")
    func migration() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        try Self.makeOldStore(at: url)
        // The same migration by one process: each change of the schema counts up the version of the schema.
        let alone = folder.file("alone.sqlite")
        try Self.makeOldStore(at: alone)
        try expectEqual(Self.migratedNames(at: alone).count, 500)
        let own = Task.detached { try Self.migratedNames(at: url) }
        await #expect(processExitsWith: .success) { [path = url.path as String] in
            let names = try Self.migratedNames(at: URL(fileURLWithPath: path))
            guard names == Self.oldNames else { throw TestFailure("\(names.count) objects") }
        }
        try await expectEqual(own.value, Self.oldNames)
        let version = "PRAGMA schema_version"
        try expectEqual(SQLiteFile(url).rows(version), SQLiteFile(alone).rows(version))
    }

    private static let oldNames = Set((0..<500).map { "\($0)" })

    /// A store of songs, closed. The newer model has another attribute, and one of another type.
    private static func makeOldStore(at url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: songs(.integer16AttributeType))
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            for name in oldNames { context.make("Song", name, ["length": 7]) }
            try context.save()
        }
        try coordinator.remove(store)
    }

    private static func songs(_ type: NSAttributeType, _ more: [NSPropertyDescription] = []) -> NSManagedObjectModel {
        model([entity("Song", [attribute("name", .stringAttributeType), attribute("length", type)] + more)])
    }

    /// The names of the songs that have kept their length.
    private static func migratedNames(at url: URL) throws -> Set<String> {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: songs(.doubleAttributeType, [attribute("note", .stringAttributeType)]))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: LightweightMigrationTests.options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { Set(try context.names("Song", "length == 7 AND note == nil")) }
    }
}
