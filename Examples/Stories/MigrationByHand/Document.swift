import CoreData

/// A document: a store of any type that carries the number of its version in its metadata.
struct Document {
    static let versionKey = "DocumentVersion"
    static let currentVersion = 1

    let url: URL
    let type: String

    /// The number in the metadata, which are read without opening the store; 0 if there is none.
    func version() throws -> Int {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url, options: nil)
        return (metadata[Self.versionKey] as? NSNumber)?.intValue ?? 0
    }

    static func model(_ version: Int) throws -> NSManagedObjectModel {
        try StoryModels("MigrationByHand").model("Document\(version)")
    }

    /// A context on stores of one version. New stores get its number.
    ///
    /// - Parameter documents: the documents by configuration; nil for all entities.
    static func open(_ documents: [(document: Document, configuration: String?)], version: Int) throws
        -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model(version))
        for (document, configuration) in documents {
            let store = try coordinator.addPersistentStore(
                ofType: document.type, configurationName: configuration, at: document.url, options: nil)
            guard version > 0 else { continue }
            var metadata = coordinator.metadata(for: store)
            metadata[versionKey] = NSNumber(value: version)
            coordinator.setMetadata(metadata, for: store)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        return context
    }
}
