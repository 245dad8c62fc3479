import CoreData
import Testing

/// Stores whose files other programs delete or replace while a coordinator has them open.
@Suite("Files that other programs take away")
struct ForeignFileChangeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    enum Change: String, CaseIterable, Sendable {
        case deleted, moved, otherFile, emptied, otherStore

        /// A word of the error's reason.
        var reason: String {
            switch self {
            case .deleted, .moved: "deleted or moved"
            case .otherFile: "Another file"
            case .emptied: "destroyed"
            case .otherStore: "replaced"
            }
        }
    }

    private func makeOtherStore() throws -> URL {
        let url = folder.file("other.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        try coordinator.remove(store)
        return url
    }

    private func make(_ change: Change, _ url: URL) throws {
        let files = FileManager.default
        switch change {
        case .deleted: for name in ["", "-wal", "-shm"] { try? files.removeItem(atPath: url.path + name) }
        case .moved: try files.moveItem(at: url, to: folder.file("moved.sqlite"))
        case .otherFile:
            let other = try makeOtherStore()
            for name in ["", "-wal", "-shm"] { try? files.removeItem(atPath: url.path + name) }
            try files.moveItem(at: other, to: url)
        case .emptied: try SQLiteFile(creating: url).run("DROP TABLE Z_METADATA")
        case .otherStore: try SQLiteFile(creating: url).run("UPDATE Z_METADATA SET Z_UUID = '0C4E'")
        }
    }

    private func check(_ error: NSError?, _ change: Change, _ url: URL) throws {
        let error = try requireValue(error)
        expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
        expectEqual(error.code, 134070, "\(error)")
        #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
        expectEqual(error.localizedFailureReason?.contains(change.reason), true, "\(error)")
    }

    @Test("the next save throws, and so does each one after it", arguments: Change.allCases)
    func saving(_ change: Change) throws {
        let stack = try TestStack(.sqlite, folder: folder)
        try on(stack.context) {
            stack.context.make("Book", "Emma")
            try stack.context.save()
            try make(change, stack.url)
            stack.context.make("Book", "Persuasion")
            try check(thrownError { try stack.context.save() }, change, stack.url)
            try check(thrownError { try stack.context.save() }, change, stack.url)
            expectEqual(stack.context.insertedObjects.count, 1)
        }
    }

    @Test("the next fetch throws", arguments: Change.allCases)
    func fetching(_ change: Change) throws {
        let stack = try TestStack(.sqlite, folder: folder)
        try on(stack.context) {
            stack.context.make("Book", "Emma")
            try stack.context.save()
            try make(change, stack.url)
            try check(thrownError { _ = try stack.context.all("Book") }, change, stack.url)
        }
    }

    @Test("what has taken the place of the file is not written, and can be opened instead")
    func again() throws {
        let stack = try TestStack(.sqlite, folder: folder)
        try on(stack.context) {
            stack.context.make("Book", "Emma")
            try stack.context.save()
            try make(.otherFile, stack.url)
            stack.context.make("Book", "Persuasion")
            #expect(throws: (any Error).self) { try stack.context.save() }
        }
        try stack.coordinator.remove(stack.store)
        try inFreshContext(stack) { context in
            try expectEmpty(context.all("Book"))
            context.make("Book", "Sanditon")
            try context.save()
        }
        try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Sanditon"]) }
    }

    @Test("writes of others that keep the store are no error")
    func otherWrites() throws {
        let stack = try TestStack(.sqlite, folder: folder)
        try on(stack.context) {
            stack.context.make("Book", "Emma")
            try stack.context.save()
            let other = try SQLiteFile(creating: stack.url)
            for statement in ["UPDATE ZBOOK SET ZNAME = 'Changed'", "VACUUM", "ANALYZE"] {
                try other.run(statement)
                stack.context.reset()
                try expectEqual(stack.context.names("Book"), ["Changed"])
            }
        }
    }

    @Test("a file that others keep locked is removed with NSPersistentStoreForceDestroyOption, and only with it")
    func forced() throws {
        let url = try makeOtherStore()
        let other = try SQLiteFile(creating: url)
        try other.run("BEGIN EXCLUSIVE")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let timeout = NSNumber(value: 0.05)
        let error = thrownError {
            try coordinator.destroyPersistentStore(
                at: url, type: .sqlite, options: [NSPersistentStoreTimeoutOption: timeout])
        }
        expectEqual(error?.code, 134090)
        try coordinator.destroyPersistentStore(
            at: url, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: NSNumber(value: true)])
        try expectEmpty(folder.contents)
    }
}
