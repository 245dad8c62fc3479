// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The migration of a container's stores by its plan, before they are opened.
///
/// Without a plan, and with one that has no versions, opening a store migrates it: a lightweight migration straight to
/// the container's schema.
struct ContainerMigration {
    private let versions: PlanVersions?
    private let end: Int

    /// Checks the plan.
    ///
    /// - Throws: `SwiftDataError.loadIssueModelContainer` for mistakes in the plan, and for a plan that doesn't lead to
    ///   the schema.
    init(_ plan: (any SchemaMigrationPlan.Type)?, to model: SchemaModel) throws {
        let versions = try plan.map { try PlanVersions($0) }
        guard let versions, let last = versions.versions.last else {
            (self.versions, end) = (nil, 0)
            return
        }
        guard let end = versions.index(of: model.entityVersionHashesByName) else {
            throw SwiftDataError(
                .loadIssueModelContainer,
                """
                The migration plan \(versions.plan) doesn't lead to the container's schema, which is none of its \
                versions. Compared with the last one, \(last.name): \
                \(ModelDifferences.text(from: last.hashes, last.model, to: model)) Make the container with the models \
                of a version of the plan.
                """)
        }
        (self.versions, self.end) = (versions, end)
    }

    /// Migrates the stores that have an older version.
    ///
    /// - Throws: `SwiftDataError.unknownDataStoreSchema`, `SwiftDataError.backwardMigration`,
    ///   `SwiftDataError.loadIssueModelContainer`, and what the closures of stages throw.
    func run(
        _ configurations: [ModelConfiguration], timeout: TimeInterval? = nil,
        progress: ((MigrationProgress) throws -> Void)? = nil
    ) throws {
        let plans = try configurations.compactMap { try stagedPlan(of: $0, isOnly: configurations.count == 1) }
        for plan in plans { try check(plan, storeCount: configurations.count) }
        // A server's store migrates itself when it is opened.
        for plan in plans where !plan.configuration.isDatabaseServer {
            try plan.run(timeout: timeout, progress: progress)
        }
    }

    /// The stages that a store needs; nil if it has the version of the container, or doesn't exist.
    func stagedPlan(of configuration: ModelConfiguration, isOnly: Bool) throws -> StagedPlan? {
        guard let versions, let store = StoreVersion(configuration) else { return nil }
        let target = versions.versions[end]
        let names = store.names(in: target.schema, isOnly: isOnly)
        let own = try names.map { try versions.reduced(to: $0) } ?? versions
        guard let end = own.index(of: try names.map { try target.reduced(to: $0) }?.hashes ?? target.hashes) else {
            return nil
        }
        guard let start = own.index(of: store.hashes) else { throw store.unknown(among: own) }
        if start == end { return nil }
        guard start < end else {
            throw SwiftDataError(
                .backwardMigration,
                """
                The store '\(configuration.name)' at \(configuration.place) has the version \
                \(own.versions[start].name), and the container the older one \(own.versions[end].name). A plan leads \
                to newer versions only: make the container with the newer version.
                """)
        }
        return StagedPlan(configuration: configuration, versions: own, start: start, end: end)
    }

    private func check(_ plan: StagedPlan, storeCount: Int) throws {
        let configuration = plan.configuration
        let reason: String? =
            if !configuration.allowsSave {
                "It doesn't allow saves. Migrate it with a configuration that does, or open a copy."
            } else if configuration.isDatabaseServer, plan.hasCode || plan.stages.count > 1 {
                """
                Plans with several stages, or with code, migrate files only. Open the store with one version after the \
                other, without a plan, and do the work of the closures in between.
                """
            } else if storeCount > 1, plan.hasCode {
                """
                A stage with code needs a container with one store, as its context has all models. Migrate this store \
                before, by a plan whose versions have its models only.
                """
            } else {
                nil
            }
        guard let reason else { return }
        throw SwiftDataError(
            .loadIssueModelContainer,
            """
            The store '\(configuration.name)' at \(configuration.place) has the version \
            \(plan.versions.versions[plan.start].name), and can't be migrated to \
            \(plan.versions.versions[plan.end].name). \(reason)
            """)
    }
}
