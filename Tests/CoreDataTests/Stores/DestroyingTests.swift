import CoreData
import Testing

@Suite("Destroying stores")
struct DestroyingTests {
    private let folder: TemporaryFolder
    private let model = LibraryModel.make()

    init() throws { folder = try TemporaryFolder() }

    private var coordinator: NSPersistentStoreCoordinator { NSPersistentStoreCoordinator(managedObjectModel: model) }

    private func destroy(_ url: URL, options: [AnyHashable: Any]? = nil) throws {
        try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: options)
    }

    /// Makes a store with one book, closed again.
    private func makeStore() throws -> URL {
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        try on(stack.context) {
            stack.context.make("Book", "Emma")
            try stack.context.save()
        }
        return stack.url
    }

    @Test("the files of the log stay, empty: programs delete them together with the store's")
    func logFiles() throws {
        let url = try makeStore()
        try destroy(url)
        for end in ["", "-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: url.path + end)
        }
        expectEmpty(try folder.contents)
    }

    @Test("a coordinator without a model destroys a store")
    func withoutModel() throws {
        let url = try makeStore()
        try NSPersistentStoreCoordinator().destroyPersistentStore(at: url, type: .sqlite)
        expectEmpty(try SQLiteFile(url).tables())
    }

    // MARK: What is no store

    private func expectRefusal(_ url: URL, code: Int) throws {
        let error = try requireValue(thrownError { try destroy(url) })
        expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
        expectEqual(error.code, code, "\(error)")
        #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
        expectEqual(error.localizedFailureReason?.isEmpty, false)
    }

    @Test("a folder is refused with its contents untouched")
    func folderURL() throws {
        let url = folder.file("documents")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data("text".utf8).write(to: url.appendingPathComponent("letter.txt"))
        try expectRefusal(url, code: CocoaError.Code.fileReadUnknown.rawValue)
        try expectEqual(Data(contentsOf: url.appendingPathComponent("letter.txt")), Data("text".utf8))
    }

    @Test("a node that is no file is refused and stays")
    func pipe() throws {
        let url = folder.file("pipe")
        try #require(mkfifo(url.path, 0o600) == 0)
        try expectRefusal(url, code: CocoaError.Code.fileReadUnknown.rawValue)
        try expectEqual(folder.contents, ["pipe"])
    }

    @Test("a file of another kind is refused and keeps its contents, and so do its neighbours")
    func textFile() throws {
        let url = folder.file("letter.txt")
        try Data("This is no database.".utf8).write(to: url)
        let neighbour = folder.file("letter.txt-wal")
        try Data("neighbour".utf8).write(to: neighbour)
        try expectRefusal(url, code: CocoaError.Code.fileReadCorruptFile.rawValue)
        try expectEqual(Data(contentsOf: url), Data("This is no database.".utf8))
        try expectEqual(Data(contentsOf: neighbour), Data("neighbour".utf8))
    }

    @Test("a database that Core Data has not made is refused and keeps its rows")
    func foreignDatabase() throws {
        let url = folder.file("foreign.sqlite")
        let database = try SQLiteFile(creating: url)
        try database.run("CREATE TABLE note (text TEXT)")
        try database.run("INSERT INTO note VALUES ('kept')")
        try expectRefusal(url, code: CocoaError.Code.fileReadCorruptFile.rawValue)
        try expectEqual(database.rows("SELECT text FROM note"), [["text": .text("kept")]])
    }

    @Test("a URL that names nothing names an empty store afterwards, whose file can be deleted")
    func missing() throws {
        let url = folder.file("missing.sqlite")
        try destroy(url)
        try expectEqual(folder.contents, ["missing.sqlite"])
        let stack = NSPersistentStoreCoordinator(managedObjectModel: model)
        try stack.remove(try stack.addPersistentStore(type: .sqlite, at: url))
        try destroy(url)
        try FileManager.default.removeItem(at: url)
    }

    @Test("a URL in a missing folder, or of a read-only store that is missing, is no error, and nothing is made")
    func missingFolder() throws {
        try destroy(folder.file("missing/missing.sqlite"))
        try destroy(folder.file("missing.sqlite"), options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        expectEmpty(try folder.contents)
    }

    @Test("a store in memory has nothing to destroy")
    func memory() throws {
        let stack = try TestStack(.memory, model: model, folder: folder)
        try stack.coordinator.destroyPersistentStore(at: stack.url, type: .inMemory)
        expectEqual(stack.coordinator.persistentStores, [stack.store])
        expectEmpty(try folder.contents)
    }

    @Test("an unknown store type is refused")
    func unknownType() throws {
        let url = try makeStore()
        let error = thrownError { try coordinator.destroyPersistentStore(at: url, ofType: "Papyrus") }
        expectEqual(error?.code, 134000)
    }

    // MARK: Stores

    @Test("the file remains as an empty database, with an empty log, and can be deleted")
    func emptied() throws {
        let url = try makeStore()
        try destroy(url)
        try expectEqual(folder.contents, ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
        expectEmpty(try Data(contentsOf: folder.file("store.sqlite-wal")))
        expectEmpty(try SQLiteFile(url).tables())
        try FileManager.default.removeItem(at: url)
        expectFalse(FileManager.default.fileExists(atPath: url.path))
    }

    @Test("the folder of external data is removed")
    func externalData() throws {
        let item = entity("Item", [attribute("data", .binaryDataAttributeType)])
        item.attributesByName["data"]?.allowsExternalBinaryDataStorage = true
        let stack = try TestStack(.sqlite, model: CoreDataTestSupport.model([item]), folder: folder)
        try on(stack.context) {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Item", into: stack.context)
            object.setValue(Data(count: 1_000_000), forKey: "data")
            try stack.context.save()
        }
        expectContains(try folder.contents, ".store_SUPPORT")
        try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        try expectEqual(folder.contents, ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
    }

    @Test("a damaged store can be destroyed and made anew", arguments: [200, 4096, 5000])
    func damaged(length: Int) throws {
        let url = try makeStore()
        var contents = try Data(contentsOf: url)
        contents.removeLast(contents.count - length)
        for index in 100..<length { contents[index] = 0xA5 }
        try contents.write(to: url)
        try destroy(url)
        expectEmpty(try SQLiteFile(url).tables())
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        try on(stack.context) { try expectEmpty(stack.context.all("Book")) }
    }

    @Test("a store leaves the coordinator that destroys it, with its notifications")
    func leaving() throws {
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        let log = NotificationSequence([])
        log.observe(.NSPersistentStoreCoordinatorWillRemoveStore, stack.store) { _ in "willRemove" }
        log.observe(.NSPersistentStoreCoordinatorStoresDidChange, stack.coordinator) { notification in
            "removed \((notification.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore])?.count ?? 0)"
        }
        try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
        expectEqual(log.take(), ["willRemove", "removed 1"])
        expectEmpty(stack.coordinator.persistentStores)
        expectEqual(stack.store.persistentStoreCoordinator, nil)
    }

    @Test("a store that is added again is a new one: no rows, another UUID, keys from 1")
    func addedAgain() throws {
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        try on(stack.context) {
            stack.context.make("Book", "Emma")
            try stack.context.save()
            stack.context.reset()
            try stack.coordinator.destroyPersistentStore(at: stack.url, type: .sqlite)
            let store = try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.url)
            expectEqual(stack.coordinator.persistentStores, [store])
            #expect(store.identifier != stack.store.identifier)
            try expectEmpty(stack.context.all("Book"))
            let book = stack.context.make("Book", "Persuasion")
            try stack.context.save()
            expectEqual(book.objectID.uriRepresentation().lastPathComponent, "p1")
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Persuasion"]) }
        }
    }

    @Test("a store that another coordinator has open loses nothing silently: its saves throw and name the file")
    func openElsewhere() throws {
        let url = try makeStore()
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        try on(stack.context) {
            let book = try stack.context.one("Book", "Emma")
            expectEqual(book.text("name"), "Emma")
            try destroy(url)
            expectEqual(stack.coordinator.persistentStores, [stack.store])
            book.setValue("Changed", forKey: "name")
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
            expectEqual(error.code, 134070, "\(error)")
            #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
            expectTrue(book.hasChanges)
            #expect(thrownError { _ = try stack.context.all("Book") } != nil)
            // The coordinator begins anew when the store is removed and added.
            try stack.coordinator.remove(stack.store)
            _ = try stack.coordinator.addPersistentStore(type: .sqlite, at: url)
            stack.context.reset()
            stack.context.make("Book", "Persuasion")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Persuasion"]) }
        }
    }

    @Test("a store that is open elsewhere under a symbolic link is found")
    func linked() throws {
        let url = try makeStore()
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        try destroy(link)
        try on(stack.context) {
            stack.context.make("Book", "Persuasion")
            expectEqual(thrownError { try stack.context.save() }?.code, 134070)
        }
    }

    @Test("a pinned query generation of a destroyed store throws")
    func pinned() throws {
        let url = try makeStore()
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        try on(stack.context) {
            try stack.context.setQueryGenerationFrom(.current)
            try expectEqual(stack.context.names("Book"), ["Emma"])
            try destroy(url)
            expectEqual(thrownError { _ = try stack.context.all("Book") }?.code, 134070)
        }
        expectEmpty(try SQLiteFile(url).tables())
    }

    @Test(
        "a locked store is waited for as long as the options say, and stays as it is",
        .timeLimit(.minutes(TestRun.hangMinutes)))
    func locked() throws {
        let url = try makeStore()
        let other = try SQLiteFile(creating: url)
        try other.run("BEGIN IMMEDIATE")
        let error = try requireValue(
            thrownError { try destroy(url, options: [NSPersistentStoreTimeoutOption: 0.05]) })
        expectEqual(error.code, 134090, "\(error)")
        try other.run("ROLLBACK")
        expectContains(try other.tables(), "ZBOOK")
    }

    @Test("options that say read-only are obeyed")
    func readOnly() throws {
        let url = try makeStore()
        let error = thrownError { try destroy(url, options: [NSReadOnlyPersistentStoreOption: true]) }
        expectEqual(error?.code, CocoaError.Code.fileWriteNoPermission.rawValue)
        expectContains(try SQLiteFile(url).tables(), "ZBOOK")
    }
}
