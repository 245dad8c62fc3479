import CoreDataModel
import OpenCoreData

/// Uses a store as a program does.
enum StoreUse {
    /// Opens a store, reads everything, changes an object, saves, and closes.
    ///
    /// - Returns: whether the store could be opened.
    /// - Throws: `Finding` for an error that is none of Core Data's.
    static func use(_ url: URL, _ type: String, hasHistory: Bool = false) throws -> Outcome {
        do {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url, options: nil)
        } catch {
            try Refusal.check(error, naming: url)
        }
        let context: NSManagedObjectContext
        do {
            context = try SampleStores.add(url, type, hasHistory: hasHistory)
        } catch {
            try Refusal.check(error, naming: url)
            return .refused
        }
        try context.performAndWait {
            for entity in ["Item", "Part"] {
                try permit {
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                    for object in try context.fetch(request) { read(object) }
                }
                try permit {
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                    request.predicate = NSPredicate(format: entity == "Item" ? "name CONTAINS 'e'" : "owner.small > 0")
                    request.sortDescriptors = [
                        NSSortDescriptor(key: entity == "Item" ? "made" : "title", ascending: false)
                    ]
                    request.fetchLimit = 5
                    _ = try context.fetch(request)
                }
            }
            if hasHistory { try HistoryUse.use(context) }
            try permit { try change(context) }
        }
        try SampleStores.close(context)
        return .accepted
    }

    /// Runs what may fail with an error of Core Data.
    static func permit(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as NSError {
            guard error.domain == NSCocoaErrorDomain else {
                throw Finding("an error that is none of Cocoa's: \(error)")
            }
        }
    }

    private static func read(_ object: NSManagedObject) {
        for name in object.entity.propertiesByName.keys.sorted() {
            switch object.value(forKey: name) {
            case let members as NSSet: _ = members.count
            case let members as NSOrderedSet: _ = members.count
            case let other as NSManagedObject: _ = other.objectID.uriRepresentation()
            case let value: _ = value.map { "\($0)" }
            }
        }
    }

    private static func change(_ context: NSManagedObjectContext) throws {
        let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
        items.first?.setValue("changed", forKey: "name")
        if let last = items.last, items.count > 1 { context.delete(last) }
        NSEntityDescription.insertNewObject(forEntityName: "Part", into: context).setValue(
            items.first, forKey: "owner")
        do { try context.save() } catch {
            context.rollback()
            throw error
        }
    }
}

/// Uses the history of a store.
enum HistoryUse {
    static func use(_ context: NSManagedObjectContext) throws {
        try StoreUse.permit {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] { read(transaction) }
        }
        try StoreUse.permit {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date(timeIntervalSinceReferenceDate: 0))
            request.resultType = .changesOnly
            _ = try context.execute(request)
        }
        try StoreUse.permit {
            if let fetch = NSPersistentHistoryTransaction.fetchRequest {
                fetch.predicate = NSPredicate(format: "author == 'author 1' AND token > 0")
                _ = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch))
            }
        }
        try StoreUse.permit {
            let date = Date(timeIntervalSinceReferenceDate: 1)
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: date))
        }
        try StoreUse.permit {
            _ = try context.execute(
                NSPersistentHistoryChangeRequest.deleteHistory(before: Date(timeIntervalSinceNow: 1e6)))
        }
    }

    private static func read(_ transaction: NSPersistentHistoryTransaction) {
        _ = "\(transaction.timestamp) \(transaction.author ?? "") \(transaction.contextName ?? "")"
        _ = "\(transaction.storeID) \(transaction.bundleID) \(transaction.processID) \(transaction.token)"
        _ = transaction.objectIDNotification()
        for change in transaction.changes ?? [] {
            _ = "\(change.changeType) \(change.changedObjectID) \(change.changeID)"
            _ = (change.updatedProperties ?? []).map(\.name)
            _ = change.tombstone.map { "\($0)" }
        }
    }
}
