import CoreData
import Testing

@Suite("Replacing stores")
struct ReplacingTests {
    private let folder: TemporaryFolder
    static let kinds = [StoreKind.sqlite, .binary, .xml].filter { StoreKind.everyKind.contains($0) }

    init() throws { folder = try TemporaryFolder() }

    private static func makeModel() -> NSManagedObjectModel {
        let image = attribute("image", .binaryDataAttributeType)
        image.allowsExternalBinaryDataStorage = true
        return model([entity("Photo", [attribute("name", .stringAttributeType), image])])
    }

    private func open(
        _ name: String, _ kind: StoreKind, in coordinator: NSPersistentStoreCoordinator? = nil,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectContext {
        let coordinator = coordinator ?? NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: folder.file(name), options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Saves photos whose images are external files in a SQLite store.
    private func save(_ names: [String], _ store: String, _ kind: StoreKind, options: [AnyHashable: Any]? = nil)
        throws
    {
        let context = try open(store, kind, options: options)
        try on(context) {
            for name in names { context.make("Photo", name, ["image": Data(repeating: 7, count: 200_000)]) }
            try context.save()
        }
    }

    private func replace(
        _ destination: String, by source: String, _ kind: StoreKind, options: [AnyHashable: Any]? = nil
    )
        throws
    {
        try NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel()).replacePersistentStore(
            at: folder.file(destination), destinationOptions: options, withPersistentStoreFrom: folder.file(source),
            ofType: kind.type)
    }

    private func names(_ store: String, _ kind: StoreKind) throws -> [String] {
        let context = try open(store, kind)
        return try context.performAndWait {
            let photos = try context.all("Photo")
            #expect(photos.allSatisfy { ($0.value(forKey: "image") as? Data)?.count == 200_000 })
            return photos.map { $0.text("name") ?? "" }.sorted()
        }
    }

    private func uuid(_ store: String, _ kind: StoreKind) throws -> String? {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: kind.type, at: folder.file(store))[
            NSStoreUUIDKey] as? String
    }

    private func externalFiles(_ store: String) throws -> [String] {
        let support = folder.file(".\(store)_SUPPORT/_EXTERNAL_DATA").path
        return try FileManager.default.contentsOfDirectory(atPath: support)
    }

    // MARK: The copy

    @Test("where nothing is, the copy is a store of its own with all objects and the same UUID", arguments: kinds)
    func copy(_ kind: StoreKind) throws {
        try save(["a", "b"], "old.store", kind)
        try replace("new.store", by: "old.store", kind)
        try expectEqual(uuid("new.store", kind), uuid("old.store", kind))
        try save(["c"], "old.store", kind)
        try expectEqual(names("new.store", kind), ["a", "b"])
        try expectEqual(names("old.store", kind), ["a", "b", "c"])
    }

    @Test("an existing store has the other one's objects only, and no file of its old ones", arguments: kinds)
    func existing(_ kind: StoreKind) throws {
        try save(["a", "b"], "old.store", kind)
        try save(["c"], "new.store", kind)
        try replace("new.store", by: "old.store", kind)
        try expectEqual(names("new.store", kind), ["a", "b"])
        if kind == .sqlite { try expectEqual(Set(externalFiles("new")), Set(externalFiles("old"))) }
        try expectEqual(folder.contents.filter { $0.contains("new") && !$0.hasPrefix(".") }, ["new.store"])
    }

    @Test("a store with another page size is replaced too")
    func pageSize() throws {
        try save(["a", "b"], "old.store", .sqlite)
        do {
            let file = try SQLiteFile(creating: folder.file("new.store"))
            for statement in [
                "PRAGMA page_size = 8192", "PRAGMA journal_mode = WAL", "CREATE TABLE Z_METADATA (Z_UUID)",
            ] { try file.run(statement) }
        }
        try replace("new.store", by: "old.store", .sqlite)
        try expectEqual(names("new.store", .sqlite), ["a", "b"])
        try expectEqual(folder.contents.filter { $0.contains("new") && !$0.hasPrefix(".") }, ["new.store"])
    }

    @Test("a damaged store is replaced", arguments: [200, 4096, 5000])
    func damaged(length: Int) throws {
        try save(["a"], "old.store", .sqlite)
        try save(["b"], "new.store", .sqlite)
        var contents = try Data(contentsOf: folder.file("new.store"))
        contents.removeLast(contents.count - length)
        for index in 100..<length { contents[index] = 0xA5 }
        try contents.write(to: folder.file("new.store"))
        try replace("new.store", by: "old.store", .sqlite)
        try expectEqual(names("new.store", .sqlite), ["a"])
    }

    @Test("the history comes with the copy")
    func history() throws {
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
        try save(["a"], "old.store", .sqlite, options: options)
        try replace("new.store", by: "old.store", .sqlite)
        let context = try open("new.store", .sqlite, options: options)
        try on(context) {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try requireValue(try context.execute(request) as? NSPersistentHistoryResult)
            expectEqual((result.result as? [NSPersistentHistoryTransaction])?.count, 1)
        }
    }

