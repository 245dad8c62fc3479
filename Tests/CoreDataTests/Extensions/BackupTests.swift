import CoreData
import Testing

@Suite("Backups of stores in use")
struct BackupTests {
    @Test("a backup has what was saved, and replaces an older one", arguments: [StoreKind.sqlite, .binary, .xml])
    func backup(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let backup = stack.folder.file("backup.store")
        try on(stack.context) {
            for count in 1...2 {
                stack.context.make("Book", "Book \(count)")
                try stack.context.save()
                stack.context.make("Book", "unsaved")
                try stack.coordinator.backUpPersistentStore(stack.store, to: backup)
                stack.context.rollback()
                let other = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
                try other.addPersistentStore(ofType: kind.type, configurationName: nil, at: backup)
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = other
                try on(context) { try expectEqual(context.all("Book").count, count) }
            }
        }
        expectEqual(stack.coordinator.persistentStores, [stack.store])
    }

    @Test("while threads save, a backup has all of each save or nothing", .timeLimit(.minutes(TestRun.hangMinutes)))
    func consistency() async throws {
        let stack = try TestStack(.sqlite)
        let image = Data(repeating: 1, count: 1000)
        let writer = Task.detached {
            for index in 0..<60 {
                let context = stack.newContext()
                try on(context) {
                    let author = context.make("Author", "\(index)")
                    for book in 0..<5 {
                        context.make("Book", "\(index) \(book)", ["author": author, "pages": image.count])
                    }
                    try context.save()
                }
            }
        }
        for _ in 0..<20 {
            let folder = try TemporaryFolder()
            let backup = folder.file("store.sqlite")
            try stack.coordinator.backUpPersistentStore(stack.store, to: backup)
            let file = try SQLiteFile(backup)
            let books = try file.rows("SELECT COUNT(*) AS n FROM ZBOOK")[0]["n"]?.integer ?? -1
            let authors = try file.rows("SELECT COUNT(*) AS n FROM ZPERSON")[0]["n"]?.integer ?? -1
            expectEqual(books, 5 * authors)
            try expectEqual(file.rows("PRAGMA integrity_check")[0]["integrity_check"]?.text, "ok")
        }
        try await writer.value
    }

    private static func makePhotos() -> NSManagedObjectModel {
        let image = attribute("image", .binaryDataAttributeType)
        image.allowsExternalBinaryDataStorage = true
        return model([entity("Photo", [attribute("number", .integer64AttributeType), image])])
    }

    /// A value for an external file, whose bytes and length depend on the photo's number.
    private static func image(_ number: Int) -> Data { Data(repeating: UInt8(number % 251), count: 140_000 + number) }

    /// Gives photos new images, and saves.
    private static func change(_ context: NSManagedObjectContext, _ number: Int) throws {
        let photos = try context.all("Photo")
        let changed = photos.isEmpty ? (0..<4).map { _ in context.make("Photo") } : photos
        for photo in changed {
            photo.setValue(number, forKey: "number")
            photo.setValue(image(number), forKey: "image")
        }
        try context.save()
    }

