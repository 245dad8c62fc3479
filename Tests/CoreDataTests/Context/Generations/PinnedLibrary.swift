import CoreData

/// A library with a context that is pinned to it, and everything in it changed afterwards by somebody else.
final class PinnedLibrary {
    /// Who changes the library.
    enum Writer: String, CaseIterable, Sendable {
        /// Another context of the coordinator, which shares connection and row cache.
        case context
        /// Another coordinator on the same file, as another process has one.
        case coordinator
    }

    let stack: TestStack
    var pinned: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try TestStack(.sqlite)
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

    /// Pins the context to what the library has now.
    func pin() throws {
        try on(pinned) {
            try pinned.setQueryGenerationFrom(.current)
            _ = try pinned.count(for: NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
        }
    }

    /// Renames, deletes, inserts and relates differently; leaves the publisher alone.
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

    /// Has SQLite move what it can from the log into the file, without waiting for anybody.
    ///
    /// - Returns: the size of the log afterwards.
    @discardableResult
    func checkpoint() throws -> Int {
        let other = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try other.remove(
            try other.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url,
                options: [NSSQLitePragmasOption: ["wal_checkpoint": "TRUNCATE"], NSPersistentStoreTimeoutOption: 0]))
        let log = try FileManager.default.attributesOfItem(atPath: stack.url.path + "-wal")
        return (log[.size] as? NSNumber)?.intValue ?? 0
    }

    /// How many times this process has opened the store's file. SQLite keeps what a closed connection has opened for
    /// the next one, as long as others use the file.
    var openFileCount: Int {
        get throws {
            let path = stack.url.resolvingSymlinksInPath().path
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
            }.count
        }
    }
}
