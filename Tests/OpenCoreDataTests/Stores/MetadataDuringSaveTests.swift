import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// Metadata that is set while a save runs.
@Suite("Metadata set during a save")
struct MetadataDuringSaveTests {
    @Test("The next save writes it", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func nextSave(_ type: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("store")
        let item = NSEntityDescription()
        item.name = "Item"
        let model = NSManagedObjectModel()
        model.entities = [item]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        func set(_ key: String) {
            coordinator.setMetadata(coordinator.metadata(for: store).merging([key: "set"]) { $1 }, for: store)
        }
        set("first")
        let snapshots = try requireValue(store.snapshotStore)
        // The file has its new contents when the block runs, but not yet its name.
        _ = try snapshots.save(StoreChanges(coordinator.layouts)) { set("second") }
        expectTrue(snapshots.hasMetadataChanges)
        try coordinator.saveMetadata()
        expectFalse(snapshots.hasMetadataChanges)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        #expect(metadata["first"] as? String == "set")
        #expect(metadata["second"] as? String == "set")
    }
}
