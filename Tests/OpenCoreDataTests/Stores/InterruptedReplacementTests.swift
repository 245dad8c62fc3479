import CoreDataModel
import OpenCoreData
import TestSupport
import Testing

/// A new store that can't be completed.
@Suite("A store that can't be replaced")
struct InterruptedReplacementTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var store: URL { folder.file("store") }

    private func makeStore(_ type: NSPersistentStore.StoreType) throws -> [String: Any] {
        let entity = NSEntityDescription()
        entity.name = "Song"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.remove(coordinator.addPersistentStore(type: type, at: store))
        return try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: store)
    }

    @Test(
        "stays, nothing is left beside it, and the error names it",
        arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary], [true, false])
    func failure(_ type: NSPersistentStore.StoreType, keepsContents: Bool) throws {
        let metadata = try makeStore(type)
        let replacement = StoreReplacement(at: store, type: type)
        let make: (URL) throws -> Void = { new in
            try Data("half".utf8).write(to: new)
            let cause = NSError(domain: NSCocoaErrorDomain, code: 256, userInfo: [NSFilePathErrorKey: new.path])
            throw NSError(
                domain: NSCocoaErrorDomain, code: 134_110,
                userInfo: [NSURLErrorKey: new, NSUnderlyingErrorKey: cause, "text": "About \(new.path)."])
        }
        let error = thrownError {
            try MigrationLock.withLock(at: store, timeout: 10) {
                if keepsContents {
                    try replacement.run(making: make)
                } else {
                    try replacement.runAnew(making: make)
                }
            }
        }
        expectEqual(error?.code, 134_110)
        expectEqual((error?.userInfo[NSURLErrorKey] as? URL)?.path, store.path)
        expectEqual(error?.userInfo["text"] as? String, "About \(store.path).")
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        expectEqual(cause?.userInfo[NSFilePathErrorKey] as? String, store.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        expectEqual(names.filter { !$0.hasPrefix("store") }, [])
        let now = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: store)
        expectEqual(now[NSStoreUUIDKey] as? String, metadata[NSStoreUUIDKey] as? String)
    }

    @Test("is as another process has left it, if that has done the work")
    func done() throws {
        let metadata = try makeStore(.sqlite)
        try MigrationLock.withLock(at: store, timeout: 10) {
            try StoreReplacement(at: store, type: .sqlite).run(unless: { true }, making: { _ in Issue.record("made") })
        }
        let now = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store)
        expectEqual(now[NSStoreUUIDKey] as? String, metadata[NSStoreUUIDKey] as? String)
    }
}
