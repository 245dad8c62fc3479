import CoreDataModel
import OpenCoreData

/// Finds the model, or the hashes, behind a path that may name a model file or a store.
enum ModelSource {
    /// The model at `path`: of a model file, or the cached one of a store.
    static func model(at path: String) throws -> NSManagedObjectModel {
        let url = URL(fileURLWithPath: path)
        guard StoreFile.isStore(url) else { return try ModelFile.load(at: url) }
        do {
            return try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        } catch {
            // Told apart from a broken store, which the metadata would stumble over as well.
            _ = try StoreFile.metadata(at: url)
            throw CommandError(
                "The store \(path) holds no model that can be used (\(ErrorReport.text(for: error))). "
                    + "Name its model: a source or a compiled one.")
        }
    }

    /// The model at `path`: of a bundle the version of that name, or the current one without a name.
    static func model(at path: String, version: String?) throws -> NSManagedObjectModel {
        guard let version else { return try model(at: path) }
        return try versions(at: path).version(named: version).model()
    }

    /// The versions of the bundle at `path`.
    static func versions(at path: String) throws -> ModelVersions {
        guard let versions = try ModelVersions(at: path) else {
            throw CommandError("\(path) has no versions: it is one model. Name a bundle (.xcdatamodeld or .momd).")
        }
        return versions
    }

    /// The version hashes at `path`: computed from a model file, or as the metadata of a store have them.
    static func versionHashes(at path: String) throws -> [String: Data] {
        let url = URL(fileURLWithPath: path)
        guard StoreFile.isStore(url) else { return try ModelFile.load(at: url).entityVersionHashesByName }
        guard let hashes = try StoreFile.metadata(at: url)[NSStoreModelVersionHashesKey] as? [String: Data] else {
            throw CommandError("The metadata of the store \(path) have no version hashes.")
        }
        return hashes
    }
}
