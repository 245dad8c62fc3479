// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// Stores in a temporary folder, which show what a migration does.
enum TrialStore {
    /// The numbers of objects before and after a migration.
    struct Result {
        struct Row {
            let entity: String
            let before: Int?
            let after: Int?
        }

        let summary: String
        let counts: [Row]
        /// The objects and values that the migration deletes; nil without a migration, and if it isn't known.
        var loss: LossReport?
    }

    /// The steps of a migration of an empty SQLite store, as `coredata store doctor --steps` shows them.
    static func steps(from old: NSManagedObjectModel, to new: NSManagedObjectModel) throws -> [String] {
        try inTemporaryFolder { folder in
            let url = folder.appendingPathComponent("Empty.sqlite")
            let source = copy(old)
            source.ignoresClassNames = true
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: source)
            let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
            try coordinator.remove(store)
            return try MigrationSteps(of: StoreLocation(url.path), from: source, to: copy(new)).lines
        }
    }

    /// Migrates a copy of a store.
    ///
    /// - Throws: `CommandError` and Core Data's errors for a store that can't be copied or migrated.
    ///
    /// - Parameters:
    ///   - location: the store.
    ///   - model: the model to migrate to.
    static func migration(of location: StoreLocation, to model: NSManagedObjectModel) throws -> Result {
        guard !location.isOnServer else {
            throw CommandError(
                """
                The dry run copies files, and \(location.text) is on a server. Make a file of it first: coredata store \
                backup \(location.text) Copy.sqlite
                """)
        }
        return try inTemporaryFolder { folder in
            let url = folder.appendingPathComponent("Copy.sqlite")
            let type = try StoreFile.type(of: location.url)
            try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
                at: url, withPersistentStoreFrom: location.url, type: type)
            let target = copy(model)
            let metadata = try StoreFile.metadata(at: url)
            if target.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
                let counts = try ReadOnlyStore.counts(at: url, copy(target)).map {
                    Result.Row(entity: $0.key, before: $0.value, after: $0.value)
                }
                return Result(
                    summary: "The store opens with this version as it is: no migration.",
                    counts: counts.sortedBytewise { $0.entity })
            }
            let source = try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
            let before = source.flatMap { try? ReadOnlyStore.counts(at: url, copy($0)) }
            let loss = try source.flatMap { try Self.loss(url, metadata, from: $0, to: target) }
            StoredBytesTransformer.use(in: target)
            target.ignoresClassNames = true
            let start = ContinuousClock.now
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: target)
            let store = try coordinator.addPersistentStore(
                type: type, at: url,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ])
            try coordinator.remove(store)
            let time = start.duration(to: .now).formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow))
            let after = try ReadOnlyStore.counts(at: url, copy(model))
            let names = Set(after.keys).union((before ?? [:]).keys).sorted()
            return Result(
                summary: "The copy was migrated in \(time).",
                counts: names.map { Result.Row(entity: $0, before: before?[$0], after: after[$0]) }, loss: loss)
        }
    }

    /// The losses that `coredata store doctor` finds; nil if there is no way.
    private static func loss(
        _ url: URL, _ metadata: [String: Any], from source: NSManagedObjectModel, to target: NSManagedObjectModel
    ) throws -> LossReport? {
        let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
        let incompatibility = StoreIncompatibility(
            storeHashes: hashes,
            expected: StoreIncompatibility.expectedHashes(of: target, source: source, storeHashes: hashes),
            model: target, cachedModel: source, versions: [], mappings: [], passesVersions: false)
        return try incompatibility.route.map { try LossReport(of: $0, at: url) }
    }

    /// A coordinator freezes its model.
    private static func copy(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
        model.copy() as? NSManagedObjectModel ?? model
    }

    private static func inTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
