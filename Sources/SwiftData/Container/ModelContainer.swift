// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The stores of a schema. Contexts fetch from them and save to them.
///
/// ```swift
/// let container = try ModelContainer(for: Recipe.self, Ingredient.self)
/// let context = container.mainContext
/// context.insert(Recipe(title: "Soup"))
/// ```
///
/// Opening a store of an older schema migrates it: by the stages of a ``SchemaMigrationPlan``, or without a plan by a
/// lightweight migration, if the differences allow one. May be used on any thread.
public class ModelContainer: Equatable, @unchecked Sendable {
    /// The models.
    public final var schema: Schema { core.schema }
    /// The plan by which stores of older schemas are migrated; nil without one.
    public final var migrationPlan: (any SchemaMigrationPlan.Type)? { core.migrationPlan }
    /// The stores.
    public var configurations: Set<ModelConfiguration> { Set(core.stores.configurations) }

    final let core: ContainerCore
    private let main = Locked<ModelContext?>(nil)

    // MARK: Making containers

    /// Opens the stores of classes.
    ///
    /// - Parameters:
    ///   - forTypes: the classes of the models.
    ///   - migrationPlan: how stores of older schemas are migrated.
    ///   - configurations: the stores; without any, the default file.
    /// - Throws: a ``SwiftDataError`` that names what is wrong in the classes or the configurations, or why a store
    ///   can't be opened.
    public convenience init(
        for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the stores of a schema.
    ///
    /// - Parameters:
    ///   - givenSchema: the models.
    ///   - migrationPlan: how stores of older schemas are migrated.
    ///   - configurations: the stores; without any, the default file.
    /// - Throws: a ``SwiftDataError`` that names what is wrong in the classes or the configurations, or why a store
    ///   can't be opened.
    public convenience init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the stores of classes.
    ///
    /// - Parameters:
    ///   - forTypes: the classes of the models.
    ///   - configurations: the stores.
    /// - Throws: a ``SwiftDataError``, and the errors of custom stores.
    @_disfavoredOverload
    public convenience init(
        for forTypes: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
    ) throws {
        try self.init(for: Schema(forTypes), configurations: configurations)
    }

    /// Opens the stores of a schema.
    ///
    /// - Parameters:
    ///   - givenSchema: the models.
    ///   - configurations: the stores.
    /// - Throws: a ``SwiftDataError``, and the errors of custom stores.
    @_disfavoredOverload
    public init(for givenSchema: Schema, configurations: [any DataStoreConfiguration]) throws {
        core = try ContainerCore(
            givenSchema, nil, configurations.compactMap { $0 as? ModelConfiguration },
            own: configurations.filter { !($0 is ModelConfiguration) })
    }

    /// Opens the stores of a schema.
    ///
    /// - Parameters:
    ///   - givenSchema: the models.
    ///   - migrationPlan: how stores of older schemas are migrated.
    ///   - configurations: the stores; without any, the default file.
    /// - Throws: a ``SwiftDataError`` that names what is wrong in the classes or the configurations, or why a store
    ///   can't be opened.
    public init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        core = try ContainerCore(givenSchema, migrationPlan, configurations)
    }

    /// Makes a container of stores that are open already.
    init(_ core: ContainerCore) { self.core = core }

    // MARK: Contexts

    /// The context of the main actor. It saves automatically: see ``ModelContext/autosaveEnabled``.
    @MainActor public var mainContext: ModelContext {
        if let known = main.withLock({ $0 }) { return known }
        let new = ModelContext(mainOf: self)
        return main.withLock { main in
            if let first = main { return first }
            main = new
            return new
        }
    }

    // MARK: Stores

    /// The identifier of the store of a configuration; nil if there is none.
    public func storeIdentifier(forConfigurationNamed name: String) -> String? {
        core.stores.store(named: name)?.identifier ?? core.ownStores.identifier(named: name)
    }

    /// The name of the configuration of a store; nil if there is none.
    public func configurationName(forStoreIdentifier identifier: String) -> String? {
        core.stores.name(ofStore: identifier) ?? core.ownStores.name(of: identifier)
    }

    /// Deletes the files of all stores. The container can't be used afterwards: make a new one.
    ///
    /// - Throws: the error of the file system.
    public func erase() throws {
        try core.ownStores.erase(from: core.coordinator)
        try core.stores.erase(from: core.coordinator)
    }

    /// Deletes the models of all stores. Contexts keep the models that they have fetched.
    @available(*, deprecated, message: "Use erase().")
    public func deleteAllData() {
        do {
            try core.stores.erase(from: core.coordinator)
            try core.stores.open(in: core.coordinator, withoutMigrating: [])
        } catch {
            CoreDataLog.error("The data of a container can't be deleted: \(error.localizedDescription)")
        }
    }

    /// Whether two containers are the same object.
    public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs === rhs }
}
