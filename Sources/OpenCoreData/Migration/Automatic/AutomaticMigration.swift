// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// Migrates a store of another model when a coordinator adds it with `NSMigratePersistentStoresAutomaticallyOption`.
///
/// A store of a kind that migrates in place (``InPlaceMigratingStore``) is opened first. One of the current model needs
/// nothing else; one of another model migrates itself, if its mapping model is inferred. All other stores are migrated
/// here: a manager makes a new store beside the old one, which then takes its place in one step. A lock has other
/// processes wait; they find the new store.
struct AutomaticMigration {
    let model: NSManagedObjectModel
    let store: ClosedStore

    /// Opens the store. Before, removes what a migration that ended early has left, and migrates the store if it exists
    /// and its version hashes are not those of the model.
    ///
    /// - Parameter make: makes the object of the store, which is not open yet.
    /// - Throws: `NSMigrationMissingSourceModelError` (134130), `NSMigrationMissingMappingModelError` (134140),
    ///   `NSInferredMappingModelError` (134190), and what ``NSMigrationManager`` throws: the store is then as before.
    ///   The errors of opening the store.
    func open(_ make: () -> NSPersistentStore) throws -> NSPersistentStore {
        if store.url.isFileURL, !store.isInMemory, !store.isOn(NSReadOnlyPersistentStoreOption) {
            MigrationLock.removeLeftovers(of: store.url)
        }
        if let manager = store.options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager {
            try StagedMigration(manager: manager, model: model, store: store).runIfNeeded()
        }
        if store.isOn(NSMigratePersistentStoresAutomaticallyOption), !store.isOn(NSReadOnlyPersistentStoreOption),
            !store.isOn(NSIgnorePersistentStoreVersioningOption), store.url.isFileURL, store.exists
        {
            if try store.operations is any InPlaceMigratingStore.Type {
                if let opened = try openUnlessManaged(make) { return opened }
                try migrateByManager()
            } else if try nextStep() != nil {
                try migrateByManager()
            }
        }
        let opened = make()
        try opened.loadMetadata()
        return opened
    }

    /// The migration needs a manager.
    private struct ManagerNeeded: Error {}

    /// Opens a store that migrates itself in place; nil if a manager has to migrate it before.
    private func openUnlessManaged(_ make: () -> NSPersistentStore) throws -> NSPersistentStore? {
        guard let opened = make() as? any InPlaceMigratingStore else { return nil }
        do {
            try opened.loadMetadata { metadata, cached in
                guard isOfOtherModel(metadata),
                    let source = SourceModels.model(metadata: metadata, cached: cached, besides: model)
                else { return nil }
                guard try mappingModel(from: source) == nil else { throw ManagerNeeded() }
                try checkVersion(metadata)
                return source
            }
            return opened
        } catch is ManagerNeeded {
            return nil
        }
    }

    private func migrateByManager() throws {
        try MigrationLock.withLock(of: store) {
            // Another process may have migrated the store while this one waited.
            guard let step = try nextStep() else { return }
            try ReplacingMigration(
                store: store, source: step.source, destination: model, mapping: step.mapping,
                isExplicit: !step.isInferred
            ).run()
        }
    }

    // MARK: What to do

    /// A migration with a manager.
    private struct Step {
        let source: NSManagedObjectModel
        let mapping: NSMappingModel
        var isInferred = false
    }

    /// Whether metadata are those of a store that the model can't open.
    private func isOfOtherModel(_ metadata: [String: Any]) -> Bool {
        guard let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata), !hashes.isEmpty else {
            return false
        }
        // A store of all entities can be opened with a configuration.
        return !model.isConfiguration(withName: store.configuration, compatibleWithStoreMetadata: metadata)
            && hashes != model.entityVersionHashesByName
    }

    /// The migration that the store needs; nil if it needs none, or migrates itself.
    private func nextStep() throws -> Step? {
        // Opening the store reports what is wrong with its file.
        guard let metadata = try? store.metadata(), isOfOtherModel(metadata) else { return nil }
        let source = SourceModels.model(metadata: metadata, cached: try? store.cachedModel(), besides: model)
        if let source, let mapping = try mappingModel(from: source) { return Step(source: source, mapping: mapping) }
        // The store finds its model itself, and says what is missing.
        if try store.operations is any InPlaceMigratingStore.Type { return nil }
        guard let source else { throw SourceModels.missingError(store, metadata, model: model) }
        try checkVersion(metadata)
        guard store.isOn(NSInferMappingModelAutomaticallyOption) else {
            throw SourceModels.missingMappingError(store, metadata, from: source, to: model)
        }
        do {
            return Step(
                source: source,
                mapping: try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: model),
                isInferred: true)
        } catch {
            throw CoreDataErrors.adding(store.errorInfo, to: error as NSError)
        }
    }

    /// Checks that the mapping which is going to be inferred leads to no former version of the store.
    private func checkVersion(_ metadata: [String: Any]) throws {
        try FormerModelVersions.check(
            metadata, hashes: hashes, model: model,
            isAllowed: store.isOn(NSMigratePersistentStoresToFormerVersionOption), store: store.url.path)
    }

    /// The version hashes that the store has after the migration.
    private var hashes: [String: Data] {
        AtomicStoreMetadata.versionHashes(
            of: model, store.configuration ?? NSManagedObjectModel.defaultConfigurationName)
    }

    /// The mapping model of the program that fits.
    ///
    /// - Throws: `NSMigrationError` (134110) for two different ones.
    private func mappingModel(from source: NSManagedObjectModel) throws -> NSMappingModel? {
        let fitting = MigrationRoute.KnownMapping.load(MappingModelSearch.files(besides: model))
            .filter { $0.model.matches(from: source, to: model) }
        guard let first = fitting.first else { return nil }
        if let other = fitting.first(where: { !$0.model.isEqual(first.model) }) {
            throw MigrationErrors.ambiguous(first, other, store.errorInfo)
        }
        return first.model
    }
}
