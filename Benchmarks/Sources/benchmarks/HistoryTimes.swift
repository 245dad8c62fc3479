import CoreData

/// Saves into a store that records its history, against the same saves into one that doesn't.
struct HistoryTimes {
    /// The name for `--arm`.
    static let name = "save with history"

    let folder: URL
    let count: Int
    let rounds: Int

    func printLines() throws {
        print("saves of \(count) objects of \(Workload.columnCount) integers, with history / without")
        var inserts = PairedTimes("insert")
        var updates = PairedTimes("update of one property")
        var deletes = PairedTimes("delete")
        for _ in 0..<rounds {
            let (plain, tracking) = (try times(tracks: false), try times(tracks: true))
            inserts.add(plain[0], tracking[0])
            updates.add(plain[1], tracking[1])
            deletes.add(plain[2], tracking[2])
        }
        for times in [inserts, updates, deletes] { print(times.line) }
    }

    /// The times of three saves: of inserted, updated and deleted objects.
    private func times(tracks: Bool) throws -> [PairedTimes.Time] {
        let url = folder.appendingPathComponent("\(UUID().uuidString).sqlite")
        let context = try CoreDataStack.context(
            at: url, className: NSStringFromClass(TypedRecord.self),
            options: [NSPersistentHistoryTrackingKey: tracks as NSNumber])
        let times = try context.performAndWait {
            let objects = (0..<count).map { row in
                let object = TypedRecord(context: context)
                _ = object.fill(row: row)
                return object
            }
            let insert = try PairedTimes.Time.measure { try context.save() }
            for object in objects { object.value3 += 1 }
            let update = try PairedTimes.Time.measure { try context.save() }
            for object in objects { context.delete(object) }
            return [insert, update, try PairedTimes.Time.measure { try context.save() }]
        }
        if let store = context.persistentStoreCoordinator?.persistentStores.first {
            try context.persistentStoreCoordinator?.remove(store)
        }
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        return times
    }
}
