// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// **Extension**: a path from the version of a store to another version of its model. Each step of the path has a
/// mapping model or is inferred.
///
/// Mapping models take precedence over inference: an inferred step doesn't skip versions between which a mapping model
/// exists, if there is another path. Among such paths the shortest is taken.
///
/// ```swift
/// func migrate(_ store: URL, to model: NSManagedObjectModel, of bundle: URL) throws {
///     let versions = try NSManagedObjectModel.versions(ofModelAt: bundle)
///     let migration = try ProgressiveMigration(
///         ofPersistentStoreAt: store, type: .sqlite, to: model, through: versions)
///     for step in migration.steps { print(step.isInferred ? "inferred" : "mapped") }
///     try migration.migrateStore(at: store, type: .sqlite)
/// }
/// ```
///
/// Automatic migration needs one mapping model from the store's version to the newest. With a progressive migration
/// each version needs only a mapping model from the version before it.
///
/// A migration is made and used on one thread.
public struct ProgressiveMigration {
    /// The migration between two versions.
    public struct Step {
        /// The older version.
        public let sourceModel: NSManagedObjectModel
        /// The newer version.
        public let destinationModel: NSManagedObjectModel
        /// A mapping model of the program, or the inferred one.
        public let mappingModel: NSMappingModel
        /// Whether the mapping model is inferred.
        public let isInferred: Bool
    }

    /// The steps; none if the store has the version already.
    public let steps: [Step]

    /// Finds the path between two versions.
    ///
    /// - Parameters:
    ///   - sourceModel: the version to begin with.
    ///   - destinationModel: the version to end with.
    ///   - models: versions that the path may pass through, the older versions first. Versions that were read from one
    ///     bundle may have any order.
    ///   - mappingModels: mapping models for the steps. They take precedence over inference.
    ///   - bundles: bundles whose resources contain mapping models; nil for the main bundle and the resource bundles
    ///     beside the program.
    /// - Throws: `NSMigrationMissingMappingModelError` (134140) if there is no path. The error names the changes that
    ///   can't be inferred between the two versions.
    public init(
        from sourceModel: NSManagedObjectModel, to destinationModel: NSManagedObjectModel,
        through models: [NSManagedObjectModel], mappingModels: [NSMappingModel] = [], bundles: [Bundle]? = nil
    ) throws {
        if sourceModel.entityVersionHashesByName == destinationModel.entityVersionHashesByName {
            self.init(steps: [])
            return
        }
        let mappings =
            mappingModels.map { MigrationRoute.KnownMapping($0) }
            + MigrationRoute.KnownMapping.load(MappingModelSearch.files(in: bundles))
        guard
            let route = MigrationRouteSearch(
                from: sourceModel, to: destinationModel, through: ModelVersion.ordered(models), mappings
            ).route()
        else { throw Self.noRoute(sourceModel, destinationModel, versionCount: models.count) }
        try self.init(route)
    }

    private init(steps: [Step]) { self.steps = steps }

    /// The steps of a route.
    ///
    /// - Throws: the errors of inference, if a step can't be inferred after all.
    package init(_ route: MigrationRoute) throws {
        steps = try route.steps.map { step in
            switch step.way {
            case .mappingModel(let known):
                Step(
                    sourceModel: step.source, destinationModel: step.destination, mappingModel: known.model,
                    isInferred: false)
            case .inferred:
                Step(
                    sourceModel: step.source, destinationModel: step.destination,
                    mappingModel: try NSMappingModel.inferredMappingModel(
                        forSourceModel: step.source, destinationModel: step.destination),
                    isInferred: true)
            }
        }
    }

    private static func noRoute(
        _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel, versionCount: Int
    ) -> NSError {
        let problems = LightweightMapping.problems(from: source, to: destination).map(\.text)
        return CoreDataErrors.error(
            NSMigrationMissingMappingModelError,
            "No chain of \(Wording.count(versionCount, "version")) leads to the model.",
            reason: "Can't find mapping model for migration. None can be inferred: "
                + problems.joined(separator: " "),
            suggestion: "Add a mapping model for one of the steps.",
            userInfo: ["sourceModel": source, "destinationModel": destination])
    }

