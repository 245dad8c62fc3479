import CoreData
import TestSupport

/// How a store gets a new model.
enum MigrationWay: String, CaseIterable, Sendable {
    /// By the store itself, in its tables.
    case inPlace
    /// By a manager that makes a new store.
    case managedSQLite, xml, binary

    var type: String {
        switch self {
        case .inPlace: StoreKind.tables.type
        case .managedSQLite: NSSQLiteStoreType
        case .xml: NSXMLStoreType
        case .binary: NSBinaryStoreType
        }
    }

    func url(_ name: String, in folder: TemporaryFolder) -> URL {
        self == .inPlace ? StoreKind.tables.url(name, in: folder) : folder.file(name)
    }

    func open(_ model: NSManagedObjectModel, _ url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
            ])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func close(_ context: NSManagedObjectContext) throws {
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }

    /// A context on a store that has got the new model by the inferred mapping model.
    func migrate(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel, _ url: URL) throws -> NSManagedObjectContext
    {
        if self == .inPlace { return try open(new, url) }
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        manager.usesStoreSpecificMigrationManager = false
        let target = url.appendingPathExtension("new")
        try manager.migrateStore(
            from: url, sourceType: type, options: nil,
            with: NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new),
            toDestinationURL: target, destinationType: type, destinationOptions: nil)
        return try open(new, target)
    }

    /// Makes a store of one model, gives it another one, and checks the result.
    func run(
        _ old: () -> NSManagedObjectModel, _ new: () -> NSManagedObjectModel, in folder: TemporaryFolder,
        filling: (NSManagedObjectContext) throws -> Void, checking: (NSManagedObjectContext) throws -> Void
    ) throws {
        let url = url("store", in: folder)
        let before = try open(old(), url)
        try on(before) {
            try filling(before)
            try before.save()
        }
        try close(before)
        let after = try migrate(old(), new(), url)
        try on(after) { try checking(after) }
        try close(after)
    }

    /// Makes a store of one model, and expects an error when it gets another one. The old store stays.
    func refusal(
        _ old: () -> NSManagedObjectModel, _ new: () -> NSManagedObjectModel, in folder: TemporaryFolder,
        filling: (NSManagedObjectContext) throws -> Void, checking: (NSManagedObjectContext) throws -> Void
    ) throws -> NSError? {
        let url = url("store", in: folder)
        let before = try open(old(), url)
        try on(before) {
            try filling(before)
            try before.save()
        }
        try close(before)
        let error = thrownError { _ = try migrate(old(), new(), url) }
        let again = try open(old(), url)
        try on(again) { try checking(again) }
        try close(again)
        return error
    }
}
