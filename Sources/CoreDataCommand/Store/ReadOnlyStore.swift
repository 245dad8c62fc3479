// SPDX-License-Identifier: Apache-2.0

import CoreDataPostgreSQL
import OpenCoreData

/// A Core Data stack with one store, which is read-only unless the browser edits it.
struct ReadOnlyStore {
    /// The path of the file, or the URL without a password.
    let path: String
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    /// The entities of the store's configuration.
    let entities: [NSEntityDescription]

    /// Opens a store with the model at `modelPath`, or with the one cached in the store.
    ///
    /// - Parameter options: further options of the store, if it isn't read-only.
    init(
        _ location: StoreLocation, modelPath: String?, isReadOnly: Bool = true, options: [AnyHashable: Any] = [:]
    ) throws {
        // Reading the metadata first gives a better error for a file that is no store.
        _ = try StoreFile.metadata(at: location.url)
        let model = try Self.model(for: location, modelPath: modelPath)
        do {
            try self.init(url: location.url, model: model, isReadOnly: isReadOnly, options: options)
        } catch let error as NSError where error.code == NSPersistentStoreIncompatibleVersionHashError {
            guard let modelPath else { throw error }
            throw CommandError(
                """
                The store \(location.text) can't be read with the model \(modelPath). \
                \(error.localizedFailureReason ?? "") Leave --model out if the store contains its model, or \
                migrate the store: coredata store migrate. (\(error.domain) \(error.code))
                """)
        }
    }

