/// A version of a schema: its models and its number.
public protocol VersionedSchema: SendableMetatype {
    /// The classes of the models.
    static var models: [any PersistentModel.Type] { get }
    /// The version.
    static var versionIdentifier: Schema.Version { get }
}

/// The versions of a schema in their order, and how stores get from one to the next.
public protocol SchemaMigrationPlan: SendableMetatype {
    /// The versions, the oldest first.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The stages between the versions.
    static var stages: [MigrationStage] { get }
}

/// The way from one version of a schema to the next.
public enum MigrationStage: Sendable {
    /// The store is changed by what the two versions differ in.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// Code of the program runs before and after the store is changed.
    @preconcurrency case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
        didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)
}
