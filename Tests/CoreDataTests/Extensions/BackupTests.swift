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
                try on(context) { try #expect(context.all("Book").count == count) }
            }
        }
        #expect(stack.coordinator.persistentStores == [stack.store])
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
            #expect(books == 5 * authors)
            #expect(try file.rows("PRAGMA integrity_check")[0]["integrity_check"]?.text == "ok")
        }
        try await writer.value
    }

    @Test("a store in memory has no backup", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func memory(_ type: String) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
        let error = thrownError { try coordinator.backUpPersistentStore(store, to: folder.file("backup.sqlite")) }
        #expect(error?.code == 134070)
        try #expect(folder.contents.isEmpty)
    }
}
