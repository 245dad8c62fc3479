// SPDX-License-Identifier: Apache-2.0

/// The store of type `NSInMemoryStoreType`. Its rows are freed with it.
final class MemoryStore: NSPersistentStore, SnapshotStore, @unchecked Sendable {
    let database = MemoryDatabase()

    override var type: String { NSInMemoryStoreType }

    override func loadMetadata() throws {
        guard let coordinator = persistentStoreCoordinator else { return }
        database.open(identity, layouts: coordinator.layouts)
        let model = coordinator.managedObjectModel
        metadata = [
            NSStoreTypeKey: type,
            NSStoreUUIDKey: identifier as Any,
            NSStoreModelVersionHashesKey: AtomicStoreMetadata.versionHashes(of: model, configurationName),
            NSStoreModelVersionIdentifiersKey: Array(model.versionIdentifiers),
        ]
    }
}

extension MemoryStore: ClosedStoreOperations {
    static func isInMemory(at url: URL) -> Bool { true }

    static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        [NSStoreTypeKey: NSInMemoryStoreType]
    }

    static func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {}
}
