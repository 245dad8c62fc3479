// SPDX-License-Identifier: Apache-2.0

/// The versions of a schema in their order, and the stages that migrate stores from one version to the next.
///
/// ```swift
/// enum NotesPlan: SchemaMigrationPlan {
///     static var schemas: [any VersionedSchema.Type] { [NotesV1.self, NotesV2.self] }
///     static var stages: [MigrationStage] { [.lightweight(fromVersion: NotesV1.self, toVersion: NotesV2.self)] }
/// }
/// ```
///
/// A container with a plan finds the version of its store by the version hashes of the entities, and executes the
/// stages from this version to the container's schema. The store has its old version until all stages are done: a stage
/// that throws, or a process that ends, leaves the store as it was. During the migration no other process may have the
/// store open, and other containers of this process that have it open lose it.
///
/// The versions have ascending numbers. The list of stages is empty, or has a stage from each version to the next, in
/// any order. If it is empty, each step is lightweight. The initializer of a container checks the plan.
public protocol SchemaMigrationPlan: SendableMetatype {
    /// The versions, the oldest first.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The stages between the versions.
    static var stages: [MigrationStage] { get }
}
