// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A custom store (``DataStore``) as a store of Core Data.
///
/// Contexts fetch, save and merge through it as through any incremental store. It makes one call to the custom store at
/// a time.
final class DataStoreBridge: NSIncrementalStore, @unchecked Sendable {
    // Sendable: the members are constant or have locks.
    static let storeType = "SwiftDataStore"
    private static let optionKey = "SwiftDataStore"

    private final class Reference: NSObject {
        let store: any DataStore
        let model: SchemaModel

        init(_ store: any DataStore, _ model: SchemaModel) {
            self.store = store
            self.model = model
        }
    }

    let dataStore: any DataStore
    let schemaModel: SchemaModel
    let identifiers: BridgeIdentifiers
    let snapshots = SnapshotCache()
    private let ownState = EditingState(id: UUID(), author: nil)
    private let lock = NSRecursiveLock()

    private static let registration: Void = {
        NSPersistentStoreCoordinator.registerStoreClass(DataStoreBridge.self, forStoreType: storeType)
    }()

    /// Adds a store of the program to a coordinator.
    ///
    /// - Parameter configuration: the name of the configuration with the entities of the store; nil for all entities.
    static func add(
        _ store: any DataStore, _ model: SchemaModel, configuration: String?,
        to coordinator: NSPersistentStoreCoordinator
    ) throws -> DataStoreBridge {
        _ = registration
        let url = URL(string: "x-swiftdata://\(uuid(of: store.identifier))/")
        let added = try coordinator.addPersistentStore(
            ofType: storeType, configurationName: configuration, at: url,
            options: [optionKey: Reference(store, model)])
        guard let bridge = added as? DataStoreBridge else {
            throw SwiftDataError(.loadIssueModelContainer, "The store \(store.identifier) was not opened.")
        }
        return bridge
    }

    /// The identifier of a store as the host of a URI.
    private static func uuid(of identifier: String) -> String {
        identifier.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            return character.isASCII && (character.isLetter || character.isNumber) || character == "-"
                ? String(character) : "_" + String(byte, radix: 16)
        }.joined()
    }

    required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        guard let reference = options?[Self.optionKey] as? Reference else {
            programmingError(
                "A store of the type \(Self.storeType) is added without a DataStore.",
                remedy: "Name the configuration of the store in the initializer of the ModelContainer.")
        }
        dataStore = reference.store
        schemaModel = reference.model
        identifiers = BridgeIdentifiers(reference.store.identifier)
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    override var type: String { Self.storeType }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: Self.uuid(of: dataStore.identifier)]
    }

    // MARK: Calls

    /// Runs a call of the program's store.
    func calling<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// The identity of a context, as the store knows it.
    func state(of context: NSManagedObjectContext?) -> EditingState {
        (context as? ManagedContext)?.modelContext?.editingState ?? ownState
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let request as NSSaveChangesRequest:
            try save(request, context)
            return [Any]()
        case let request as NSFetchRequest<any NSFetchRequestResult>: return try fetch(request, context)
        default: throw DataStoreError.unsupportedFeature
        }
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    { try node(of: objectID, context) }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any { try destinations(of: relationship, objectID, context) }

    // MARK: Identifiers

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { object in
            let name = UUID().uuidString
            let id = newObjectID(for: object.entity, referenceObject: name)
            identifiers.addProvisional(id, named: name)
            return id
        }
    }

    /// The object ID of an identifier that the store has returned.
    ///
    /// - Throws: an identifier of another store, of a model that isn't in the schema, or a temporary one.
    func objectID(of identifier: PersistentIdentifier) throws -> NSManagedObjectID {
        let parts = identifier.parts
        guard parts.storeIdentifier == dataStore.identifier, !parts.isTemporary else {
            throw misfit("the identifier \(identifier), which is of the store \(parts.storeIdentifier ?? "nil")")
        }
        guard let entity = schemaModel.entitiesByName[parts.entityName] else {
            throw misfit("an identifier of the model '\(parts.entityName)', which isn't in the schema")
        }
        return identifiers.given(parts) ?? newObjectID(for: entity, referenceObject: parts.primaryKey)
    }

    /// The object ID of an identifier of the program; nil for an identifier of another store.
    func knownObjectID(of identifier: PersistentIdentifier) -> NSManagedObjectID? { try? objectID(of: identifier) }

    // MARK: Errors

    /// The error of an answer that a store must not give.
    func misfit(_ answer: String) -> SwiftDataError {
        SwiftDataError(
            .loadIssueModelContainer,
            "The store \(dataStore.identifier) (\(Swift.type(of: dataStore))) has returned \(answer).")
    }
}
