import CoreData

/// A library with a pinned context. Another context changes everything after the pin.
final class PinnedLibrary {
    /// The context that changes the library.
    enum Writer: String, CaseIterable, Sendable {
        /// Another context of the same coordinator. It shares the connection and the row cache.
        case context
        /// A context of another coordinator with the same file, as in another process.
        case coordinator
    }

    let stack: TestStack
    var pinned: NSManagedObjectContext { stack.context }

    init(_ kind: StoreKind = .tables) throws {
        stack = try TestStack(kind)
        let other = stack.newContext()
        try on(other) {
            let jane = other.make("Author", "Jane", ["age": 20])
            let emma = other.make("Book", "Emma", ["author": jane, "pages": 300, "cover": other.make("Cover", "red")])
            other.make("Book", "Persuasion", ["author": jane, "pages": 200])
            emma.setValue(NSOrderedSet(array: ["one", "two"].map { other.make("Chapter", $0) }), forKey: "chapters")
            emma.setValue(NSSet(array: [other.make("Tag", "old")]), forKey: "tags")
            other.make("Publisher", "Murray")
            try other.save()
        }
    }

    /// Pins the context to the current generation.
    func pin() throws {
        try on(pinned) {
            try pinned.setQueryGenerationFrom(.current)
            _ = try pinned.count(for: NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
        }
    }

    /// Renames, deletes and inserts objects and changes relationships, except the publisher's.
    func change(_ writer: Writer) throws {
        let context = writer == .context ? stack.newContext() : try stack.afresh()
        try on(context) {
            let jane = try context.one("Author", "Jane")
            let emma = try context.one("Book", "Emma")
            jane.setValue("Austen", forKey: "name")
            emma.setValue(999, forKey: "pages")
            try context.one("Cover", "red").setValue("blue", forKey: "name")
            context.delete(try context.one("Book", "Persuasion"))
            context.make("Book", "Lady Susan", ["author": jane])
            context.delete(try context.one("Chapter", "one"))
            emma.mutableOrderedSetValue(forKey: "chapters").insert(context.make("Chapter", "three"), at: 0)
            emma.setValue(NSSet(array: [context.make("Tag", "new")]), forKey: "tags")
            try context.save()
        }
        try checkpoint()
    }

    /// Runs a checkpoint that truncates the log as far as possible without waiting for readers.
    ///
    /// - Returns: the size of the log afterwards.
    @discardableResult
    func checkpoint() throws -> Int {
        // Only a file has a log.
        guard stack.kind == .sqlite else { return 0 }
        let other = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try other.remove(
            try other.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url,
                options: [NSSQLitePragmasOption: ["wal_checkpoint": "TRUNCATE"], NSPersistentStoreTimeoutOption: 0]))
        let log = try FileManager.default.attributesOfItem(atPath: stack.url.path + "-wal")
        return (log[.size] as? NSNumber)?.intValue ?? 0
    }

    /// The number of file descriptors that this process has opened for the store's file. SQLite reuses the descriptors
    /// of a closed connection while other connections use the file.
    var openFileCount: Int {
        var file = stat()
        var other = stat()
        guard stat(stack.url.path, &file) == 0 else { return 0 }
        return (0..<4096).count {
            fstat($0, &other) == 0 && other.st_dev == file.st_dev && other.st_ino == file.st_ino
        }
    }
}
