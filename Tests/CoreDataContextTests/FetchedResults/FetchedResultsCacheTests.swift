import CoreData
import Testing

/// A book that counts the reads of its section name.
final class SectionCountingBook: NSManagedObject {
    nonisolated(unsafe) static var readCounts: [String: Int] = [:]
    static let lock = NSLock()

    override func value(forKey key: String) -> Any? {
        if key == "kind", let store = objectID.persistentStore?.identifier {
            Self.lock.withLock { Self.readCounts[store, default: 0] += 1 }
        }
        return super.value(forKey: key)
    }
}

@Suite("Fetched results: the section cache")
struct FetchedResultsCacheTests {
    private static func makeModel() -> NSManagedObjectModel {
        let model = ShopModel.make()
        model.entitiesByName["Book"]?.managedObjectClassName = NSStringFromClass(SectionCountingBook.self)
        model.entitiesByName["Novel"]?.managedObjectClassName = NSStringFromClass(SectionCountingBook.self)
        return model
    }

    /// A closed store with books that was not written for an hour, and a name for its cache.
    private func withClosedStore(_ body: (TemporaryFolder, String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let name = "books/\(UUID().uuidString)"
        defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
        try open(folder, old: false) { context in
            context.makeBooks("essay/a", "novel/b", "essay/c")
            try context.save()
        }
        try body(folder, name)
    }

    /// Opens the store as another run of the program would.
    private func open(_ folder: TemporaryFolder, old: Bool = true, _ body: (NSManagedObjectContext) throws -> Void)
        throws
    {
        if old {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: folder.file("store.sqlite").path)
        }
        let stack = try TestStack(.sqlite, model: Self.makeModel(), folder: folder)
        try stack.context.performAndWait { try body(stack.context) }
        stack.context.performAndWait { stack.context.reset() }
        try stack.coordinator.remove(stack.store)
    }

    private func consumeReadCount(_ context: NSManagedObjectContext) -> Int {
        let store = context.persistentStoreCoordinator?.persistentStores.first?.identifier ?? ""
        return SectionCountingBook.lock.withLock { SectionCountingBook.readCounts.removeValue(forKey: store) ?? 0 }
    }

    /// The number of section names that the fetch has read.
    private func fetch(
        _ context: NSManagedObjectContext, _ name: String?, sections: String = "essay: a c, novel: b",
        where format: String? = nil
    ) throws -> Int {
        let controller = context.books(by: "kind", "name", sections: "kind", where: format, cache: name)
        _ = consumeReadCount(context)
        try controller.performFetch()
        defer { expectEqual(controller.outline, sections) }
        return consumeReadCount(context)
    }

    @Test("saves the reading of section names, in a later run too")
    func hit() throws {
        try withClosedStore { folder, name in
            try open(folder) { context in
                try expectEqual(fetch(context, name), 3)
                try expectEqual(fetch(context, name), 0)
            }
            let modified =
                try FileManager.default.attributesOfItem(atPath: folder.file("store.sqlite").path)[.modificationDate]
                as! Date
            try open(folder, old: false) { try expectEqual(fetch($0, name), 0) }
            // A file with another modification date has other contents.
            try FileManager.default.setAttributes(
                [.modificationDate: modified.addingTimeInterval(1)], ofItemAtPath: folder.file("store.sqlite").path)
            try open(folder, old: false) { try expectEqual(fetch($0, name), 3) }
        }
    }

    @Test("is not used after its deletion, or without a name")
    func deleted() throws {
        try withClosedStore { folder, name in
            try open(folder) { context in
                try expectEqual(fetch(context, name), 3)
                try expectEqual(fetch(context, nil), 3)
                NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name)
                NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name)
                try expectEqual(fetch(context, name), 3)
            }
        }
    }

    @Test("is used for one request only")
    func otherRequest() throws {
        try withClosedStore { folder, name in
            try open(folder) { context in
                try expectEqual(fetch(context, name, where: "name < 'd'"), 3)
                try expectEqual(fetch(context, name, where: "name < 'e'"), 3)
                try expectEqual(fetch(context, name, where: "name < 'e'"), 0)
                // The result of a function can change from call to call.
                try expectEqual(fetch(context, name, where: "name < lowercase('D')"), 3)
                try expectEqual(fetch(context, name, where: "name < lowercase('D')"), 3)
            }
        }
    }

    @Test("is invalid after a save of any context")
    func saved() throws {
        try withClosedStore { folder, name in
            try open(folder) { context in
                try expectEqual(fetch(context, name), 3)
                let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                other.persistentStoreCoordinator = context.persistentStoreCoordinator
                try on(other) {
                    try other.one("Book", "a").setValue("fable", forKey: "kind")
                    try other.save()
                }
                context.refreshAllObjects()
                try expectEqual(fetch(context, name, sections: "essay: c, fable: a, novel: b"), 3)
            }
        }
    }

    @Test("is not used while the context has unsaved changes")
    func unsaved() throws {
        try withClosedStore { folder, name in
            try open(folder) { context in
                let book = try context.one("Book", "c")
                book.setValue("novel", forKey: "kind")
                try #expect(fetch(context, name, sections: "essay: a, novel: b c") > 0)
                context.rollback()
                try expectEqual(fetch(context, name), 3)
                book.setValue("novel", forKey: "kind")
                try #expect(fetch(context, name, sections: "essay: a, novel: b c") > 0)
            }
        }
    }

    @Test("is written again if its file is damaged")
    func damaged() throws {
        try withClosedStore { folder, name in
            try open(folder) { context in
                try expectEqual(fetch(context, name), 3)
                let caches = try requireValue(
                    FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
                let own = caches.appendingPathComponent(ProcessInfo.processInfo.processName).appendingPathComponent(
                    "CoreDataSectionCaches")
                let token = name.dropFirst(6).replacingOccurrences(of: "-", with: "_2d")
                let files = try FileManager.default.contentsOfDirectory(at: own, includingPropertiesForKeys: nil)
                let file = try requireValue(files.first { $0.lastPathComponent.contains(token) })
                let whole = try String(contentsOf: file, encoding: .utf8)
                for damage in [
                    whole.replacingOccurrences(of: "\"count\":2", with: "\"count\":-2"),
                    whole.replacingOccurrences(of: "\"count\":1", with: "\"count\":9223372036854775807"),
                    String(whole.dropLast(9)), "",
                ] {
                    #expect(damage != whole)
                    try damage.write(to: file, atomically: true, encoding: .utf8)
                    try expectEqual(fetch(context, name), 3)
                    try expectEqual(fetch(context, name), 0)
                }
            }
        }
    }
}
