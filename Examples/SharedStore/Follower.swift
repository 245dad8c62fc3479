import CoreData
import Dispatch

/// Shows the songs with a fetched results controller, and follows what other processes save.
///
/// Everything but the waiting runs on the queue of the context.
final class Follower: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
    private let coordinator: NSPersistentStoreCoordinator
    private let context: NSManagedObjectContext
    private let controller: NSFetchedResultsController<NSManagedObject>
    private var token: NSPersistentHistoryToken?
    private var observer: (any NSObjectProtocol)?
    private let condition = NSCondition()
    /// Guarded by the condition.
    private var shown: [String] = []

    init(_ coordinator: NSPersistentStoreCoordinator) throws {
        self.coordinator = coordinator
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        super.init()
        controller.delegate = self
    }

    func start() throws {
        // The history from here on concerns the follower.
        token = coordinator.currentPersistentHistoryToken(fromStores: coordinator.persistentStores)
        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { [weak self] _ in
            guard let self else { return }
            context.perform { self.merge() }
        }
        try context.performAndWait { try controller.performFetch() }
    }

    /// Merges what was saved since the last merge.
    private func merge() {
        do {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
                context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
                token = transaction.token
            }
        } catch {
            SharedStore.say("The history can't be read: \(error.localizedDescription)")
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        let titles = (self.controller.fetchedObjects ?? []).map { $0.value(forKey: "title") as? String ?? "" }
        SharedStore.say("The follower shows \(titles.joined(separator: ", "))")
        condition.withLock {
            shown = titles
            condition.broadcast()
        }
    }

    /// Waits until the controller shows titles.
    ///
    /// - Returns: false after 30 seconds.
    func wait(until titles: [String]) -> Bool {
        let end = Date(timeIntervalSinceNow: 30)
        condition.lock()
        defer { condition.unlock() }
        while shown != titles { guard condition.wait(until: end) else { return shown == titles } }
        return true
    }
}
