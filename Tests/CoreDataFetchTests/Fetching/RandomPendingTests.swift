import CoreData
import Testing

@Suite("Fetching with random unsaved changes")
struct RandomPendingTests {
    @Test("every window of a sorted fetch is that of what is there now", arguments: StoreKind.allCases, 0..<4)
    func windows(_ kind: StoreKind, _ round: Int) throws {
        let seed = TestRun.seed(for: "random pending changes")
        var random = SeededGenerator(seed: seed)
        try withStack(kind) { stack in
            let context = stack.context
            var pages: [String: Int] = [:]
            var objects: [String: NSManagedObject] = [:]
            func insert() {
                let name = "book \(pages.count)-\(Int.random(in: 0..<1_000_000, using: &random))"
                pages[name] = Int.random(in: 0..<12, using: &random)
                objects[name] = context.make(
                    Bool.random(using: &random) ? "Book" : "Novel", name, ["pages": pages[name]!])
            }
            for _ in 0..<40 { insert() }
            try context.save()
            for step in 0..<60 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1: insert()
                case 2, 3, 4:
                    guard let name = pages.keys.sorted().randomElement(using: &random) else { break }
                    pages[name] = Int.random(in: 0..<12, using: &random)
                    objects[name]?.setValue(pages[name], forKey: "pages")
                case 5, 6:
                    guard let name = pages.keys.sorted().randomElement(using: &random) else { break }
                    if let object = objects.removeValue(forKey: name) { context.delete(object) }
                    pages[name] = nil
                default:
                    if step % 3 == 0 { try context.save() }
                }
                let least = Int.random(in: 0..<8, using: &random)
                let limit = Int.random(in: 0..<8, using: &random)
                let offset = Int.random(in: 0..<6, using: &random)
                let isAscending = Bool.random(using: &random)
                let sorted = pages.filter { $0.value >= least }.sorted { left, right in
                    left.value == right.value
                        ? left.key < right.key : isAscending ? left.value < right.value : left.value > right.value
                }.map(\.key)
                let window = Array(limit > 0 ? sorted.dropFirst(offset).prefix(limit) : sorted.dropFirst(offset))
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.predicate = NSPredicate(format: "pages >= %d", least)
                request.sortDescriptors = [
                    NSSortDescriptor(key: "pages", ascending: isAscending),
                    NSSortDescriptor(key: "name", ascending: true),
                ]
                request.fetchLimit = limit
                request.fetchOffset = offset
                request.fetchBatchSize = Int.random(in: 0..<3, using: &random)
                try expectEqual(context.fetch(request).map { $0.text("name")! }, window, "seed \(seed), step \(step)")
                try expectEqual(context.count(for: request), window.count, "seed \(seed), step \(step)")
                request.sortDescriptors = nil
                try expectEqual(context.fetch(request).count, window.count, "seed \(seed), step \(step)")
                try checkInvariants(of: context)
            }
        }
    }
}
