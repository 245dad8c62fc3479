// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Makes an empty store.
struct StoreCreation {
    let location: StoreLocation
    let modelPath: String

    /// Makes the store of the model, if there is none. The extension of a file selects the type, as for copies.
    func createIfMissing() throws {
        guard location.isOnServer || !FileManager.default.fileExists(atPath: location.url.path) else { return }
        guard let model = try ModelSource.model(at: modelPath).copy() as? NSManagedObjectModel else {
            throw CommandError("The model \(modelPath) can't be copied.")
        }
        // This process doesn't have the classes of the model.
        model.ignoresClassNames = true
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            type: location.newStoreType, configuration: nil, at: location.url,
            options: [NSMigratePersistentStoresAutomaticallyOption: false])
        try coordinator.remove(store)
    }
}
