// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectModel {
    /// The version hashes in the metadata of a store; nil if there are none.
    package static func versionHashes(inStoreMetadata metadata: [String: Any]) -> [String: Data]? {
        guard let hashes = metadata["NSStoreModelVersionHashes"] else { return nil }
        if let hashes = hashes as? [String: Data] { return hashes }
        guard let dictionary = hashes as? NSDictionary else { return nil }
        var result: [String: Data] = [:]
        for (key, value) in dictionary {
            guard let name = key as? String, let hash = value as? Data else { return nil }
            result[name] = hash
        }
        return result
    }

    final func computeEntityVersionHashes() -> [String: Data] {
        Dictionary(entityStorage.map { ($0.nameStorage ?? "", $0.versionHash) }, uniquingKeysWith: { $1 })
    }
}
