import CoreData
import Testing

/// POSIX ends the locks of a process on a file when the process closes any descriptor of it.
@Suite("A store that is open while the process looks at its file in another way")
struct LiveStoreTests {
    private let stores: PhotoStores

    init() throws { stores = try PhotoStores() }

    private var url: URL { stores.folder.file("Music.sqlite") }

    enum WayIn: String, CaseIterable, Sendable {
        case asXML, asBinary, metadataAsXML, metadataAsBinary, metadataWritten, destroyedAsXML, replacedAsBinary
        case replacingAsXML, sourceOfReplacement, model, mappingModel, cachedModel, secondCoordinator
        case refusedCopy, externalFile, journal, hardLinkedExternalFile
    }

    private func take(_ way: WayIn, _ context: NSManagedObjectContext) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PhotoStores.makeModel())
        let other = stores.folder.file("Other")
        switch way {
        case .asXML: try coordinator.addPersistentStore(ofType: NSXMLStoreType, configurationName: nil, at: url)
        case .asBinary: try coordinator.addPersistentStore(ofType: NSBinaryStoreType, configurationName: nil, at: url)
        case .metadataAsXML, .metadataAsBinary:
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: way == .metadataAsXML ? NSXMLStoreType : NSBinaryStoreType, at: url)
        case .metadataWritten:
            try NSPersistentStoreCoordinator.setMetadata(
                ["a": "b"], forPersistentStoreOfType: NSBinaryStoreType, at: url)
        case .destroyedAsXML: try coordinator.destroyPersistentStore(at: url, ofType: NSXMLStoreType)
        case .replacedAsBinary, .replacingAsXML:
            try coordinator.replacePersistentStore(
                at: way == .replacedAsBinary ? url : other,
                withPersistentStoreFrom: way == .replacedAsBinary ? other : url,
                ofType: way == .replacedAsBinary ? NSBinaryStoreType : NSXMLStoreType)
        case .sourceOfReplacement:
            try coordinator.replacePersistentStore(
                at: stores.folder.file("Copy.sqlite"), withPersistentStoreFrom: url, ofType: NSSQLiteStoreType)
        case .model: _ = NSManagedObjectModel(contentsOf: url)
        case .mappingModel: _ = NSMappingModel(contentsOf: url)
        case .cachedModel: _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        case .secondCoordinator:
            let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
            try coordinator.remove(store)
        case .refusedCopy:
            try coordinator.replacePersistentStore(
                at: stores.folder.file("missing/Copy.sqlite"), withPersistentStoreFrom: url, ofType: NSSQLiteStoreType)
        case .externalFile: _ = try PhotoStores.images(context)
        case .journal:
            // Another name of the database in place of a journal.
            let journal = stores.folder.file(".Music_SUPPORT/_PENDING_\(UUID().uuidString)")
            try FileManager.default.linkItem(at: url, to: journal)
            let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
            try coordinator.remove(store)
        case .hardLinkedExternalFile:
            let file = stores.folder.file(".Music_SUPPORT/_EXTERNAL_DATA").appendingPathComponent(
                try requireValue(stores.files("Music").first))
            try FileManager.default.removeItem(at: file)
            try FileManager.default.linkItem(at: url, to: file)
            try on(context) { context.refreshAllObjects() }
            _ = try PhotoStores.images(context)
        }
    }

    private static func openAndClose(_ path: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PhotoStores.makeModel())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Photo"))
        }
        try coordinator.remove(store)
    }

    @Test("keeps its locks: another process that opens and closes it leaves the log", arguments: WayIn.allCases)
    func locks(_ way: WayIn) async throws {
        let context = try stores.open("Music.sqlite")
        try await context.perform {
            context.make("Photo", "1", ["image": PhotoStores.image(1)])
            try context.save()
        }
        _ = thrownError { try take(way, context) }
        let log = stores.folder.path("Music.sqlite-wal")
        try requireValue(FileManager.default.fileExists(atPath: log))
        await #expect(processExitsWith: .success) { [path = url.path as String] in try Self.openAndClose(path) }
        expectTrue(FileManager.default.fileExists(atPath: log))
        try await context.perform {
            context.make("Photo", "2", ["image": PhotoStores.image(2)])
            try context.save()
        }
        try expectEqual(stores.images(of: "Music.sqlite").last, 2)
    }
}