    /// Opens the store at a URL with a model, of which the store may have a configuration.
    ///
    /// - Parameter options: further options of the store, if it isn't read-only.
    init(
        url: URL, model: NSManagedObjectModel, isReadOnly: Bool = true, options: [AnyHashable: Any] = [:]
    ) throws {
        // A frozen model can't be changed.
        guard let model = model.copy() as? NSManagedObjectModel else {
            throw CommandError("The model of the store \(url.storeText) can't be copied.")
        }
        StoredBytesTransformer.use(in: model)
        // This process doesn't have the classes of the model. Version hashes don't depend on classes.
        model.ignoresClassNames = true
        let type = try StoreFile.type(of: url)
        let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: try StoreFile.metadata(at: url)) ?? [:]
        let configuration = StoreIncompatibility.configuration(of: model, storeHashes: hashes)
        entities = configuration.flatMap { model.entities(forConfigurationName: $0) } ?? model.entities
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            type: type, configuration: configuration, at: url, options: [NSReadOnlyPersistentStoreOption: true])
        if !isReadOnly {
            // A store with a history can only be written with a history, and a store without a history must not get
            // one.
            var options = options.merging([
                NSMigratePersistentStoresAutomaticallyOption: false,
                // The file may be anyone's.
                NSSQLitePragmasOption: ["cell_size_check": "1"],
            ]) { first, _ in first }
            if coordinator.hasHistory(store) { options[NSPersistentHistoryTrackingKey] = true }
            try coordinator.remove(store)
            _ = try coordinator.addPersistentStore(type: type, configuration: configuration, at: url, options: options)
        }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        path = url.storeText
        self.url = url
    }

    /// Whether all objects of the store are in memory: XML and binary stores.
    var isInMemory: Bool {
        ![NSSQLiteStoreType, NSPostgreSQLStoreType].contains(coordinator.persistentStores.first?.type)
    }

    /// Closes the file.
    func close() {
        context.performSynchronously { context.reset() }
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    /// The model at `modelPath`, or the one in a store.
    static func model(for location: StoreLocation, modelPath: String?) throws -> NSManagedObjectModel {
        if let modelPath { return try ModelSource.model(at: modelPath) }
        let path = location.text
        if let kind = StoreFile.kindWithoutModel(try StoreFile.type(of: location.url)) {
            throw CommandError("\(path) is \(kind), which contains no model. Add its model with --model.")
        }
        do {
            return try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: location.url)
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreOperationError
        {
            throw CommandError(
                "The store \(path) has no model cache (no table Z_MODELCACHE). Add its model with --model.")
        } catch {
            throw CommandError(
                """
                The model in the store \(path) can't be used. Add its model with --model. \
                (\(ErrorReport.text(for: error)))
                """
            )
        }
    }

    /// The ID of an object by its short form `Entity/p12`; nil for a text of another form.
    func objectID(_ short: String) -> NSManagedObjectID? {
        // The name of an entity may have slashes.
        guard let slash = short.lastIndex(of: "/") else { return nil }
        let (entity, name) = (String(short[..<slash]), short[short.index(after: slash)...])
        guard name.first == "p", let key = Int64(name.dropFirst()) else { return nil }
        return objectID(of: entity, key: key)
    }

    /// The ID of an object by the name of its entity and its primary key; nil for an entity or a key that the store
    /// can't have.
    func objectID(of entity: String, key: Int64) -> NSManagedObjectID? {
        guard key > 0, coordinator.managedObjectModel.entitiesByName[entity] != nil,
            let store = coordinator.persistentStores.first
        else { return nil }
        var components = URLComponents()
        components.scheme = "x-coredata"
        components.host = store.identifier
        components.percentEncodedPath = "/\(PercentEncoding.encoded(entity))/p\(key)"
        return components.url.flatMap(coordinator.managedObjectID(forURIRepresentation:))
    }

    /// The number of objects of each entity, without the objects of its subentities, sorted by name.
    func counts() throws -> [(entity: NSEntityDescription, count: Int)] {
        try context.performSynchronously {
            try entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.map { ($0, try context.ownCount(of: $0)) }
        }
    }

    /// The number of objects of each entity that can have objects, by name.
    static func counts(at url: URL, _ model: NSManagedObjectModel) throws -> [String: Int] {
        let store = try ReadOnlyStore(url: url, model: model)
        defer { store.close() }
        let counts = try store.counts().filter { !$0.entity.isAbstract }.map { ($0.entity.name ?? "", $0.count) }
        return Dictionary(counts, uniquingKeysWith: { first, _ in first })
    }

    /// Lines with the numbers of objects.
    static func lines(_ counts: [String: Int]) -> [String] {
        let rows = counts.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }
        return ColumnLayout(rows: rows).lines.map { "  \($0)" }
    }

    /// The entity of that name.
    func entity(named name: String) throws -> NSEntityDescription {
        let entities = coordinator.managedObjectModel.entitiesByName
        guard let entity = entities[name] else {
            let near = Misspelling.nearest(to: name, among: entities.keys.sorted())
            throw CommandError(
                """
                The model has no entity '\(name)'.\(near.map { " Did you mean '\($0)'?" } ?? "") It has: \
                \(entities.keys.sorted().joined(separator: ", ")).
                """)
        }
        return entity
    }
}

extension NSManagedObjectContext {
    /// The number of objects of an entity, without the objects of its subentities. Called on the context's queue.
    func ownCount(of entity: NSEntityDescription) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        return try count(for: request)
    }
}

/// Gives transformable values as the bytes in the store: this process doesn't have their classes, and must not decode
/// untrusted archives.
final class StoredBytesTransformer: ValueTransformer {
    private static let name = NSValueTransformerName("CoreDataCommandStoredBytes")

    override class func allowsReverseTransformation() -> Bool { true }
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override func transformedValue(_ value: Any?) -> Any? { value }
    override func reverseTransformedValue(_ value: Any?) -> Any? { value }

    /// Sets this transformer for all transformable attributes of a model. Version hashes don't depend on transformers,
    /// so the model still matches its store.
    static func use(in model: NSManagedObjectModel) {
        ValueTransformer.setValueTransformer(StoredBytesTransformer(), forName: name)
        for attribute in model.entities.flatMap({ $0.attributesByName.values })
        where attribute.attributeType == .transformableAttributeType {
            attribute.valueTransformerName = name.rawValue
        }
    }
}
