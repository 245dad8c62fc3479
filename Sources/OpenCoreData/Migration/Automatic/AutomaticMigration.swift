// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// Migrates a store of another model when a coordinator adds it with `NSMigratePersistentStoresAutomaticallyOption`.
///
/// A store of a kind that migrates in place (``InPlaceMigratingStore``) is opened first. If it is of the current model,
/// nothing else is to be done. If it is of another model, it migrates itself, provided that its mapping model is
/// inferred. All other stores are migrated here: a manager makes a new store beside the old one, which then takes its
/// place in one step. A lock makes other processes wait; they find the new store.
struct AutomaticMigration {
    let model: NSManagedObjectModel
    let store: ClosedStore

    /// Opens the store. First removes the leftovers of a migration that ended early, and migrates the store if it
    /// exists and has other version hashes than the model.
    ///
    /// - Parameter make: makes the object of the store, which is not open yet.
    /// - Throws: `NSMigrationMissingSourceModelError` (134130), `NSMigrationMissingMappingModelError` (134140),
    ///   `NSInferredMappingModelError` (134190), and the errors of ``NSMigrationManager``: the store is then as before.
    ///   Also the errors of opening the store.
    func open(_ make: () -> NSPersistentStore) throws -> NSPersistentStore {
        if store.url.isFileURL, !store.isInMemory, !store.isOn(NSReadOnlyPersistentStoreOption) {
            MigrationLock.removeLeftovers(of: store.url)
        }
        if let manager = store.options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager {
            if store.url.isFileURL, store.exists {
                do { _ = try store.metadata() } catch { return try openWithoutMigration(make, error) }
            }
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

    /// Opens a store whose version couldn't be read: an empty database, no store, or a disk that fails for a moment. A
    /// migration to the model would skip the stages.
    ///
    /// - Throws: the error of reading the version if the store turns out to be of another model.
    private func openWithoutMigration(_ make: () -> NSPersistentStore, _ failure: any Error) throws -> NSPersistentStore
    {
        let opened = make()
        guard let migrating = opened as? any InPlaceMigratingStore else {
            try opened.loadMetadata()
            return opened
        }
        try migrating.loadMetadata { metadata, _ in
            if isOfOtherModel(metadata) { throw failure }
            return nil
        }
        return opened
    }

    /// The migration needs a manager.
    private struct ManagerNeeded: Error {}

    /// Opens a store that migrates itself in place; nil if a manager must migrate it first.
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

    /// Whether metadata belong to a store that the model can't open.
    private func isOfOtherModel(_ metadata: [String: Any]) -> Bool {
        guard let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata), !hashes.isEmpty else {
            return false
        }
        // A store of all entities can be opened with a configuration.
        return !model.isConfiguration(withName: store.configuration, compatibleWithStoreMetadata: metadata)
            && hashes != model.entityVersionHashesByName
    }

    /// The migration that the store needs; nil if it needs no migration, or migrates itself.
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

    /// Checks that the inferred mapping won't lead to a former version of the store.
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

    /// The matching mapping model of the program.
    ///
    /// - Throws: `NSMigrationError` (134110) if two different mapping models match.
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
