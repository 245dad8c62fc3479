import CoreData
import Testing

/// Contexts share the rows that their coordinator has read, each on its own queue.
@Suite("Rows that several contexts share")
struct SharedRowTests {
    @Test("many threads read the objects of the same cached rows", arguments: StoreKind.allCases)
    func reading(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let count = 200
        let ids = try stack.context.performAndWait {
            for number in 0..<count { stack.context.make("Tag", "\(number)") }
            try stack.context.save()
            return try stack.context.all("Tag").map(\.objectID)
        }
        let contexts = UnsafeSender((0..<4).map { _ in stack.newContext() })
        let found = LockedValue<[[String]]>([])
        DispatchQueue.concurrentPerform(iterations: contexts.value.count) { number in
            let context = contexts.value[number]
            context.performAndWait {
                // The second time, the objects are faults again.
                for _ in 0..<2 {
                    let objects = ids.compactMap { try? context.existingObject(with: $0) }
                    let names = objects.compactMap { $0.text("name") }
                    found.withLock { $0.append(names.sorted()) }
                    for object in objects { context.refresh(object, mergeChanges: false) }
                }
            }
        }
        let expected = (0..<count).map { "\($0)" }.sorted()
        #expect(found.withLock { $0 } == Array(repeating: expected, count: 8))
    }

    @Test(
        "many threads read objects whose rows another one replaces: each name is an older or a newer one",
        arguments: StoreKind.allCases)
    func readingWhileSaving(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let rounds = 20
        let ids = try stack.context.performAndWait {
            for _ in 0..<20 { stack.context.make("Tag", "0") }
            try stack.context.save()
            return try stack.context.all("Tag").map(\.objectID)
        }
        let contexts = UnsafeSender((0..<3).map { _ in stack.newContext() })
        let found = LockedValue<Set<String>>([])
        let failures = LockedValue<[String]>([])
        DispatchQueue.concurrentPerform(iterations: contexts.value.count) { number in
            let context = contexts.value[number]
            for round in 1...rounds {
                context.performAndWait {
                    let objects = ids.compactMap { try? context.existingObject(with: $0) }
                    if number == 0 {
                        for object in objects { object.setValue("\(round)", forKey: "name") }
                        do { try context.save() } catch { failures.withLock { $0.append("\(error)") } }
                    } else {
                        let names = objects.compactMap { $0.text("name") }
                        found.withLock { $0.formUnion(names) }
                        context.refreshAllObjects()
                    }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(found.withLock { $0 }.isSubset(of: (0...rounds).map { "\($0)" }))
        try inFreshContext(stack) { try #expect(Set($0.names("Tag")) == ["\(rounds)"]) }
    }
}
