import CoreData
import Testing

/// Contexts share the rows that their coordinator has read, each on its own queue.
@Suite("Rows that several contexts share")
struct SharedRowTests {
    /// Saves tags.
    ///
    /// - Returns: their IDs.
    private func save(_ names: [String], _ stack: TestStack) throws -> [NSManagedObjectID] {
        try stack.context.performAndWait {
            for name in names { stack.context.make("Tag", name) }
            try stack.context.save()
            return try stack.context.all("Tag").map(\.objectID)
        }
    }

    @Test("many threads read the objects of the same cached rows", arguments: StoreKind.allCases)
    func reading(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let expected = (0..<200).map { "\($0)" }.sorted()
        let ids = try save(expected, stack)
        let contexts = UnsafeSender((0..<4).map { _ in stack.newContext() })
        let found = LockedValue<[[String]]>([])
        DispatchQueue.concurrentPerform(iterations: contexts.value.count) { number in
            let context = contexts.value[number]
            context.performAndWait {
                let faults = ids.map { context.object(with: $0) }
                let objects = ids.compactMap { try? context.existingObject(with: $0) }
                let names = objects.compactMap { $0.text("name") }
                found.withLock { $0.append(names.sorted()) }
                expectEqual(objects, faults)
            }
        }
        expectEqual(found.withLock { $0 }, Array(repeating: expected, count: 4))
    }

    @Test("many children read the rows that their parent has read", arguments: StoreKind.allCases)
    func readingInChildren(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let expected = (0..<200).map { "\($0)" }.sorted()
        _ = try save(expected, stack)
        let parent = stack.newContext()
        let objects = try parent.performAndWait { try UnsafeSender(parent.all("Tag")) }
        let found = LockedValue<[[String]]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            child.performAndWait {
                let faults = objects.value.map { child.object(with: $0.objectID) }
                let names = ((try? child.all("Tag")) ?? faults).compactMap { $0.text("name") }
                found.withLock { $0.append(names.sorted()) }
            }
        }
        expectEqual(found.withLock { $0 }, Array(repeating: expected, count: 4))
    }

    @Test("many threads read the rows that one save has merged into their contexts", arguments: StoreKind.allCases)
    func readingMergedRows(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let count = 100
        let ids = try save(Array(repeating: "0", count: count), stack)
        let contexts = UnsafeSender((0..<4).map { _ in stack.newContext() })
        // The merged rows wait in faults for their first use.
        let faults = UnsafeSender(
            contexts.value.map { context in
                context.performAndWait {
                    context.automaticallyMergesChangesFromParent = true
                    return ids.map { context.object(with: $0) }
                }
            })
        for round in 1...5 {
            try stack.context.performAndWait {
                for object in try stack.context.all("Tag") { object.setValue("\(round)", forKey: "name") }
                try stack.context.save()
            }
            let found = LockedValue<[String]>([])
            DispatchQueue.concurrentPerform(iterations: contexts.value.count) { number in
                contexts.value[number].performAndWait {
                    let names = faults.value[number].compactMap { $0.text("name") }
                    found.withLock { $0 += names }
                    contexts.value[number].refreshAllObjects()
                }
            }
            expectEqual(found.withLock { $0 }, Array(repeating: "\(round)", count: 4 * count))
        }
    }
}
