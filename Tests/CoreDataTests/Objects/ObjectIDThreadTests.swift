import CoreData
import Testing

/// Reading `objectID` is allowed on any thread, whatever the context's queue does with the object.
@Suite("Object IDs on other threads")
struct ObjectIDThreadTests {
    /// Objects that threads pass to each other for their IDs alone.
    private struct Objects: @unchecked Sendable { let list: [NSManagedObject] }

    @Test("threads that ask for an object's ID for the first time get one and the same", arguments: StoreKind.allCases)
    func firstUse(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let objects = try stack.context.performAndWait {
            for number in 0..<100 { stack.context.make("Tag", "\(number)") }
            try stack.context.save()
            stack.context.reset()
            return try Objects(list: stack.context.all("Tag"))
        }
        let found = LockedValue<[[NSManagedObjectID]]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let ids = objects.list.map(\.objectID)
            found.withLock { $0.append(ids) }
        }
        let lists = found.withLock { $0 }
        try #require(lists.count == 8)
        #expect(lists[0].allSatisfy { !$0.isTemporaryID })
        for list in lists { #expect(zip(list, lists[0]).allSatisfy { $0 === $1 }) }
    }

    @Test(
        "another thread gets an object's context or nil while the last reference to the context goes",
        arguments: StoreKind.allCases)
    func contextThatEnds(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        try on(stack.context) {
            for number in 0..<20 { stack.context.make("Tag", "\(number)") }
            try stack.context.save()
        }
        for round in 0..<60 {
            let objects = LockedValue<Objects?>(nil)
            let isEnding = LockedValue(false)
            let readers = DispatchGroup()
            autoreleasing {
                let context = stack.newContext()
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = context
                let list = child.performAndWait {
                    (0..<10).map { child.make("Tag", "new \($0)") } + ((try? child.all("Tag")) ?? [])
                }
                objects.withLock { $0 = Objects(list: list) }
                for _ in 0..<2 {
                    DispatchQueue.global().async(group: readers) {
                        let list = objects.withLock { $0 }?.list ?? []
                        var isOver = false
                        repeat {
                            isOver = isEnding.withLock { $0 }
                            for object in list {
                                _ = object.objectID
                                if let context = object.managedObjectContext { context.name = "\(round)" }
                            }
                        } while !isOver
                    }
                }
                child.performAndWait { if round % 2 == 0 { child.reset() } }
            }
            isEnding.withLock { $0 = true }
            readers.wait()
            expectEqual(objects.withLock { $0 }?.list.allSatisfy { $0.managedObjectContext == nil }, true)
        }
    }

    /// Runs a block whose references end with it.
    @inline(never)
    private func autoreleasing(_ body: () -> Void) { body() }

    @Test("an ID is read while the context saves the object: it is the temporary or the permanent one")
    func duringSave() throws {
        for kind in StoreKind.allCases {
            let stack = try TestStack(kind)
            for round in 0..<20 {
                let objects = stack.context.performAndWait {
                    Objects(list: (0..<50).map { stack.context.make("Tag", "\(round) \($0)") })
                }
                // Half of the IDs are known before the save.
                let temporary = objects.list.prefix(25).map(\.objectID)
                let isSaved = LockedValue(false)
                let wrong = LockedValue<[String]>([])
                let readers = DispatchGroup()
                for _ in 0..<3 {
                    DispatchQueue.global().async(group: readers) {
                        repeat {
                            for (index, object) in objects.list.enumerated() {
                                let id = object.objectID
                                let isExpected = !id.isTemporaryID || index >= 25 || id === temporary[index]
                                if !isExpected || id.entity.name != "Tag" { wrong.withLock { $0.append("\(id)") } }
                            }
                        } while !isSaved.withLock { $0 }
                    }
                }
                try stack.context.performAndWait { try stack.context.save() }
                isSaved.withLock { $0 = true }
                readers.wait()
                expectEqual(wrong.withLock { $0 }, [])
                #expect(objects.list.allSatisfy { !$0.objectID.isTemporaryID })
                expectEqual(Set(objects.list.map(\.objectID)).count, 50)
            }
        }
    }
}
