// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Why a model can't open a store: what differs, which version made the store, and what would bridge the gap.
///
/// Errors and `coredata store doctor` say the same, since both use it.
package struct StoreIncompatibility {
    /// The entities of both whose version hashes differ, sorted.
    package let changedEntities: [String]
    /// The entities that only the store has, sorted.
    package let removedEntities: [String]
    /// The entities that only the model has, sorted.
    package let addedEntities: [String]
    /// The model that made the store: the cached model in the store, or else a known version. Nil if neither is known.
    package let sourceModel: NSManagedObjectModel?
    /// The known version that made the store.
    let sourceVersion: ModelVersion?
    /// Whether the current version of a bundle made the store, and the model is an older version of that bundle: an
    /// older program opens the store of a newer program.
    let isStoreNewer: Bool
    /// The known version that shares most entities with a store which no known version has made.
    package let nearestVersion: ModelVersion?
    /// The entities in which the nearest version differs from the store, sorted.
    package let entitiesUnlikeNearest: [String]
    /// The changes from the source model to the model, as far as it changes version hashes. Empty without a source
    /// model.
    package let differences: [ModelDifference]
    /// The way to migrate the store; nil if there is none, or without a source model.
    package let route: MigrationRoute?
    /// The search for the way; nil without a source model.
    package let search: MigrationRouteSearch?
    /// Why the change can't be inferred in one step; empty if it can.
    package let inferenceProblems: [InferenceProblem]

    /// Compares a store with a model.
    ///
    /// - Parameters:
    ///   - hashes: the version hashes in the store's metadata.
    ///   - expected: the version hashes of the model's entities that the store should have.
    ///   - model: the model that can't open the store.
    ///   - cachedModel: the model in the store.
    ///   - versions: the versions among which the source is sought.
    ///   - mappings: the mapping models that may bridge the gap.
    ///   - passesVersions: whether a migration may have several steps, through the versions.
    package init(
        storeHashes hashes: [String: Data], expected: [String: Data], model: NSManagedObjectModel,
        cachedModel: NSManagedObjectModel?, versions: [ModelVersion], mappings: [MigrationRoute.KnownMapping],
        passesVersions: Bool
    ) {
        changedEntities = hashes.keys.filter { expected[$0] != nil && expected[$0] != hashes[$0] }.sortedBytewise()
        removedEntities = hashes.keys.filter { expected[$0] == nil }.sortedBytewise()
        addedEntities = expected.keys.filter { hashes[$0] == nil }.sortedBytewise()
        let made = Self.version(of: hashes, among: versions)
        sourceVersion = made
        isStoreNewer =
            made?.bundle != nil && made?.isCurrent == true
            && versions.contains {
                $0.bundle == made?.bundle && !$0.isCurrent && $0.versionHashes == model.entityVersionHashesByName
            }
        nearestVersion = made == nil ? ModelVersion.nearest(to: hashes, among: versions) : nil
        entitiesUnlikeNearest =
            nearestVersion.map { nearest in
                Set(hashes.keys).union(nearest.versionHashes.keys)
                    .filter { hashes[$0] != nearest.versionHashes[$0] }.sortedBytewise()
            } ?? []
        let source = Self.sourceModel(of: hashes, cachedModel, made)
        sourceModel = source
        guard let source else {
            (differences, route, search, inferenceProblems) = ([], nil, nil, [])
            return
        }
        let names = Set(changedEntities + removedEntities + addedEntities)
        differences = ModelComparison(from: source, to: model, scope: .storedPart).differences.filter {
            $0.changesVersionHash && names.contains($0.entity ?? "")
        }
        inferenceProblems = LightweightMapping.problems(from: source, to: model)
        let search = MigrationRouteSearch(
            from: source, to: model, through: passesVersions ? versions : [], mappings)
        self.search = search
        route = search.route()
    }

    /// Compares a store with a model, with the versions and mapping models that the program knows.
    package init(
        storeHashes hashes: [String: Data], expected: [String: Data], model: NSManagedObjectModel,
        cachedModel: NSManagedObjectModel?
    ) {
        self.init(
            storeHashes: hashes, expected: expected, model: model, cachedModel: cachedModel,
            versions: ModelVersion.known(besides: model),
            // The migration itself reports files that can't be read.
            mappings: MigrationRoute.KnownMapping.load(MappingModelSearch.files(besides: model)) { _ in },
            passesVersions: false)
    }

    // MARK: The source

    /// The version of the model that made a store. A version whose entities are exactly the store's comes before a
    /// version with further entities.
    package static func version(of hashes: [String: Data], among versions: [ModelVersion]) -> ModelVersion? {
        versions.first { $0.versionHashes == hashes } ?? versions.first { made(hashes, by: $0.versionHashes) }
    }

    /// The model that made a store: the cached model in the store, if the version hashes agree with it, or else the
    /// model of a version.
    package static func sourceModel(
        of hashes: [String: Data], _ cachedModel: NSManagedObjectModel?, _ version: ModelVersion?
    ) -> NSManagedObjectModel? {
        if let cachedModel {
            if cachedModel.firstProblem() == nil { cachedModel.freeze() }
            if made(hashes, by: cachedModel.entityVersionHashesByName) { return cachedModel }
        }
        return try? version?.model()
    }

    /// Whether a model made a store, perhaps with one of its configurations.
    private static func made(_ hashes: [String: Data], by model: [String: Data]) -> Bool {
        !hashes.isEmpty && hashes.allSatisfy { model[$0.key] == $0.value }
    }

    /// The configuration of a model that has exactly the store's entities; nil for a store with all entities, or if no
    /// configuration fits.
    package static func configuration(of model: NSManagedObjectModel, storeHashes hashes: [String: Data]) -> String? {
        let names = Set(hashes.keys)
        if names == Set(model.entitiesByName.keys) { return nil }
        return model.configurations.first { name in
            Set((model.entities(forConfigurationName: name) ?? []).compactMap(\.name)) == names
        }
    }

    /// The configuration for a store in another version of its model: the configuration with the same name.
    ///
    /// - Parameter source: the model that made the store; nil if it isn't known.
    package static func configuration(
        of model: NSManagedObjectModel, source: NSManagedObjectModel?, storeHashes hashes: [String: Data]
    ) -> String? {
        guard let source else { return configuration(of: model, storeHashes: hashes) }
        return configuration(of: source, storeHashes: hashes).flatMap { model.configurations.contains($0) ? $0 : nil }
    }

    /// The version hashes that a store should have for another version of its model. They contain the entities of the
    /// store's configuration.
    package static func expectedHashes(
        of model: NSManagedObjectModel, source: NSManagedObjectModel?, storeHashes hashes: [String: Data]
    ) -> [String: Data] {
        let all = model.entityVersionHashesByName
        guard let configuration = configuration(of: model, source: source, storeHashes: hashes),
            let members = model.entities(forConfigurationName: configuration)
        else { return all }
        let names = Set(members.compactMap(\.name))
        return all.filter { names.contains($0.key) }
    }
}
