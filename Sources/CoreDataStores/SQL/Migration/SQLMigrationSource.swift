// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Finds the model that made a store, and says why there is no way from it to the model of the program.
package struct SQLMigrationSource {
    /// The path of the file, or the URL of the store without a password.
    private let path: String
    private let metadata: [String: Any]
    /// The version hashes of the store.
    private let hashes: [String: Data]
    private let destination: NSManagedObjectModel
    /// The version hashes that the store should have.
    private let expected: [String: Data]

    package init(
        path: String, metadata: [String: Any], destination: NSManagedObjectModel, expected: [String: Data]
    ) {
        self.path = path
        self.metadata = metadata
        hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
        self.destination = destination
        self.expected = expected
    }

    /// The schema of the store, from the first model whose version hashes agree with the store's: the model that the
    /// caller knows, the model in the store, a model of the program, or another version in the bundle of the
    /// destination.
    ///
    /// - Parameters:
    ///   - known: the model of the store, if the caller knows it.
    ///   - cached: reads the model in the store.
    ///   - make: the schema of a model with the version hashes of the store; nil if the model has other hashes.
    /// - Throws: `NSMigrationMissingSourceModelError` (134130) if no model has made the store.
    package func schema(
        known: NSManagedObjectModel?, cached: @escaping () throws -> NSManagedObjectModel?,
        _ make: (NSManagedObjectModel, [String: Data]) throws -> SQLSchema?
    ) throws -> SQLSchema {
        let merged = { NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata) }
        let version = {
            try? StoreIncompatibility.version(of: hashes, among: ModelVersion.known(besides: destination))?.model()
        }
        let candidates = [{ known?.copy() as? NSManagedObjectModel }, cached, merged, version]
        for candidate in candidates {
            guard let model = try candidate() else { continue }
            model.freeze()
            if let schema = try make(model, hashes) { return schema }
        }
        throw incompatibility(cachedModel: nil).missingSourceError(path: path, metadata: metadata)
    }

    /// The error of a store that needs a mapping model.
    ///
    /// - Parameter model: the model of the store.
    package func missingMapping(from model: NSManagedObjectModel) -> NSError {
        incompatibility(cachedModel: model).missingMappingError(path: path, from: model, to: destination)
    }

    private func incompatibility(cachedModel: NSManagedObjectModel?) -> StoreIncompatibility {
        StoreIncompatibility(
            storeHashes: hashes, expected: expected, model: destination, cachedModel: cachedModel)
    }
}
