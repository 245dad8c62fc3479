// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The custom stores of a container.
struct OwnStores {
    private struct Named {
        let name: String
        let bridge: DataStoreBridge
    }

    private let stores: [Named]

    var bridges: [DataStoreBridge] { stores.map(\.bridge) }
    var isEmpty: Bool { stores.isEmpty }

    init() { stores = [] }

    /// Checks configurations.
    ///
    /// - Parameter others: the configurations of the other stores of the container.
    static func check(
        _ configurations: [any DataStoreConfiguration], beside others: [ModelConfiguration], schema: Schema
    ) throws {
        var names = Set(others.map(\.name))
        for configuration in configurations {
            try configuration.validate()
            guard names.insert(configuration.name).inserted else {
                throw SwiftDataError(
                    .duplicateConfiguration, "Two configurations have the name '\(configuration.name)'.")
            }
            for entity in configuration.schema?.entities ?? [] where schema.entitiesByName[entity.name] == nil {
                throw SwiftDataError(
                    .configurationSchemaNotFoundInContainerSchema,
                    "The configuration '\(configuration.name)' has the model \(entity.name), the container hasn't.")
            }
        }
    }

    /// Opens the stores.
    init(
        _ configurations: [any DataStoreConfiguration], _ plan: (any SchemaMigrationPlan.Type)?, isShared: Bool,
        schema: Schema, model: SchemaModel, in coordinator: NSPersistentStoreCoordinator
    ) throws {
        stores = try configurations.map { configuration in
            let store = try configuration.makeStore(schema, plan)
            let name = configuration.name
            let bridge = try DataStoreBridge.add(
                store, model, configuration: isShared ? name : nil, to: coordinator)
            return Named(name: name, bridge: bridge)
        }
    }

    // MARK: Looking up

    func identifier(named name: String) -> String? {
        stores.first { $0.name == name }?.bridge.dataStore.identifier
    }

    func name(of identifier: String) -> String? {
        stores.first { $0.bridge.dataStore.identifier == identifier }?.name
    }

    /// The object ID of an identifier; nil for an identifier of another store.
    func objectID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
        stores.lazy.compactMap { $0.bridge.knownObjectID(of: identifier) }.first
    }

    // MARK: Contexts

    func contextWasMade(_ state: EditingState) {
        for bridge in bridges { bridge.calling { bridge.dataStore.initializeState(for: state) } }
    }

    func contextWasReleased(_ context: ManagedContext, _ state: EditingState) {
        for bridge in bridges {
            bridge.calling { bridge.dataStore.invalidateState(for: state) }
            bridge.snapshots.forget(context)
        }
    }

    // MARK: Erasing

    func erase(from coordinator: NSPersistentStoreCoordinator) throws {
        for bridge in bridges {
            try bridge.calling { try bridge.dataStore.erase() }
            try coordinator.remove(bridge)
        }
    }
}

extension DataStoreConfiguration {
    /// Opens the store of the configuration.
    fileprivate func makeStore(_ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)?) throws -> any DataStore {
        var configuration = self
        if configuration.schema == nil { configuration.schema = schema }
        return try Store(configuration, migrationPlan: plan)
    }
}
