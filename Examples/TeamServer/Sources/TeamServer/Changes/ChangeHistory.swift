import CoreData
import CoreDataServer

/// Reads the history of the store.
enum ChangeHistory {
    /// How many transactions are read at a time.
    private static let limit = 500

    /// The place of a transaction in the history.
    struct Position: Sendable {
        let number: Int64
        let token: NSPersistentHistoryToken
    }

    /// The end of the history.
    struct End: Sendable {
        /// Where the history goes on.
        let token: NSPersistentHistoryToken
        /// The newest transactions, in their order.
        let newest: [Position]
    }

    /// Some transactions of the history.
    struct Part: Sendable {
        let transactions: [ChangeTransaction]
        /// Whether further transactions may follow.
        let mayContinue: Bool
    }

    /// The end of the history.
    ///
    /// - Parameters:
    ///   - age: how old the transactions may be.
    ///   - limit: how many of them are of interest.
    static func end(age: TimeInterval, limit: Int, _ context: NSManagedObjectContext) throws -> End {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date(timeIntervalSinceNow: -age))
        request.resultType = .transactionsOnly
        let newest = try transactions(request, context).suffix(limit).map {
            Position(number: $0.transactionNumber, token: $0.token)
        }
        // A history without transactions has an end, too, and its numbers go on.
        guard
            let token = newest.last?.token
                ?? context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
        else { throw CocoaError(.persistentStoreOperation) }
        return End(token: token, newest: newest)
    }

    static func deleteOld(before date: Date, _ context: NSManagedObjectContext) throws {
        _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: date))
    }

    /// How many changes follow a transaction, of all teams.
    static func count(after token: NSPersistentHistoryToken, _ context: NSManagedObjectContext) throws -> Int {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = .count
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return (result?.result as? NSNumber)?.intValue ?? 0
    }

    /// The transactions after one, in their order.
    ///
    /// - Parameter isHeard: whether a client gets the changes. Otherwise the transactions have none.
    /// - Throws: `NSPersistentHistoryTokenExpiredError` if transactions that follow were deleted.
    static func part(
        after token: NSPersistentHistoryToken, isHeard: Bool = true, _ context: NSManagedObjectContext
    ) throws -> Part {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = isHeard ? .transactionsAndChanges : .transactionsOnly
        if isHeard, let fetch = NSPersistentHistoryTransaction.fetchRequest {
            fetch.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: true)]
            fetch.fetchLimit = limit
            request.fetchRequest = fetch
        }
        let found = try transactions(request, context)
        let objects = try objects(of: found.flatMap { $0.changes ?? [] }, context)
        return Part(
            transactions: found.map { changes(of: $0, objects) },
            mayContinue: isHeard && found.count == limit)
    }

    private static func transactions(
        _ request: NSPersistentHistoryChangeRequest, _ context: NSManagedObjectContext
    ) throws -> [NSPersistentHistoryTransaction] {
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    private static func changes(
        of transaction: NSPersistentHistoryTransaction, _ objects: [NSManagedObjectID: NSManagedObject]
    ) -> ChangeTransaction {
        var changes: [String: [ManagedObjectSnapshot]] = [:]
        for change in transaction.changes ?? [] {
            guard let (team, snapshot) = snapshot(of: change, objects[change.changedObjectID]) else { continue }
            changes[team, default: []].append(snapshot)
        }
        return ChangeTransaction(number: transaction.transactionNumber, token: transaction.token, changes: changes)
    }

    /// The team and the values of a change; nil for an object that has no team, or is gone by now: its
    /// deletion follows.
    private static func snapshot(
        of change: NSPersistentHistoryChange, _ object: NSManagedObject?
    ) -> (team: String, snapshot: ManagedObjectSnapshot)? {
        let values: (key: Any?, owner: Any?, version: Int?)
        if change.changeType == .delete {
            values = (change.tombstone?["key"], change.tombstone?["owner"], nil)
        } else {
            guard change.changedObjectID.entity.propertiesByName["owner"] != nil,
                let object
            else { return nil }
            values = (object.value(forKey: "key"), object.value(forKey: "owner"), object.savedVersion)
        }
        guard let key = values.key as? UUID, let owner = values.owner as? String else { return nil }
        let kind =
            switch change.changeType {
            case .insert: "insert"
            case .update: "update"
            case .delete: "delete"
            @unknown default: "update"
            }
        var json: [String: SnapshotValue] = [
            "type": .string(kind), "entity": .string(change.changedObjectID.entity.name ?? ""),
            "key": .string(key.uuidString),
        ]
        if let version = values.version { json["version"] = .integer(Int64(version)) }
        if let updated = change.updatedProperties?.map(\.name).sorted() {
            json["changed"] = .array(updated.map { .string($0) })
        }
        return (owner, ManagedObjectSnapshot(json))
    }

    /// The objects that changes have inserted or updated, by ID. Those whose rows are gone by now are missing.
    private static func objects(
        of changes: [NSPersistentHistoryChange], _ context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID: NSManagedObject] {
        let ids = Set(changes.filter { $0.changeType != .delete }.map(\.changedObjectID))
        var objects: [NSManagedObjectID: NSManagedObject] = [:]
        for (name, ids) in Dictionary(grouping: ids, by: { $0.entity.name ?? "" }) {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.predicate = NSPredicate(format: "SELF IN %@", ids as NSArray)
            request.includesSubentities = false
            request.returnsObjectsAsFaults = false
            for object in try context.fetch(request) { objects[object.objectID] = object }
        }
        return objects
    }
}