    /// Checks the images in a store against the numbers in their rows, which belong to one save.
    private static func check(_ url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makePhotos())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            let photos = try context.all("Photo")
            let numbers = Set(photos.compactMap { $0.number("number").map(Int.init) })
            expectEqual(photos.count, 4)
            expectEqual(numbers.count, 1)
            for photo in photos {
                #expect(photo.value(forKey: "image") as? Data == image(Int(photo.number("number") ?? -1)))
            }
        }
    }

    private static func files(_ folder: TemporaryFolder, _ name: String) throws -> Set<String> {
        let path = folder.file(".\(name)_SUPPORT/_EXTERNAL_DATA").path
        return Set(try FileManager.default.contentsOfDirectory(atPath: path))
    }

    @Test(
        "while a thread replaces external data, each backup has the files of its rows",
        .timeLimit(.minutes(TestRun.hangMinutes)))
    func externalData() async throws {
        let stack = try TestStack(.sqlite, model: Self.makePhotos())
        let context = stack.newContext()
        try on(context) { try Self.change(context, 0) }
        let writer = Task.detached {
            var number = 0
            while !Task.isCancelled {
                number += 1
                try on(context) { try Self.change(context, number) }
            }
        }
        defer { writer.cancel() }
        for _ in 0..<TestRun.quick(15, long: 100) {
            let folder = try TemporaryFolder()
            try stack.coordinator.backUpPersistentStore(stack.store, to: folder.file("copy.sqlite"))
            try Self.check(folder.file("copy.sqlite"))
            let support = try FileManager.default.contentsOfDirectory(atPath: folder.file(".copy_SUPPORT").path)
            expectEqual(support, ["_EXTERNAL_DATA"])
            try expectEqual(Self.files(folder, "copy").count, 4)
        }
        writer.cancel()
        try await writer.value
    }

    @Test("a value whose file is lost doesn't prevent a backup")
    func lostFile() throws {
        let stack = try TestStack(.sqlite, model: Self.makePhotos())
        try on(stack.context) { try Self.change(stack.context, 1) }
        let lost = try requireValue(Self.files(stack.folder, "store").first)
        try FileManager.default.removeItem(at: stack.folder.file(".store_SUPPORT/_EXTERNAL_DATA/\(lost)"))
        try stack.coordinator.backUpPersistentStore(stack.store, to: stack.folder.file("copy.sqlite"))
        try expectEqual(Self.files(stack.folder, "copy"), Self.files(stack.folder, "store"))
    }

    @Test("a file that an ended backup has left unfinished is copied again")
    func unfinishedFile() throws {
        let stack = try TestStack(.sqlite, model: Self.makePhotos())
        try on(stack.context) { try Self.change(stack.context, 1) }
        for name in try Self.files(stack.folder, "store") {
            try stack.folder.write(Data([1, 2, 3]), to: ".copy_SUPPORT/_EXTERNAL_DATA/\(name)")
        }
        try stack.coordinator.backUpPersistentStore(stack.store, to: stack.folder.file("copy.sqlite"))
        try Self.check(stack.folder.file("copy.sqlite"))
    }

    @Test("a backup that would share the folder of external data is refused, and removes nothing")
    func sharedFolder() throws {
        let stack = try TestStack(.sqlite, model: Self.makePhotos())
        try on(stack.context) { try Self.change(stack.context, 1) }
        // A file that another process writes for a save that has not committed yet.
        try stack.folder.write(Data([1]), to: ".store_SUPPORT/_EXTERNAL_DATA/\(UUID().uuidString)")
        let before = try Self.files(stack.folder, "store")
        let error = thrownError {
            try stack.coordinator.backUpPersistentStore(stack.store, to: stack.folder.file("store.backup"))
        }
        expectEqual(error?.code, 134070)
        expectEqual(
            error?.localizedRecoverySuggestion?.contains("another name than store"), true,
            "\(String(describing: error))")
        try expectEqual(Self.files(stack.folder, "store"), before)
        try #expect(!stack.folder.contents.contains("store.backup"))
    }

    @Test("a backup isn't made over an open store of the coordinator", arguments: [StoreKind.sqlite, .binary, .xml])
    func openDestination(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let other = try stack.coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: stack.folder.file("other.store"))
        let error = thrownError {
            try stack.coordinator.backUpPersistentStore(stack.store, to: stack.folder.file("other.store"))
        }
        expectEqual(error?.code, 134080)
        expectEqual(stack.coordinator.persistentStores, [stack.store, other])
    }

    @Test("a store in memory has no backup", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func memory(_ type: String) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
        let error = thrownError { try coordinator.backUpPersistentStore(store, to: folder.file("backup.sqlite")) }
        expectEqual(error?.code, 134070)
        try expectEmpty(folder.contents)
    }
}
