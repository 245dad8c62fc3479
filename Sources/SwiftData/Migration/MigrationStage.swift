// SPDX-License-Identifier: Apache-2.0

/// The migration from one version of a schema to the next.
///
/// ```swift
/// MigrationStage.custom(
///     fromVersion: NotesV2.self, toVersion: NotesV3.self,
///     willMigrate: { context in
///         for note in try context.fetch(FetchDescriptor<NotesV2.Note>()) where note.title.isEmpty {
///             note.title = "Untitled"
///         }
///         try context.save()
///     },
///     didMigrate: nil)
/// ```
///
/// The closures of a custom stage must save their changes. Unsaved changes are dropped, and logged.
public enum MigrationStage: Sendable {
    /// A lightweight migration changes the store as the two versions differ.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// Code of the program runs before and after the store is changed. Before, it gets a context with the classes of
    /// the old version; afterwards, a context with the classes of the new version.
    @preconcurrency case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
        didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)
}

extension MigrationStage {
    typealias Handler = @Sendable (ModelContext) throws -> Void

    var fromVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(let from, _), .custom(let from, _, _, _): from
        }
    }

    var toVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(_, let to), .custom(_, let to, _, _): to
        }
    }

    var willMigrate: Handler? { if case .custom(_, _, let handler, _) = self { handler } else { nil } }

    var didMigrate: Handler? { if case .custom(_, _, _, let handler) = self { handler } else { nil } }

    /// Whether code of the program runs.
    var hasCode: Bool { willMigrate != nil || didMigrate != nil }
}
