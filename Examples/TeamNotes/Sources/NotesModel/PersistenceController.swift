import CoreData

/// The stack of the app, of its previews and tests, of the terminal and of the server.
public final class PersistenceController: Sendable {
    public static let shared = PersistenceController()

    /// The model, read once: two readings give entities that are not the same.
    public static let model: NSManagedObjectModel = {
        guard let url = Bundle.module.url(forResource: "TeamNotes", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { fatalError("TeamNotes.momd is not in the bundle of NotesModel.") }
        return model
    }()

    public let container: NSPersistentContainer

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - url: its file; nil for the default folder.
    ///   - inMemory: true for a store that ends with the process, for previews and tests.
    public init(url: URL? = nil, inMemory: Bool = false) {
        container = Self.container(at: url)
        if inMemory { container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null") }
        container.loadPersistentStores { description, error in
            if let error = error as NSError? { fatalError("\(description): \(error), \(error.userInfo)") }
        }
        container.viewContext.automaticallyMergesChangesFromParent = true
        container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }

    /// A container that is not open yet. The server opens it when it starts.
    public static func container(at url: URL?) -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "TeamNotes", managedObjectModel: model)
        if let url { container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)] }
        for description in container.persistentStoreDescriptions {
            // The engine of NotesSync sends what the history has, and other processes hear of each other.
            description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
            description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        }
        return container
    }
}
