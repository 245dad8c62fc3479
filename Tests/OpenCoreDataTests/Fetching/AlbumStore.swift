import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// A store of albums, and contexts on it.
final class AlbumStore {
    private let folder: TemporaryFolder
    let coordinator: NSPersistentStoreCoordinator

    init(type: String = NSSQLiteStoreType) throws {
        folder = try TemporaryFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        _ = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: folder.url.appendingPathComponent("a.sqlite"))
    }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Saves the objects that a block makes in a context that is not used afterwards.
    func fill(_ body: (NSManagedObjectContext) throws -> Void) throws {
        let context = context()
        try context.performAndWait {
            try body(context)
            try context.save()
            context.reset()
        }
    }

    /// Runs a block in a fresh context whose statements are noted.
    func read(_ body: (StatementRecorder) throws -> Void) throws {
        let context = context()
        try context.performAndWait { try body(StatementRecorder(context)) }
    }
}

extension NSManagedObjectContext {
    @discardableResult
    func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }
}

extension NSManagedObject {
    func text(_ key: String) -> String? { value(forKey: key) as? String }
    func object(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }
    /// The objects of a to-many relationship: in order, or sorted by a key.
    func members(_ key: String, by sort: String) -> [String] {
        switch value(forKey: key) {
        case let ordered as NSOrderedSet: ordered.array.compactMap { ($0 as? NSManagedObject)?.text(sort) }
        case let set as NSSet: set.allObjects.compactMap { ($0 as? NSManagedObject)?.text(sort) }.sorted()
        default: []
        }
    }
}
