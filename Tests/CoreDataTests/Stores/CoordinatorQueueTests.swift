import CoreData
import Synchronization
import Testing

@Suite("The queue of a coordinator")
struct CoordinatorQueueTests {
    /// A number that several threads count up.
    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .sequentiallyConsistent) }
        func add() { count.add(1, ordering: .sequentiallyConsistent) }
    }

    @Test("blocks run in order, performAndWait after what was submitted before, and returns its value")
    func order() throws {
        let stack = try TestStack(.memory)
        var log: [Int] = []
        let logging = UnsafeSender { (number: Int) in log.append(number) }
        for number in 0..<100 { stack.coordinator.perform { logging.value(number) } }
        let count = stack.coordinator.performAndWait { log.count }
        expectEqual(count, 100)
        expectEqual(log, Array(0..<100))
    }

    @Test("an error of a block comes out as it was thrown")
    func errors() throws {
        let stack = try TestStack(.memory)
        #expect(throws: CocoaError(.featureUnsupported)) {
            try stack.coordinator.performAndWait { throw CocoaError(.featureUnsupported) }
        }
    }

    @Test("an asynchronous block returns its value, and its error comes out as it was thrown")
    func asynchronous() async throws {
        let stack = try TestStack(.memory)
        let count = await stack.coordinator.perform { stack.coordinator.persistentStores.count }
        expectEqual(count, 1)
        await #expect(throws: CocoaError(.featureUnsupported)) {
            try await stack.coordinator.perform { throw CocoaError(.featureUnsupported) }
        }
    }

    @Test("a block may use the coordinator, its contexts and performAndWait again", arguments: StoreKind.allCases)
    func reentrancy(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let names = try stack.coordinator.performAndWait { () throws -> [String] in
            try stack.coordinator.performAndWait {
                try stack.context.performAndWait {
                    stack.context.make("Book", "Emma")
                    try stack.context.save()
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                    let count = try stack.coordinator.performAndWait { try stack.context.count(for: request) }
                    expectEqual(count, 1)
                }
                let store = try stack.coordinator.addPersistentStore(
                    type: .sqlite, at: stack.folder.file("other.sqlite"))
                try stack.coordinator.remove(store)
                return try stack.context.performAndWait { try stack.context.names("Book") }
            }
        }
        expectEqual(names, ["Emma"])
    }

    @Test("requests and saves of other threads wait for the end of a block", arguments: StoreKind.allCases)
    func exclusion(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let own = stack.newContext()
        let others = (0..<4).map { _ in stack.newContext() }
        let finished = Counter()
        let group = DispatchGroup()
        for round in 0..<10 {
            try stack.coordinator.performAndWait {
                let before = finished.value
                for (index, other) in others.enumerated() {
                    group.enter()
                    let other = UnsafeSender(other)
                    other.value.perform {
                        let context = other.value
                        if index % 2 == 0 {
                            context.make("Book", "other \(round)")
                            #expect(throws: Never.self) { try context.save() }
                        } else {
                            #expect(throws: Never.self) { try context.all("Book") }
                        }
                        finished.add()
                        group.leave()
                    }
                }
                // As much work as the others have, many times over.
                for _ in 0..<20 {
                    try own.performAndWait {
                        own.make("Book", "own")
                        try own.save()
                        _ = try own.all("Book")
                    }
                }
                expectEqual(finished.value, before)
            }
            group.wait()
        }
        expectEqual(finished.value, 40)
        try own.performAndWait { try expectEqual(own.all("Book", "name == 'own'").count, 200) }
    }

    @Test("blocks of several threads run one at a time")
    func oneAtATime() throws {
        let stack = try TestStack(.memory)
        var running = 0
        var most = 0
        var total = 0
        let body = UnsafeSender {
            running += 1
            most = max(most, running)
            total += 1
            running -= 1
        }
        let coordinator = stack.coordinator
        DispatchQueue.concurrentPerform(iterations: 400) { index in
            if index % 2 == 0 {
                coordinator.performAndWait { body.value() }
            } else {
                coordinator.perform { body.value() }
            }
        }
        coordinator.performAndWait {}
        expectEqual(total, 400)
        expectEqual(most, 1)
    }

    @Test("of several threads that add the same file one gets a store, the others 134080")
    func addingAtOnce() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let added = Counter()
        let refused = Counter()
        let url = folder.file("store.sqlite")
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let error = thrownError { try coordinator.addPersistentStore(type: .sqlite, at: url) }
            if let error { if error.code == 134080 { refused.add() } } else { added.add() }
        }
        expectEqual(added.value, 1)
        expectEqual(refused.value, 7)
        expectEqual(coordinator.persistentStores.count, 1)
    }

    @Test("of several threads that remove a store one does, the others get 134070")
    func removingAtOnce() throws {
        let stack = try TestStack(.sqlite)
        let removed = Counter()
        let refused = Counter()
        let posted = Counter()
        let token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: stack.store, queue: nil
        ) { _ in posted.add() }
        defer { NotificationCenter.default.removeObserver(token) }
        let stackBox = UnsafeSender(stack)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let error = thrownError { try stackBox.value.coordinator.remove(stackBox.value.store) }
            if let error { if error.code == 134070 { refused.add() } } else { removed.add() }
        }
        expectEqual(removed.value, 1)
        expectEqual(refused.value, 7)
        expectEqual(posted.value, 1)
    }

    @Test("an observer of added stores may use the coordinator on another thread")
    func observers() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let counts = Counter()
        let token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
        ) { _ in
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                coordinator.performAndWait { counts.add() }
                done.signal()
            }
            done.wait()
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file("store.sqlite"))
        try coordinator.remove(store)
        expectEqual(counts.value, 2)
    }
}
