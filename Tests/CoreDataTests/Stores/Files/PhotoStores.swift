import CoreData
import TestSupport

/// Stores of photos whose images are files of external data, in one folder.
struct PhotoStores {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static func makeModel() -> NSManagedObjectModel {
        let image = attribute("image", .binaryDataAttributeType)
        image.allowsExternalBinaryDataStorage = true
        return model([entity("Photo", [attribute("name", .stringAttributeType), image])])
    }

    static func image(_ byte: UInt8) -> Data { Data(repeating: byte, count: 200_000) }

    func open(_ path: String, options: [AnyHashable: Any]? = nil) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file(path), options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Saves photos, by the byte that fills their image.
    func save(_ bytes: [UInt8], in path: String) throws {
        let context = try open(path)
        try on(context) {
            for byte in bytes { context.make("Photo", "\(byte)", ["image": Self.image(byte)]) }
            try context.save()
        }
    }

    /// The bytes of the images of a store; nil for an image without its value.
    func images(of path: String) throws -> [UInt8?] { try Self.images(try open(path)) }

    static func images(_ context: NSManagedObjectContext) throws -> [UInt8?] {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request).map { photo in
                guard let data = photo.value(forKey: "image") as? Data, data.count == 200_000 else { return nil }
                return data.first
            }
        }
    }

    func uuid(_ path: String) throws -> String {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: folder.file(path), options: nil)
        return metadata[NSStoreUUIDKey] as? String ?? ""
    }

    /// The names of the files of external data below a folder `.NAME_SUPPORT`.
    func files(_ name: String) -> Set<String> {
        let path = folder.path(".\(name)_SUPPORT/_EXTERNAL_DATA")
        return Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
    }
}
