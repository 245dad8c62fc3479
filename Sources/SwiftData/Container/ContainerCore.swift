// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The open stores of a container.
///
/// A container has its main context, which refers to the container without retaining it: the two would never be
/// released. Both have the core.
final class ContainerCore: @unchecked Sendable {
    // Sendable: all members are constant and may be used on any thread.
    let schema: Schema
    let migrationPlan: (any SchemaMigrationPlan.Type)?
    let model: SchemaModel
    let coordinator: NSPersistentStoreCoordinator
    let stores: ContainerStores
    /// The custom stores.
    private(set) var ownStores = OwnStores()

    /// Opens the stores of a schema.
    ///
    /// - Throws: the mistakes in the classes and the configurations, and the errors of the stores.
    init(
        _ schema: Schema, _ migrationPlan: (any SchemaMigrationPlan.Type)?, _ configurations: [ModelConfiguration],
        own: [any DataStoreConfiguration] = []
    ) throws {
        let configurations =
            configurations.isEmpty && own.isEmpty ? [ModelConfiguration(schema: schema)] : configurations
        self.schema = schema
        self.migrationPlan = migrationPlan
        let isShared = configurations.count + own.count > 1
        stores = try ContainerStores(configurations, schema: schema, isShared: isShared)
        try OwnStores.check(own, beside: configurations, schema: schema)
        model = try SchemaModel.make(for: schema, configurations: isShared ? configurations + own : [])
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let unreadable = try ContainerMigration(migrationPlan, to: model).run(configurations)
        try stores.open(in: coordinator, withoutMigrating: unreadable)
        KnownSchemas.add(model)
        ownStores = try OwnStores(
            own, migrationPlan, isShared: isShared, schema: schema, model: model, in: coordinator)
    }

    /// The store of a version of a migration plan, which a coordinator has open.
    init(of version: PlanVersion, _ configuration: ModelConfiguration, _ coordinator: NSPersistentStoreCoordinator) {
        schema = version.schema
        migrationPlan = nil
        model = version.model
        self.coordinator = coordinator
        stores = ContainerStores(configuration, open: coordinator.persistentStores.first)
    }
}
