// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The entities of a store that a plan may migrate.
struct StoreVersion {
    let hashes: [String: Data]
    private let configuration: ModelConfiguration

    /// Reads the metadata of a store; nil if the store doesn't exist yet.
    ///
    /// - Throws: ``UnreadableStore`` if the metadata can't be read.
    init?(_ configuration: ModelConfiguration) throws {
        guard !configuration.isStoredInMemoryOnly else { return nil }
        let type = configuration.isDatabaseServer ? "PostgreSQL" : NSSQLiteStoreType
        if configuration.url.isFileURL {
            let attributes = try? FileManager.default.attributesOfItem(atPath: configuration.url.path)
            guard let size = attributes?[.size] as? NSNumber, size.int64Value > 0 else { return nil }
        }
        let metadata: [String: Any]
        do {
            metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: type, at: configuration.url, options: nil)
        } catch {
            throw UnreadableStore(configuration: configuration, cause: error)
        }
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty else {
            return nil
        }
        self.hashes = hashes
        self.configuration = configuration
    }

    /// The names of the entities that the store has or will have.
    func names(in schema: Schema, isOnly: Bool) -> Set<String>? {
        guard !isOnly, let own = configuration.schema else { return nil }
        return Set(hashes.keys).union(own.entities.map(\.name))
    }

    // MARK: Errors

    /// `SwiftDataError.unknownDataStoreSchema`: no version fits the store.
    func unknown(among versions: PlanVersions) -> SwiftDataError {
        let cached = try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: configuration.url)
        let nearest = versions.versions.max { likeness($0) < likeness($1) }
        let known = versions.versions.map(\.name).joined(separator: ", ")
        let difference = nearest.map {
            """
             The nearest version is \($0.name). \(ModelDifferences.text(from: hashes, cached, to: $0.model))
            """
        }
        return SwiftDataError(
            .unknownDataStoreSchema,
            """
            The store '\(configuration.name)' at \(configuration.place) has none of the versions of \(versions.plan): \
            \(known).\(difference ?? "") Add the version that has made the store to the plan.
            """)
    }

    /// The likeness of a version and the store: the number of entities with equal hashes, minus the number of all other
    /// entities.
    private func likeness(_ version: PlanVersion) -> Int {
        let all = version.hashes
        return Set(hashes.keys).union(all.keys).reduce(0) { $0 + (hashes[$1] == all[$1] ? 1 : -1) }
    }
}

/// A store whose metadata can't be read: an empty database, no store, or a disk that fails for a moment. Its version is
/// not known, so a migration to the container's schema could skip the stages of a plan.
struct UnreadableStore: Error {
    let configuration: ModelConfiguration
    let cause: any Error

    var error: SwiftDataError { ContainerStores.unopenable(configuration, cause) }
}
