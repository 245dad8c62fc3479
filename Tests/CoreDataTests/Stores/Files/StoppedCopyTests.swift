import CoreData
import Testing

/// A process can be stopped at any time, and leaves what is in the folder then. The source is a store that runs a block
/// while its objects are read.
@Suite("A copy of a store that is stopped")
struct StoppedCopyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func makeModel() -> NSManagedObjectModel {
        model([entity("Tag", [attribute("name", .stringAttributeType)])])
    }

    private func open() throws -> (CallStore, NSPersistentStoreCoordinator) {
        NSPersistentStoreCoordinator.registerStoreClass(CallStore.self, forStoreType: CallStore.storeType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        let store = try coordinator.addPersistentStore(
            ofType: CallStore.storeType, configurationName: nil, at: URL(string: "calls://\(UUID())"))
        return (try requireValue(store as? CallStore), coordinator)
    }

    static let kinds = [StoreKind.sqlite, .binary, .xml]

    @Test("leaves no store in its place before it is complete", arguments: kinds)
    func stopped(_ kind: StoreKind) throws {
        let (source, coordinator) = try open()
        let target = folder.file("new.store")
        var existed: Bool?
        source.afterReading = { existed = FileManager.default.fileExists(atPath: target.path) }
        let copy = try coordinator.migratePersistentStore(source, to: target, withType: kind.type)
        expectEqual(existed, false)
        expectEqual(coordinator.persistentStores, [copy])
        expectEqual(copy.url, target)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            try expectEqual(context.names("Tag"), ["a", "b"])
            context.make("Tag", "c")
            try context.save()
        }
        try coordinator.remove(copy)
        try expectEqual(folder.contents, ["new.store"])
        let again = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        try again.addPersistentStore(ofType: kind.type, configurationName: nil, at: target)
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = again
        try on(reader) { try expectEqual(reader.names("Tag"), ["a", "b", "c"]) }
    }

    @Test("that fails leaves nothing, and the store stays in its coordinator", arguments: kinds)
    func failed(_ kind: StoreKind) throws {
        let (source, coordinator) = try open()
        let target = folder.file("new.store")
        // Another program makes something of the same name.
        source.afterReading = {
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
        }
        let error = thrownError { try coordinator.migratePersistentStore(source, to: target, withType: kind.type) }
        expectEqual(error?.domain, NSCocoaErrorDomain, "\(String(describing: error))")
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == target.path, "\(String(describing: error))")
        expectEqual(coordinator.persistentStores, [source])
        try expectEqual(folder.contents.filter { $0 != "new.store" }, [])
    }

    @Test("of a store without objects makes a store too", arguments: kinds, kinds)
    func withoutObjects(_ kind: StoreKind, _ target: StoreKind) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        let store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: folder.file("old.store"))
        let former = store.identifier
        let copy = try coordinator.migratePersistentStore(store, to: folder.file("new.store"), withType: target.type)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: target.type, at: folder.file("new.store"))
        #expect(metadata[NSStoreUUIDKey] as? String == copy.identifier)
        #expect(copy.identifier != former)
    }

    @Test("of a SQLite store to a new place is complete when it has its name")
    func completeFile() async throws {
        let stack = try TestStack(.sqlite, model: Self.makeModel(), folder: folder)
        try on(stack.context) {
            for index in 0..<3_000 {
                stack.context.make("Tag", "\(index) " + String(repeating: "long ", count: 100))
            }
            try stack.context.save()
        }
        for round in 0..<5 {
            let target = folder.file("copy\(round).sqlite")
            let sizes = Task.detached { () -> Set<Int> in
                var sizes: Set<Int> = []
                while !Task.isCancelled {
                    var status = stat()
                    if stat(target.path, &status) == 0 { sizes.insert(Int(status.st_size)) }
                }
                return sizes
            }
            try stack.coordinator.backUp(stack.store, to: target)
            sizes.cancel()
            let found = await sizes.value
            #expect(found.count <= 1, "\(found)")
        }
    }

    @Test("what an earlier copy has left under another name is removed by the next one")
    func leftovers() throws {
        let stack = try TestStack(.sqlite, model: Self.makeModel(), folder: folder)
        try folder.write("half", to: ".copy.sqlite.copying/copy.sqlite")
        try folder.write("", to: ".copy.sqlite.copy")
        try stack.coordinator.backUp(stack.store, to: folder.file("copy.sqlite"))
        try #expect(!folder.contents.contains { $0.hasPrefix(".copy") })
        try expectContains(folder.contents, "copy.sqlite")
    }
}

extension NSPersistentStoreCoordinator {
    /// A copy of a SQLite store.
    fileprivate func backUp(_ store: NSPersistentStore, to url: URL) throws {
        try replacePersistentStore(
            at: url, withPersistentStoreFrom: self.url(for: store), ofType: NSSQLiteStoreType)
    }
}
