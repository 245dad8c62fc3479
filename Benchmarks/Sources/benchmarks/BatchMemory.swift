import CoreData

/// The memory that the results of a fetch retain once every object was read, with and without a batch size.
///
/// With a batch size the objects of older batches become faults again when nothing but the result array retains them.
enum BatchMemory {
    /// The name for `--arm`.
    static let name = "batched fetch"

    static func lines(at url: URL, count: Int) throws -> [String] {
        // The batched fetch is first: the second one can't reuse memory that the first one freed.
        let sizes = [100, 0]
        return try ["memory of \(count) fetched objects after reading every property"]
            + sizes.map { size in
                let grown = try growth(at: url, batchSize: size, count: count)
                return "  batch size \(size == 0 ? "none" : "\(size)")  \(grown >> 20) MiB"
            }
    }

    private static func growth(at url: URL, batchSize: Int, count: Int) throws -> Int {
        let context = try CoreDataStack.context(at: url, className: "NSManagedObject")
        return try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Record")
            request.fetchBatchSize = batchSize
            let start = try residentBytes()
            let objects = try context.fetch(request)
            var sum: Int64 = 0
            for object in objects {
                for column in Workload.columns { sum &+= (object.value(forKey: column) as? NSNumber)?.int64Value ?? 0 }
            }
            guard objects.count == count, sum == Workload.sum(rows: count) else {
                throw BenchmarkError("the batched fetch answers \(sum)")
            }
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
