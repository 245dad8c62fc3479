// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The migration of a container's stores by its plan, before they are opened.
///
/// Without a plan, or with a plan without versions, opening a store migrates it by a lightweight migration straight to
/// the container's schema.
struct ContainerMigration {
    private let versions: PlanVersions?
    private let model: SchemaModel

    /// Checks the plan.
    ///
    /// - Throws: `SwiftDataError.loadIssueModelContainer` for mistakes in the plan.
    init(_ plan: (any SchemaMigrationPlan.Type)?, to model: SchemaModel) throws {
        let versions = try plan.map { try PlanVersions($0) }
        self.versions = versions?.versions.isEmpty == false ? versions : nil
        self.model = model
        if let versions = self.versions, versions.index(of: model.entityVersionHashesByName) == nil {
            CoreDataLog.warning(Self.withoutEnd(versions, model))
        }
    }

    private static func withoutEnd(_ versions: PlanVersions, _ model: SchemaModel) -> String {
        let last = versions.versions.last.map {
            " Compared with the last one, \($0.name): \(ModelDifferences.text(from: $0.hashes, $0.model, to: model))"
        }
        return """
            The migration plan \(versions.plan) doesn't lead to the container's schema, which is none of its \
            versions.\(last ?? "") Make the container with the models of a version of the plan.
            """
    }

    /// Migrates the stores that have an older version.
    ///
    /// - Returns: the stores whose versions can't be read; none without a plan.
    /// - Throws: `SwiftDataError.unknownDataStoreSchema`, `SwiftDataError.backwardMigration`,
    ///   `SwiftDataError.loadIssueModelContainer`, and the errors of the stages' closures.
    func run(
        _ configurations: [ModelConfiguration], timeout: TimeInterval? = nil,
        progress: ((MigrationProgress) throws -> Void)? = nil
    ) throws -> [UnreadableStore] {
        var unreadable: [UnreadableStore] = []
        let plans = try configurations.compactMap { configuration -> StagedPlan? in
            do {
                return try stagedPlan(of: configuration, isOnly: configurations.count == 1)
            } catch let store as UnreadableStore {
                unreadable.append(store)
                return nil
            }
        }
        for plan in plans { try check(plan, storeCount: configurations.count) }
        // A server's store migrates itself when it is opened.
        for plan in plans where !plan.configuration.isDatabaseServer {
            try plan.run(timeout: timeout, progress: progress)
        }
        return unreadable
    }

    /// The stages that a store needs; nil if it has the version of the container, or doesn't exist.
    ///
    /// - Throws: `UnreadableStore`, and the errors of ``run(_:timeout:progress:)``.
    func stagedPlan(of configuration: ModelConfiguration, isOnly: Bool) throws -> StagedPlan? {
        guard let versions, let store = try StoreVersion(configuration) else { return nil }
        // A store of the container's schema needs no migration, even if the plan doesn't end in this schema.
        if isOfModel(store, configuration, isOnly: isOnly) { return nil }
        guard let position = versions.index(of: model.entityVersionHashesByName) else {
            throw SwiftDataError(.loadIssueModelContainer, Self.withoutEnd(versions, model))
        }
        let target = versions.versions[position]
        let names = store.names(in: target.schema, isOnly: isOnly)
        let own = try names.map { try versions.reduced(to: $0) } ?? versions
        guard let end = own.index(of: try names.map { try target.reduced(to: $0) }?.hashes ?? target.hashes) else {
            return nil
        }
        guard let start = own.index(of: store.hashes) else { throw store.unknown(among: own) }
        if start == end { return nil }
        guard start < end else {
            if let back = own.backward(from: start, to: end) {
                return StagedPlan(
                    configuration: configuration, versions: back, start: 0, end: back.versions.count - 1)
            }
            throw SwiftDataError(
                .backwardMigration,
                """
                The store '\(configuration.name)' at \(configuration.place) has the version \
                \(own.versions[start].name), and the container the older one \(own.versions[end].name). No \
                stage leads back: make the container with the newer version.
                """)
        }
        return StagedPlan(configuration: configuration, versions: own, start: start, end: end)
    }

    /// Whether a store has the version of the container.
    private func isOfModel(_ store: StoreVersion, _ configuration: ModelConfiguration, isOnly: Bool) -> Bool {
        let isPart = !isOnly && configuration.schema != nil
        return model.isConfiguration(
            withName: isPart ? configuration.name : nil,
            compatibleWithStoreMetadata: [NSStoreModelVersionHashesKey: store.hashes])
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
