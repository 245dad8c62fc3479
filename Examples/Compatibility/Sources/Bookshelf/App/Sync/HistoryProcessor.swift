import CoreData
import Foundation

/// Reads what others have saved since the last look, and merges it into the view context.
final class HistoryProcessor: NSObject {
    private let stack: CoreDataStack
    private(set) var lastToken: NSPersistentHistoryToken?
    private let lock = NSLock()
    private var remoteChanges = 0

    init(stack: CoreDataStack) {
        self.stack = stack
        super.init()
        NotificationCenter.default.addObserver(
            self, selector: #selector(storeDidChange(_:)), name: .NSPersistentStoreRemoteChange,
            object: stack.container.persistentStoreCoordinator)
    }

    var remoteChangeCount: Int { lock.withLock { remoteChanges } }

    @objc private func storeDidChange(_ notification: Notification) {
        guard notification.userInfo?[NSStoreUUIDKey] != nil else { return }
        lock.withLock { remoteChanges += 1 }
    }

    /// The transactions since the last call, merged into the view context.
    func process() throws -> [NSPersistentHistoryTransaction] {
        let context = stack.container.newBackgroundContext()
        let transactions: [NSPersistentHistoryTransaction] = try context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: lastToken)
            if let fetch = NSPersistentHistoryTransaction.fetchRequest {
                fetch.predicate = NSPredicate(
                    format: "%K == %@", #keyPath(NSPersistentHistoryTransaction.author), "sync")
                request.fetchRequest = fetch
            }
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        }
        for transaction in transactions {
            stack.viewContext.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        lastToken = transactions.last?.token ?? lastToken
        return transactions
    }

    /// Deletes the history before a moment.
    func purge(before date: Date) throws {
        let context = stack.container.newBackgroundContext()
        try context.performAndWait {
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: date))
        }
    }
}
