// SPDX-License-Identifier: Apache-2.0

/// **Extension.** The progress of a store's migration by a plan.
public struct MigrationProgress: Sendable {
    /// The version before the present stage.
    public let fromVersion: any VersionedSchema.Type
    /// The version after the present stage.
    public let toVersion: any VersionedSchema.Type
    /// The number of stages that are done.
    public let completedStages: Int
    /// The number of stages from the store's version to the last one.
    public let totalStages: Int
    /// The part of the migration that is done, from 0 to 1. Each stage counts the same.
    public let fractionCompleted: Double

    init(
        from: any VersionedSchema.Type, to: any VersionedSchema.Type, completedStages: Int, totalStages: Int,
        fractionCompleted: Double
    ) {
        fromVersion = from
        toVersion = to
        self.completedStages = completedStages
        self.totalStages = totalStages
        self.fractionCompleted = fractionCompleted
    }
}
