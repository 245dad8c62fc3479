// SPDX-License-Identifier: Apache-2.0

/// **Extension.** A stage that a migration plan would execute.
public struct MigrationPreview: Sendable {
    /// The version before the stage.
    public let fromVersion: any VersionedSchema.Type
    /// The version after the stage.
    public let toVersion: any VersionedSchema.Type
    /// Whether code of the program runs before the store is changed.
    public let hasWillMigrate: Bool
    /// Whether code of the program runs after the store was changed.
    public let hasDidMigrate: Bool
    /// The changes of the store: "Note.title: renamed from heading".
    public let changes: [String]

    init(
        from: any VersionedSchema.Type, to: any VersionedSchema.Type, stage: MigrationStage?, changes: [String]
    ) {
        fromVersion = from
        toVersion = to
        hasWillMigrate = stage?.willMigrate != nil
        hasDidMigrate = stage?.didMigrate != nil
        self.changes = changes
    }
}
