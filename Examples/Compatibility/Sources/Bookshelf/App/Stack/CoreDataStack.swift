import CoreData
import Foundation

/// The stack of a grown app: a separate file, a view context, and background contexts that it merges.
final class CoreDataStack {
    enum StackError: Error {
        case noModel
        case noStore(URL)
    }

    let container: NSPersistentContainer
    private(set) lazy var backgroundContext: NSManagedObjectContext = {
        let context = container.newBackgroundContext()
        context.name = "background"
        context.transactionAuthor = "sync"
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        context.undoManager = nil
        return context
    }()

    var viewContext: NSManagedObjectContext { container.viewContext }

    init(storeURL: URL) throws {
        guard let url = Bundle.module.url(forResource: "Bookshelf", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { throw StackError.noModel }
        container = NSPersistentContainer(name: "Bookshelf", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: storeURL)
        description.type = NSSQLiteStoreType
        description.shouldAddStoreAsynchronously = false
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        container.persistentStoreDescriptions = [description]

        var loadError: Error?
        container.loadPersistentStores { description, error in
            if let error = error as NSError? {
                NSLog("Can't load %@: %@, %@", description, error, error.userInfo)
                loadError = error
            }
        }
        if let loadError = loadError { throw loadError }
        guard container.persistentStoreCoordinator.persistentStore(for: storeURL) != nil else {
            throw StackError.noStore(storeURL)
        }
        viewContext.automaticallyMergesChangesFromParent = true
        viewContext.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
        viewContext.name = "view"
    }

    func saveIfNeeded() {
        guard viewContext.hasChanges else { return }
        do {
            try viewContext.save()
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain
            && error.code == NSManagedObjectConstraintMergeError
        {
            NSLog("A conflict: %@", error)
            viewContext.rollback()
        } catch {
            fatalError("Unresolved error \(error)")
        }
    }

    func performInBackground<T>(_ work: @escaping (NSManagedObjectContext) throws -> T) rethrows -> T {
        let context = backgroundContext
        return try context.performAndWait { try work(context) }
    }
}
