import CoreData
import Testing

@Suite("Stores that can't be opened or written")
struct BadInputTests {
    private func open(_ url: URL, model: NSManagedObjectModel = LibraryModel.make(), options: [AnyHashable: Any]? = nil)
        throws
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    }

    /// The error has Apple's domain and names the file.
    private func expectNamed(
        _ error: NSError?, _ url: URL, code: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.domain == NSCocoaErrorDomain, sourceLocation: sourceLocation)
        if let code { #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation) }
        let said = "\(error?.userInfo[NSFilePathErrorKey] ?? "") \(error?.localizedDescription ?? "")"
        #expect(said.contains(url.lastPathComponent), "\(said)", sourceLocation: sourceLocation)
    }

    @Test("a missing folder: error 4, and it is not made")
    func missingFolder() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("missing/store.sqlite")
        expectNamed(thrownError { try open(url) }, url, code: 4)
        try expectEmpty(folder.contents)
    }

    @Test("a missing file, read-only: error 260, and it is not made")
    func missingFile() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        expectNamed(thrownError { try open(url, options: [NSReadOnlyPersistentStoreOption: true]) }, url, code: 260)
        expectNamed(
            thrownError {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: NSSQLiteStoreType, at: url, options: nil)
            }, url)
        try expectEmpty(folder.contents)
    }

    @Test("a folder in the file's place")
    func folder() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        expectNamed(thrownError { try open(url) }, url)
    }

    @Test("an empty file becomes a store")
    func empty() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        try Data().write(to: url)
        try open(url)
        try expectTrue(Data(contentsOf: url).starts(with: Data("SQLite format 3".utf8)))
        try open(url)
    }

    @Test("a text file: error 259, and it is left as it is")
    func text() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        let text = Data("Dear diary, this is no database at all.".utf8)
        try text.write(to: url)
        expectNamed(thrownError { try open(url) }, url, code: 259)
        try expectEqual(Data(contentsOf: url), text)
        try expectEqual(folder.contents, ["store.sqlite"])
    }

    @Test("a store of another model: error 134100 with Apple's sentence, nothing written")
    func otherModel() throws {
        let folder = try TemporaryFolder()
        do {
            let stack = try TestStack(.sqlite, folder: folder)
            try on(stack.context) {
                stack.context.make("Book", "A")
                try stack.context.save()
            }
        }
        let url = folder.file("store.sqlite")
        let before = try Data(contentsOf: url)
        let error = try requireValue(thrownError { try open(url, model: ValidationModel.make()) })
        expectNamed(error, url, code: 134100)
        let said = "\(error.localizedDescription) \(error.userInfo["reason"] ?? "")"
        expectContains(said, "The model used to open the store is incompatible with the one used to create the store")
        #expect(error.userInfo["metadata"] is [String: Any])
        try expectEqual(Data(contentsOf: url), before)
        try open(url)
    }

    @Test(
        "a row with an entity number that the model doesn't have: error 259, whatever the number is",
        arguments: [0, 77, Int64.max, Int64.min])
    func entityNumber(_ number: Int64) throws {
        let stack = try TestStack(.sqlite)
        try on(stack.context) {
            stack.context.make("Book", "a")
            stack.context.make("Novel", "b")
            try stack.context.save()
        }
        try SQLiteFile(creating: stack.url).run("UPDATE ZBOOK SET Z_ENT = \(number)")
        let context = try stack.afresh()
        try on(context) {
            expectNamed(thrownError { _ = try context.all("Book") }, stack.url, code: 259)
        }
    }

    @Test("an unknown store type: error 134000")
    func unknownType() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let error = thrownError {
            _ = try coordinator.addPersistentStore(
                ofType: "Punched cards", configurationName: nil, at: URL(fileURLWithPath: "/tmp/x"), options: nil)
        }
        expectEqual(error?.domain, NSCocoaErrorDomain)
        expectEqual(error?.code, 134000)
    }

    @Test("a URL that is no file")
    func noFile() throws {
        let url = try requireValue(URL(string: "https://example.org/store.sqlite"))
        expectEqual(thrownError { try open(url) }?.domain, NSCocoaErrorDomain)
    }

    @Test("a folder that may not be written: an error, and nothing is made", .enabled(if: getuid() != 0))
    func readOnlyFolder() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        let url = folder.file("store.sqlite")
        expectNamed(thrownError { try open(url) }, url, code: 513)
        try expectEmpty(folder.contents)
    }

    @Test("a full disk: error 640, nothing written, and the save succeeds once there is room")
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        do { _ = try TestStack(.sqlite, folder: folder) }
        let stack = try TestStack(.sqlite, folder: folder, options: [NSSQLitePragmasOption: ["max_page_count": "100"]])
        try on(stack.context) {
            let books = (0..<3000).map {
                stack.context.make("Book", "A book with a rather long name, number \($0), to fill pages quickly")
            }
            let error = try requireValue(thrownError { try stack.context.save() })
            expectNamed(error, stack.url, code: 640)
            #expect(books.allSatisfy { $0.isInserted && $0.objectID.isTemporaryID })
            try inFreshContext(stack) { try expectEmpty($0.all("Book")) }
            for book in books.dropFirst(10) { stack.context.delete(book) }
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.all("Book").count, 10) }
        }
    }

    @Test(
        "a store cut short or with flipped bits gives errors or values, but never crashes",
        arguments: [UInt64(1), 2, 3, 4])
    func damaged(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let model = LibraryModel.make()
        do {
            let stack = try TestStack(
                .sqlite, model: model, folder: folder, options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
            try on(stack.context) {
                let author = stack.context.make("Author", "Jane")
                for index in 0..<200 {
                    let book = stack.context.make("Book", "\(index)", ["author": author])
                    book.mutableSetValue(forKey: "tags").add(stack.context.make("Tag", "t\(index)"))
                    stack.context.make("Chapter", "c\(index)", ["book": book])
                }
                try stack.context.save()
            }
        }
        let whole = try Data(contentsOf: folder.file("store.sqlite"))
        for round in 0..<TestRun.quick(12, long: 40) {
            var bytes = whole
            if round % 4 == 0 {
                bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator))
            } else {
                for _ in 0..<Int.random(in: 1...30, using: &generator) {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
                }
            }
            let url = folder.file("damaged\(round).sqlite")
            try bytes.write(to: url)
            do {
                try exercise(url, model)
            } catch {
                expectEqual((error as NSError).domain, NSCocoaErrorDomain, "seed \(seed), round \(round): \(error)")
            }
        }
    }

    /// Reads everything that can be read, and changes something.
    private func exercise(_ url: URL, _ model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            for book in try context.all("Book") {
                _ = (
                    book.text("name"), book.number("pages"), book.object("author")?.text("name"), book.names("tags"),
                    book.names("chapters")
                )
            }
            for author in try context.all("Author") { _ = author.names("books") }
            try context.all("Book").first?.setValue("changed", forKey: "name")
            context.make("Book", "new")
            try context.save()
        }
    }
}
