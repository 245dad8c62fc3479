import CoreData
import TestSupport
import Testing

/// Objects that hold one another in a long chain are released without recursion.
@Suite("Long chains of objects")
struct LongChainTests {
    enum Ending: String, CaseIterable { case release, refreshHead, refreshAll, reset, rollback, delete, contextGoes }

    private static func makeModel() -> NSManagedObjectModel {
        let node = entity("Node")
        node.properties = [toOne("next", node), toMany("many", node), toMany("list", node, ordered: true)]
        return model([node])
    }

    private struct Failure: @unchecked Sendable { var error: (any Error)? }

    /// Makes a chain on a thread with a stack of the usual size for a second thread, and ends it.
    private func run(_ kind: StoreKind, _ key: String, _ ending: Ending, isSaved: Bool) throws {
        let failure = SmallThread.run { () -> Failure in
            do {
                try chain(kind, key, ending, isSaved: isSaved)
                return Failure()
            } catch {
                return Failure(error: error)
            }
        }
        if let error = failure?.error { throw error }
    }

    private static let count = 5_000

    private func chain(_ kind: StoreKind, _ key: String, _ ending: Ending, isSaved: Bool) throws {
        let stack = try TestStack(kind, model: Self.makeModel())
        var context: NSManagedObjectContext? = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        if isSaved { context = stack.newContext() }
        guard let context = context else { return }
        context.persistentStoreCoordinator = stack.coordinator
        try context.performAndWait {
            var head: NSManagedObject? = context.make("Node")
            do {
                var last = head!
                for _ in 1..<Self.count {
                    let next = context.make("Node")
                    switch key {
                    case "many": last.mutableSetValue(forKey: key).add(next)
                    case "list": last.mutableOrderedSetValue(forKey: key).add(next)
                    default: last.setValue(next, forKey: key)
                    }
                    last = next
                }
            }
            if isSaved { try context.save() }
            switch ending {
            case .release, .contextGoes: break
            case .refreshHead: context.refresh(head!, mergeChanges: false)
            case .refreshAll: context.refreshAllObjects()
            case .reset: context.reset()
            case .rollback: context.rollback()
            case .delete:
                context.delete(head!)
                if isSaved { try context.save() }
            }
            head = nil
        }
    }

    @Test(
        "a chain of to-one relationships ends without an overflow of the stack",
        arguments: Ending.allCases, [true, false])
    func toOneChain(_ ending: Ending, _ isSaved: Bool) throws {
        try run(.memory, "next", ending, isSaved: isSaved)
    }

    @Test(
        "a chain of to-many relationships ends without an overflow of the stack",
        arguments: ["many", "list"], [Ending.release, .refreshHead, .reset])
    func toManyChain(_ key: String, _ ending: Ending) throws { try run(.memory, key, ending, isSaved: true) }

    @Test(
        "a chain in a store of the program's own is released with the store, and with its objects",
        arguments: ["next", "many", "list"], [Ending.release, .delete])
    func ownStore(_ key: String, _ ending: Ending) throws { try run(.custom, key, ending, isSaved: true) }

    @Test("a chain that was walked from its head is released with it", arguments: StoreKind.allCases)
    func walked(_ kind: StoreKind) throws {
        let failure = SmallThread.run { () -> Failure in
            do {
                let stack = try TestStack(kind, model: Self.makeModel())
                try stack.context.performAndWait {
                    var last = stack.context.make("Node")
                    let id: NSManagedObjectID
                    do {
                        let head = last
                        for _ in 1..<Self.count {
                            let next = stack.context.make("Node")
                            last.setValue(next, forKey: "next")
                            last = next
                        }
                        try stack.context.save()
                        id = head.objectID
                    }
                    stack.context.reset()
                    let context = stack.newContext()
                    try context.performAndWait {
                        // Without this the walk would read each row by itself.
                        let all = try context.all("Node")
                        let head = context.object(with: id)
                        var node: NSManagedObject? = head
                        var count = 0
                        while let known = node {
                            count += 1
                            node = known.object("next")
                        }
                        #expect(count == Self.count && all.count == count)
                    }
                }
                return Failure()
            } catch {
                return Failure(error: error)
            }
        }
        if let error = failure?.error { throw error }
    }
}
