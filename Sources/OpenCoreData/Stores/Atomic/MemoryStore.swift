/// The store of type `NSInMemoryStoreType`. Its rows are freed with it.
final class MemoryStore: NSPersistentStore, MemoryBackedStore, @unchecked Sendable {
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

    func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        try database.save(changes, beforeCommit: beforeCommit)
    }
}
