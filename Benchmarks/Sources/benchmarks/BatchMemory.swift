import CoreData

/// The memory that the results of a fetch retain once every object was read, with and without a batch size.
///
/// With a batch size the objects of older batches become faults again when nothing but the result array retains them.
enum BatchMemory {
    /// The name for `--arm`.
    static let name = "batched fetch"

    /// Wide rows: a text of this many characters each.
    private static let length = 1000

    /// Fills a new store at `url`, and measures. The batched fetch is first: the second one can't reuse its memory.
    static func lines(at url: URL, count: Int) throws -> [String] {
        try fill(url, count: count)
        return try ["memory of \(count) fetched objects with texts of \(length) characters after reading every text"]
            + [100, 0].map { size in
                let grown = try growth(at: url, batchSize: size, count: count)
                return "  batch size \(size == 0 ? "none" : "\(size)")  \(grown >> 20) MiB"
            }
    }

    private static func context(at url: URL) throws -> NSManagedObjectContext {
        let text = NSAttributeDescription()
        text.name = "text"
        text.attributeType = .stringAttributeType
        let entity = NSEntityDescription()
        entity.name = "Page"
        entity.properties = [text]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Saves the rows in small parts, which leaves little freed memory behind.
    private static func fill(_ url: URL, count: Int) throws {
        let context = try context(at: url)
        let text = String(repeating: "x", count: length)
        try context.performAndWait {
            for start in stride(from: 0, to: count, by: 1000) {
                for _ in start..<min(start + 1000, count) {
                    let object = NSEntityDescription.insertNewObject(forEntityName: "Page", into: context)
                    object.setValue(text, forKey: "text")
                }
                try context.save()
                context.reset()
            }
        }
    }

    private static func growth(at url: URL, batchSize: Int, count: Int) throws -> Int {
        let context = try context(at: url)
        return try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
            request.fetchBatchSize = batchSize
            let start = try residentBytes()
            let objects = try context.fetch(request)
            var sum = 0
            for object in objects { sum += (object.value(forKey: "text") as? String)?.utf8.count ?? 0 }
            guard sum == count * length else { throw BenchmarkError("the batched fetch answers \(sum)") }
            return try withExtendedLifetime(objects) { try residentBytes() - start }
        }
    }

    private static func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else {
            throw BenchmarkError("/proc/self/statm has no number of resident pages")
        }
        return pages * 4096
    }
}
