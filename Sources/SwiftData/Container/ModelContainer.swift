import OpenCoreData

/// The stores of a schema: what contexts fetch from and save to.
///
/// ```swift
/// let container = try ModelContainer(for: Recipe.self, Ingredient.self)
/// let context = container.mainContext
/// context.insert(Recipe(title: "Soup"))
/// ```
///
/// A store of an older schema is migrated when it is opened, if the differences are ones that a lightweight migration
/// can follow. May be used on any thread.
public class ModelContainer: Equatable, @unchecked Sendable {
    /// The models.
    public final let schema: Schema
    /// The plan by which stores of older schemas are migrated; nil without one.
    public final let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// The stores.
    public var configurations: Set<ModelConfiguration> { Set(stores.configurations) }

    final let model: SchemaModel
    final let coordinator: NSPersistentStoreCoordinator
    private let stores: ContainerStores
    private let main: Locked<ModelContext?>

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
    /// - Throws: a ``SwiftDataError``, also for configurations that aren't ``ModelConfiguration``s.
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
    /// - Throws: a ``SwiftDataError``, also for configurations that aren't ``ModelConfiguration``s.
    @_disfavoredOverload
    public convenience init(for givenSchema: Schema, configurations: [any DataStoreConfiguration]) throws {
        let known = try configurations.map { configuration in
            guard let known = configuration as? ModelConfiguration else {
                throw SwiftDataError(
                    .loadIssueModelContainer,
                    "The configuration '\(configuration.name)' describes no store of SwiftData: use ModelConfiguration."
                )
            }
            return known
        }
        try self.init(for: givenSchema, migrationPlan: nil, configurations: known)
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
        let configurations = configurations.isEmpty ? [ModelConfiguration(schema: givenSchema)] : configurations
        schema = givenSchema
        self.migrationPlan = migrationPlan
        model = try SchemaModel.make(for: givenSchema)
        stores = try ContainerStores(configurations, schema: givenSchema)
        stores.assignEntities(of: model)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        main = Locked(nil)
        try ContainerMigration(migrationPlan).check(configurations, model: model)
        try stores.open(in: coordinator)
        KnownSchemas.add(model)
    }

    // MARK: Contexts

    /// The context of the main actor. It saves by itself.
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
        stores.store(named: name)?.identifier
    }

    /// The name of the configuration of a store; nil if there is none.
    public func configurationName(forStoreIdentifier identifier: String) -> String? {
        stores.name(ofStore: identifier)
    }

    /// Deletes the files of all stores. The container can't be used afterwards: make a new one.
    ///
    /// - Throws: the error of the file system.
    public func erase() throws { try stores.erase(from: coordinator) }

    /// Deletes the models of all stores. Contexts keep what they have read.
    @available(*, deprecated, message: "Use erase().")
    public func deleteAllData() {
        do {
            try stores.erase(from: coordinator)
            try stores.open(in: coordinator)
        } catch {
            CoreDataLog.error("The data of a container can't be deleted: \(error.localizedDescription)")
        }
    }

    /// Whether two containers are the same object.
    public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs === rhs }
}
