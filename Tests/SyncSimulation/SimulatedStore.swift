import CoreData
import CoreDataPostgreSQL
import TestSupport

/// The kinds of stores that a simulation has.
enum SimulatedStoreKind: String, CaseIterable, Sendable {
    /// SQLite without a file.
    case memory
    case sqlite
    /// The server's store is a schema on the server that `COREDATA_POSTGRESQL_URL` names; replicas have files.
    case postgresql
}

/// A store of a simulation, with its backups.
final class SimulatedStore {
    private(set) var model: NSManagedObjectModel
    private let kind: SimulatedStoreKind
    private let folder: TemporaryFolder?
    private let name: String
    private(set) var coordinator: NSPersistentStoreCoordinator

    /// - Parameter folder: nil for a store without a file.
    init(_ model: NSManagedObjectModel, _ kind: SimulatedStoreKind, _ name: String, in folder: TemporaryFolder?) throws
    {
        (self.model, self.kind, self.name, self.folder) = (model, kind, name, folder)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try open()
    }

    private var url: URL { folder?.file("\(name).sqlite") ?? URL(fileURLWithPath: "/dev/null") }

    private func open() throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        if kind == .postgresql {
            _ = try coordinator.addPersistentStore(
                ofType: NSPostgreSQLStoreType, configurationName: nil, at: schemaURL(),
                options: Self.options)
            return
        }
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: Self.options.merging([
                // The simulation ends processes, not the machine.
                NSSQLitePragmasOption: ["synchronous": "OFF"] as NSDictionary
            ]) { one, _ in one })
    }

    private static var options: [String: NSObject] {
        let keys = [
            NSPersistentHistoryTrackingKey, NSMigratePersistentStoresAutomaticallyOption,
            NSInferMappingModelAutomaticallyOption,
        ]
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, NSNumber(value: true)) })
    }

    /// Opens the store with another version of its model.
    ///
    /// - Parameter mapping: a mapping model by which the store is copied; nil for a migration in place.
    func migrate(to model: NSManagedObjectModel, by mapping: NSMappingModel? = nil) throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        if let mapping, let copy = folder?.file("\(name)-\(UUID()).sqlite") {
            let options = [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
            let manager = NSMigrationManager(sourceModel: self.model, destinationModel: model)
            // Objects are made anew, as a mapping model of an app makes them.
            manager.usesStoreSpecificMigrationManager = false
            try manager.migrateStore(
                from: url, sourceType: NSSQLiteStoreType, options: options, with: mapping, toDestinationURL: copy,
                destinationType: NSSQLiteStoreType, destinationOptions: options)
            try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: copy, type: .sqlite)
        }
        self.model = model
        try open()
    }

    func metadata() throws -> [String: Any] {
        guard let store = coordinator.persistentStores.first else { return [:] }
        return coordinator.metadata(for: store)
    }

    /// A schema of this store alone.
    private func schemaURL() throws -> URL {
        guard let text = ProcessInfo.processInfo.environment["COREDATA_POSTGRESQL_URL"],
            let url = URL(string: text + (text.contains("?") ? "&" : "?") + "schema=sync_" + schema)
        else { throw SimulationFailure("COREDATA_POSTGRESQL_URL names no server.") }
        return url
    }

    private let schema = UUID().uuidString.lowercased().filter { $0 != "-" }

    /// Deletes the schema.
    func remove() throws {
        guard kind == .postgresql else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try coordinator.destroyPersistentStore(at: schemaURL(), ofType: NSPostgreSQLStoreType, options: nil)
    }

    var hasFile: Bool { kind == .sqlite }

    /// Makes a copy of the store as it is now.
    func backUp(_ number: Int) throws {
        guard let folder, let store = coordinator.persistentStores.first else { return }
        try coordinator.backUpPersistentStore(store, to: folder.file("\(name)-\(number).sqlite"))
    }

    /// Sets the store back to a copy. Contexts of the coordinator before can't be used any more.
    func restore(_ number: Int) throws {
        guard let folder else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try coordinator.replacePersistentStore(
            at: url, withPersistentStoreFrom: folder.file("\(name)-\(number).sqlite"), type: .sqlite)
        try open()
    }

    /// A store with the contents of a copy.
    func copy(_ number: Int, to name: String) throws -> SimulatedStore {
        guard let folder else { throw SimulationFailure("A store without a file can't be copied.") }
        try coordinator.replacePersistentStore(
            at: folder.file("\(name).sqlite"), withPersistentStoreFrom: folder.file("\(self.name)-\(number).sqlite"),
            type: .sqlite)
        return try SimulatedStore(model, kind, name, in: folder)
    }

    /// The coordinator of another process that has the store open; the same one for a store without a file.
    func otherCoordinator() throws -> NSPersistentStoreCoordinator {
        guard kind == .sqlite else { return coordinator }
        return try SimulatedStore(model, kind, name, in: folder).coordinator
    }

    static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        return context
    }
}

/// The end of a simulated process.
struct SimulatedCrash: Error {}

/// A mistake of the simulation itself.
struct SimulationFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A finding: the stores, or what a replica did, aren't as the rules say.
struct Finding: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
