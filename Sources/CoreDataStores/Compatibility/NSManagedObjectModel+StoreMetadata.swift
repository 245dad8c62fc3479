// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectModel {
    /// The configuration whose entities have the version hashes of a store: nil for all entities, or if there is none.
    package final func configuration(compatibleWithStoreMetadata metadata: [String: Any]) -> String? {
        if isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return nil }
        return configurations.first { isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
    }
}
