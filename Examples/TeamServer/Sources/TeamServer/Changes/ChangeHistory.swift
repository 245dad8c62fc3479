import CoreData
import CoreDataServer

/// Reads the history of the store.
enum ChangeHistory {
    /// How many transactions are read at a time.
    private static let limit = 500

    /// The number of the newest transaction; 0 without one.
    static func newest(_ context: NSManagedObjectContext) throws -> Int64 {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date(timeIntervalSinceNow: -3600))
        request.resultType = .transactionsOnly
        return try transactions(request, context).map(\.transactionNumber).max() ?? 0
    }

    static func deleteOld(before date: Date, _ context: NSManagedObjectContext) throws {
        _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: date))
    }

    /// Some transactions of the history.
    struct Part: Sendable {
        let events: [ChangeEvent]
        /// The number of the last transaction, or of the one before the part.
        let last: Int64
        /// Whether further transactions may follow.
        let mayContinue: Bool
    }

    /// The changes of the transactions after one, in their order.
    ///
    /// - Parameter isHeard: whether a client gets the changes. Otherwise the part has none.
    static func part(
        after number: Int64, isHeard: Bool = true, _ context: NSManagedObjectContext
    ) throws -> Part {
        guard let fetch = NSPersistentHistoryTransaction.fetchRequest else {
            return Part(events: [], last: number, mayContinue: false)
        }
        fetch.predicate = NSPredicate(format: "transactionNumber > %lld", number)
        fetch.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: true)]
        fetch.fetchLimit = limit
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        request.resultType = isHeard ? .transactionsAndChanges : .transactionsOnly
        let found = try transactions(request, context)
        return Part(
            events: try found.flatMap { transaction in
                try (transaction.changes ?? []).compactMap { try event($0, transaction.transactionNumber, context) }
            }, last: found.last?.transactionNumber ?? number, mayContinue: found.count == limit)
    }

    private static func transactions(
        _ request: NSPersistentHistoryChangeRequest, _ context: NSManagedObjectContext
    ) throws -> [NSPersistentHistoryTransaction] {
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    /// The event of a change; nil for an object that has no team, or is gone by now: its deletion follows.
    private static func event(
        _ change: NSPersistentHistoryChange, _ transaction: Int64, _ context: NSManagedObjectContext
    ) throws -> ChangeEvent? {
        let values: (key: Any?, owner: Any?, version: Int?)
        if change.changeType == .delete {
            values = (change.tombstone?["key"], change.tombstone?["owner"], nil)
        } else {
            guard change.changedObjectID.entity.propertiesByName["owner"] != nil,
                let object = try? context.existingObject(with: change.changedObjectID)
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
        return ChangeEvent(team: owner, transaction: transaction, json: ManagedObjectSnapshot(json))
    }
}