    /// Finds the path from the version of a store.
    ///
    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - type: its type.
    ///   - options: its options.
    ///   - destinationModel: the version to end with.
    ///   - models: versions that the path may pass through, in the same order as for the other initializer. They must
    ///     include the store's version, unless the store contains its model (SQLite).
    ///   - mappingModels: mapping models for the steps.
    ///   - bundles: bundles whose resources contain mapping models, as for the other initializer.
    /// - Throws: the errors of reading metadata, `NSMigrationMissingSourceModelError` (134130) if none of the models is
    ///   the model of the store, `NSMigrationMissingMappingModelError` (134140) if there is no path.
    public init(
        ofPersistentStoreAt url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil,
        to destinationModel: NSManagedObjectModel, through models: [NSManagedObjectModel],
        mappingModels: [NSMappingModel] = [], bundles: [Bundle]? = nil
    ) throws {
        let store = ClosedStore(url: url, type: type.rawValue, options: options)
        let metadata = try store.metadata()
        if destinationModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
            self.init(steps: [])
            return
        }
        guard
            let source = models.first(where: {
                $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
            })
                ?? SourceModels.model(
                    metadata: metadata, cached: try? store.cachedModel(), besides: destinationModel)
        else { throw SourceModels.missingError(store, metadata, model: destinationModel) }
        try self.init(
            from: source, to: destinationModel, through: models, mappingModels: mappingModels, bundles: bundles)
    }

    /// Migrates a store, step by step.
    ///
    /// A single inferred step of a SQLite store happens in place. Otherwise the steps happen in a copy beside the
    /// store, which replaces the store in one step at the end. The store is as before if the method throws, and if the
    /// process ends during the migration. If the program defines the type of the store, this holds for each step
    /// instead, because the library makes no copy of such a store. Other processes that migrate the store in this way
    /// wait. So do saves: they throw `NSPersistentStoreTimeoutError` (134090) after the timeout of their store, and
    /// 134100 once the store is migrated.
    ///
    /// - Parameters:
    ///   - url: the URL of the store, which must not be open.
    ///   - type: its type.
    ///   - options: its options.
    ///   - progress: called at the beginning of each step, and during a step, with the part of the step that is done,
    ///     from 0 to 1. An error ends the migration.
    /// - Throws: the errors of ``NSMigrationManager``, of lightweight migration, and of `progress`.
    public func migrateStore(
        at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil,
        progress: (Step, Float) throws -> Void = { _, _ in }
    ) throws {
        let store = ClosedStore(url: url, type: type.rawValue, options: options)
        try MigrationLock.withLock(of: store) {
            guard try isNeeded(by: store) else { return }
            guard steps.count > 1, let stores = try store.operations as? any ReplaceableStore.Type else {
                return try migrateInPlace(store, progress)
            }
            try StoreReplacement(of: store).run(unless: { try !isNeeded(by: store) }) { copy in
                try stores.replace(at: copy, options: options, from: url, sourceOptions: options)
                try migrateInPlace(ClosedStore(url: copy, type: store.type, options: options), progress)
            }
        }
    }

    /// Whether a store is of the first version. Otherwise another process has migrated it already.
    private func isNeeded(by store: ClosedStore) throws -> Bool {
        guard let first = steps.first else { return false }
        return first.sourceModel.hasConfiguration(compatibleWithStoreMetadata: try store.metadata())
    }

    private func migrateInPlace(_ store: ClosedStore, _ progress: (Step, Float) throws -> Void) throws {
        for (index, step) in steps.enumerated() {
            try step.migrate(store, isLast: index == steps.count - 1) { try progress(step, $0) }
        }
    }
}

extension ProgressiveMigration.Step {
    /// Migrates a store in its place.
    ///
    /// - Parameter isLast: whether no other step follows.
    func migrate(_ store: ClosedStore, isLast: Bool, progress: (Float) throws -> Void) throws {
        try progress(0)
        if isInferred {
            return try store.migrateByInference(
                from: sourceModel, to: destinationModel, isLast: isLast, progress: progress)
        }
        try ReplacingMigration(
            store: store, source: sourceModel, destination: destinationModel, mapping: mappingModel
        ).run(progress: progress)
    }
}

extension NSManagedObjectModel {
    /// Whether a store was made from the model, or from one of its configurations.
    package final func hasConfiguration(compatibleWithStoreMetadata metadata: [String: Any]) -> Bool {
        ([nil] + configurations.map(Optional.some))
            .contains { isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
    }

    /// **Extension**: all versions of a model.
    ///
    /// - Parameter url: a compiled or source model (`.momd`, `.xcdatamodeld`), or a single version.
    /// - Returns: the versions, sorted by name.
    /// - Throws: the errors of reading the files, in `NSCocoaErrorDomain`.
    public static func versions(ofModelAt url: URL) throws -> [NSManagedObjectModel] {
        try ModelSearch.allVersions(of: url)
    }
}
