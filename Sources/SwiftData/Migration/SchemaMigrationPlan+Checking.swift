// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension SchemaMigrationPlan {
    /// **Extension.** Checks the plan without a store.
    ///
    /// - Throws: `SwiftDataError.loadIssueModelContainer` with all mistakes: versions that are repeated or not in
    ///   ascending order, versions of stages with equal hashes, stages that are missing, that are repeated or that skip
    ///   a version, mistakes in the classes, and changes that a lightweight migration can't make.
    public static func check() throws {
        let versions = try PlanVersions(self)
        let problems = versions.stages.indices.flatMap { index in
            let (from, to) = (versions.versions[index], versions.versions[index + 1])
            let values = versions.stages[index]?.willMigrate == nil ? nil : RequiredValues(from: from, to: to)
            let unmapped = LightweightMapping.problems(from: from.model, to: to.model).filter {
                values?.contains(entity: $0.entityName, property: $0.propertyName) != true
            }
            return (unmapped.map(\.text) + NewElements.problems(from: from, to: to)).map {
                "\(from.name) to \(to.name): \($0)"
            }
        }
        guard problems.isEmpty else {
            throw SwiftDataError(
                .loadIssueModelContainer,
                "The migration plan \(self) can't be executed. \(problems.joined(separator: "\n"))")
        }
    }

    /// **Extension.** Finds the stages that the plan would execute for a store. The store isn't changed.
    ///
    /// - Parameter configuration: the store.
    /// - Returns: the stages from the store's version to the last version; none for a store of the last version, or if
    ///   the store doesn't exist.
    /// - Throws: as ``check()``, and `SwiftDataError.unknownDataStoreSchema` if no version fits the store.
    public static func preview(_ configuration: ModelConfiguration) throws -> [MigrationPreview] {
        try check()
        guard let migration = try ContainerMigration(toLastVersionOf: self) else { return [] }
        let found: StagedPlan?
        do {
            found = try migration.stagedPlan(of: configuration, isOnly: true)
        } catch let store as UnreadableStore {
            throw store.error
        }
        guard let plan = found else { return [] }
        return (plan.start..<plan.end).map { index in
            let (from, to) = (plan.versions.versions[index], plan.versions.versions[index + 1])
            return MigrationPreview(
                from: from.type, to: to.type, stage: plan.versions.stages[index],
                changes: ModelDifferences.changes(from: from.model, to: to.model))
        }
    }

    /// **Extension.** Migrates a store to the last version of the plan without making a container, and reports the
    /// progress.
    ///
    /// - Parameters:
    ///   - configuration: the store. Nothing happens if it has the last version already, or doesn't exist.
    ///   - timeout: the seconds to wait until other processes have closed the store.
    ///   - progress: called as the migration advances. An error that it throws ends the migration.
    /// - Throws: the errors of making a container with the plan. The store is then as before.
    public static func migrate(
        _ configuration: ModelConfiguration, timeout: TimeInterval = 10,
        progress: (MigrationProgress) throws -> Void = { _ in }
    ) throws {
        guard let migration = try ContainerMigration(toLastVersionOf: self) else { return }
        try withoutActuallyEscaping(progress) { progress in
            if let store = try migration.run([configuration], timeout: timeout, progress: progress).first {
                throw store.error
            }
        }
    }
}

extension ContainerMigration {
    /// The migration to the last version of a plan; nil for a plan without versions.
    init?(toLastVersionOf plan: any SchemaMigrationPlan.Type) throws {
        guard let last = plan.schemas.last else { return nil }
        try self.init(plan, to: PlanVersion(last).model)
    }
}
