import CoreData

/// A store with a new coordinator and a new context: nothing of it is cached.
final class StoreStack {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    /// The model, which the plugin compiled and whose classes it generated.
    static func model() throws -> NSManagedObjectModel {
        guard let url = Bundle.module.url(forResource: "Benchmark", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { throw BenchmarkError("the model is missing") }
        return model
    }

    init(
        _ url: URL, type: String = NSSQLiteStoreType, model: NSManagedObjectModel? = nil,
        options: [AnyHashable: Any]? = nil
    ) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model ?? Self.model())
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    deinit {
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    /// Another context on the same coordinator.
    func newContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// The objects of an entity with their values, in the order of their keys.
    func objects<Object: NSManagedObject>(
        _ type: Object.Type, faults: Bool = false, prefetching keyPaths: [String] = []
    ) throws -> [Object] {
        let request = NSFetchRequest<Object>(entityName: "\(type)")
        request.returnsObjectsAsFaults = faults
        if !keyPaths.isEmpty { request.relationshipKeyPathsForPrefetching = keyPaths }
        return try context.fetch(request)
    }

    /// Makes objects and saves them in parts, so that filling a large file takes little memory.
    static func fill(_ url: URL, rows: Int, insert: (NSManagedObjectContext, Int) throws -> Void) throws {
        let stack = try StoreStack(url)
        for start in stride(from: 0, to: rows, by: 10_000) {
            for row in start..<min(start + 10_000, rows) { try insert(stack.context, row) }
            try stack.context.save()
            stack.context.reset()
        }
    }

    /// An empty store.
    static func create(_ url: URL) throws {
        _ = try StoreStack(url)
    }
}

extension Measured {
    /// The measured part of a prepared stack.
    init(_ stack: StoreStack, _ run: @escaping (NSManagedObjectContext) throws -> Outcome) {
        self.init { try withExtendedLifetime(stack) { try run(stack.context) } }
    }
}
