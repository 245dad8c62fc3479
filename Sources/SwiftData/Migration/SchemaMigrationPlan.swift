// SPDX-License-Identifier: Apache-2.0

/// The versions of a schema in their order, and how stores get from one to the next.
///
/// ```swift
/// enum NotesPlan: SchemaMigrationPlan {
///     static var schemas: [any VersionedSchema.Type] { [NotesV1.self, NotesV2.self] }
///     static var stages: [MigrationStage] { [.lightweight(fromVersion: NotesV1.self, toVersion: NotesV2.self)] }
/// }
/// ```
///
/// A container that is made with a plan finds the version of its store by the version hashes of the entities, and
/// executes the stages from there to the container's schema. The store has its old version until all stages are done:
/// a stage that throws, or a process that ends, leaves the store as it was. Meanwhile no other process may have it
/// open, and other containers of this process that have it open lose it.
///
/// The versions have ascending numbers. If there are stages, there is one from each version to the next; their order in
/// the list doesn't matter. Without any stage, each step is lightweight. A container checks its plan whenever it is
/// made.
public protocol SchemaMigrationPlan: SendableMetatype {
    /// The versions, the oldest first.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The stages between the versions.
    static var stages: [MigrationStage] { get }
}