    // MARK: Stores in use

    @Test("a store of the coordinator leaves it, and can be added again", arguments: kinds)
    func own(_ kind: StoreKind) throws {
        try save(["a"], "old.store", kind)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        _ = try open("new.store", kind, in: coordinator)
        try coordinator.replacePersistentStore(
            at: folder.file("new.store"), withPersistentStoreFrom: folder.file("old.store"), ofType: kind.type)
        expectEmpty(coordinator.persistentStores)
        let context = try open("new.store", kind, in: coordinator)
        try on(context) { try expectEqual(context.names("Photo"), ["a"]) }
    }

    @Test("a coordinator that has the replaced store open can't save into the new one", arguments: kinds)
    func openElsewhere(_ kind: StoreKind) throws {
        try save(["a"], "old.store", kind)
        let context = try open("new.store", kind)
        try on(context) {
            context.make("Photo", "mine")
            try replace("new.store", by: "old.store", kind)
            let error = try requireValue(thrownError { try context.save() })
            expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
            expectEqual(error.code, (kind == .sqlite ? 134070 : 134030), "\(error)")
            #expect(error.userInfo[NSFilePathErrorKey] as? String == folder.file("new.store").path)
        }
        try expectEqual(names("new.store", kind), ["a"])
    }

    @Test("the source may be open; what it has not saved stays out of the copy", arguments: kinds)
    func openSource(_ kind: StoreKind) throws {
        let context = try open("old.store", kind)
        try on(context) {
            context.make("Photo", "saved", ["image": Data(repeating: 7, count: 200_000)])
            try context.save()
            context.make("Photo", "unsaved")
            try replace("new.store", by: "old.store", kind)
            try context.save()
        }
        try expectEqual(names("new.store", kind), ["saved"])
    }

    // MARK: Refusals

    private func expectRefusal(_ code: Int, _ body: () throws -> Void) throws {
        let error = try requireValue(thrownError { try body() })
        expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
        expectEqual(error.code, code, "\(error)")
        #expect(error.userInfo[NSFilePathErrorKey] as? String != nil, "\(error)")
    }

    @Test("a missing source leaves the destination as it is", arguments: kinds)
    func missingSource(_ kind: StoreKind) throws {
        try save(["a"], "new.store", kind)
        try expectRefusal(260) { try replace("new.store", by: "old.store", kind) }
        try expectEqual(names("new.store", kind), ["a"])
    }

    @Test("a source or destination that is no store is refused", arguments: kinds)
    func noStore(_ kind: StoreKind) throws {
        try save(["a"], "new.store", kind)
        try Data("This is no store.".utf8).write(to: folder.file("letter.txt"))
        try expectRefusal(259) { try replace("new.store", by: "letter.txt", kind) }
        try expectRefusal(259) { try replace("letter.txt", by: "new.store", kind) }
        try expectEqual(names("new.store", kind), ["a"])
        try expectEqual(Data(contentsOf: folder.file("letter.txt")), Data("This is no store.".utf8))
    }

    @Test("a missing folder is refused", arguments: kinds)
    func missingFolder(_ kind: StoreKind) throws {
        try save(["a"], "old.store", kind)
        try expectRefusal(4) { try replace("missing/new.store", by: "old.store", kind) }
    }

    @Test("options that call the destination read-only are obeyed", arguments: kinds)
    func readOnly(_ kind: StoreKind) throws {
        try save(["a"], "old.store", kind)
        try save(["b"], "new.store", kind)
        try expectRefusal(513) {
            try replace(
                "new.store", by: "old.store", kind,
                options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        }
        try expectEqual(names("new.store", kind), ["b"])
    }

    @Test("a store is not replaced by itself", arguments: kinds)
    func itself(_ kind: StoreKind) throws {
        try save(["a"], "old.store", kind)
        try FileManager.default.createSymbolicLink(
            at: folder.file("link.store"), withDestinationURL: folder.file("old.store"))
        try expectRefusal(134070) { try replace("link.store", by: "old.store", kind) }
        try expectEqual(names("old.store", kind), ["a"])
    }

    @Test("a locked destination is waited for as long as the options say", .timeLimit(.minutes(TestRun.hangMinutes)))
    func locked() throws {
        try save(["a"], "old.store", .sqlite)
        try save(["b"], "new.store", .sqlite)
        let other = try SQLiteFile(creating: folder.file("new.store"))
        try other.run("BEGIN IMMEDIATE")
        try expectRefusal(134090) {
            try replace(
                "new.store", by: "old.store", .sqlite,
                options: [NSPersistentStoreTimeoutOption: NSNumber(value: 0.05)])
        }
        try other.run("ROLLBACK")
        try expectEqual(names("new.store", .sqlite), ["b"])
        try expectEqual(externalFiles("new").count, 1)
    }

    @Test("a store in memory can't be copied")
    func memory() throws {
        let error = thrownError { try replace("new", by: "old", .memory) }
        expectEqual(error?.code, 134070)
    }
}
