import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Runs tasks on separate threads: the functions of other tests hold the threads of the common executor for long.
private final class OwnThreads: TaskExecutor {
    private let queue = DispatchQueue(label: "tasks", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    private static let shared = OwnThreads()

    /// Begins a task. A task that `Task { }` begins doesn't inherit the preference for the threads.
    static func begin<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: shared) { try await body() }
    }

    static func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await begin(body).value
    }
}

/// Tasks that are cancelled while they wait for the server, and many tasks.
// Unchecked: one task of a test uses the database.
@Suite("Tasks that wait for a server", .enabled(if: TestServer.isPresent))
struct CancelledTaskTests: @unchecked Sendable {
    private let database: TestDatabase

    init() throws { database = try TestDatabase() }

    /// A coordinator whose connections have a unique name.
    private func coordinator(_ items: String = "") throws -> (NSPersistentStoreCoordinator, name: String) {
        let name = "cancelled_" + UUID().uuidString.prefix(8)
        let further = items.isEmpty ? "" : "&" + items
        return (try database.coordinator(at: database.url("store", "application_name=\(name)" + further)), name)
    }

    private static func makeContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Saves an author in a new context.
    private static func save(_ name: String, _ context: NSManagedObjectContext) async throws {
        try await context.perform {
            context.make("Author", name)
            try context.save()
        }
    }

    private static func names(_ context: NSManagedObjectContext) async throws -> [String] {
        try await context.perform { try context.names("Author") }
    }

    /// A connection that keeps all writers out of the authors until it ends its transaction.
    private func lockAuthors() throws -> PostgreSQLConnection {
        let connection = try TestServer.connect()
        try connection.begin()
        try connection.executeScript("LOCK TABLE \"\(database.schema("store"))\".zperson IN EXCLUSIVE MODE")
        return connection
    }

    /// Waits until a number of statements of the store wait for a lock. Holds no thread of the tasks while it waits.
    private func waitForLocks(_ count: Int, _ name: String) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try TestServer.waitForLocks(count, of: name) })
            }
        }
    }

    @Test("A task that is cancelled ends its statement")
    func aTaskThatIsCancelled() async throws {
        try await OwnThreads.run {
            let (coordinator, name) = try coordinator()
            let context = Self.makeContext(coordinator)
            let lock = try lockAuthors()
            defer { lock.close() }
            let task = OwnThreads.begin { try await Self.save("Ada", context) }
            try await waitForLocks(1, name)
            task.cancel()
            let error = try requireValue(await task.result.error as NSError?)
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, CocoaError.userCancelled.rawValue)
            expectEqual(error.localizedFailureReason, "The task that made it was cancelled.")
            try lock.rollback()
            // The context still has its change, and goes on.
            try await context.perform { try context.save() }
            try await expectEqual(Self.names(context), ["Ada"])
        }
    }

    @Test("The thread that cancels a task doesn't wait for the server")
    func theThreadThatCancels() async throws {
        try await OwnThreads.run {
            let folder = try TemporaryFolder()
            let socket = URL(fileURLWithPath: try TestProxy.testServerSocket())
            let path = folder.path("server")
            let files = FileManager.default
            try files.createSymbolicLink(
                atPath: path, withDestinationPath: socket.deletingLastPathComponent().path)
            let (coordinator, name) = try coordinator("host=\(path)&port=\(socket.pathExtension)")
            let context = Self.makeContext(coordinator)
            let lock = try lockAuthors()
            defer { lock.close() }
            let task = OwnThreads.begin { try await Self.save("Ada", context) }
            try await waitForLocks(1, name)
            // From now on no answer comes from the address of the server.
            try files.removeItem(atPath: path)
            try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            let silent = try UnixSocket.listen("\(path)/\(socket.lastPathComponent)")
            let signals = Signals()
            Thread.detachNewThread {
                task.cancel()
                signals.add("cancelled")
            }
            #expect(signals.wait { $0 == ["cancelled"] })
            close(silent)
            try lock.rollback()
            _ = await task.result
        }
    }

    @Test("A task that is cancelled waits for no connection")
    func aTaskThatIsCancelledWaits() async throws {
        try await OwnThreads.run {
            let (coordinator, name) = try coordinator("pool_size=2&pool_timeout=600")
            let (first, second) = (Self.makeContext(coordinator), Self.makeContext(coordinator))
            // A pinned context keeps one of the connections.
            let pinned = Self.makeContext(coordinator)
            try await pinned.perform {
                try pinned.setQueryGenerationFrom(.current)
                try expectEqual(pinned.names("Author"), [])
            }
            let lock = try lockAuthors()
            defer { lock.close() }
            let saving = OwnThreads.begin { try await Self.save("Ada", first) }
            try await waitForLocks(1, name)
            let store = try requireValue(coordinator.persistentStores.first as? PostgreSQLStore)
            let pool = try store.database.requireOpen().pool
            let waiting = OwnThreads.begin { try await Self.names(second) }
            while pool.waitingCount == 0 { await Task.yield() }
            waiting.cancel()
            let error = try requireValue(await waiting.result.error as NSError?)
            expectEqual(error.code, CocoaError.userCancelled.rawValue)
            try lock.rollback()
            try await saving.value
            try await expectEqual(Self.names(second), ["Ada"])
            expectEqual(pool.connectionCount, 2)
            withExtendedLifetime(pinned) {}
        }
    }

    @Test("Tasks that are cancelled don't wait until their blocks may begin")
    func tasksThatAreCancelledDoNotWait() async throws {
        try await OwnThreads.run {
            let (coordinator, name) = try coordinator("pool_size=1")
            coordinator.keepLimitOfBlocks()
            let first = Self.makeContext(coordinator)
            let lock = try lockAuthors()
            defer { lock.close() }
            let saving = OwnThreads.begin { try await Self.save("Ada", first) }
            try await waitForLocks(1, name)
            // The only connection is in use, so that no further block begins.
            let waiting = (0..<100).map { _ in OwnThreads.begin { try await Self.names(Self.makeContext(coordinator)) }
            }
            let unharmed = OwnThreads.begin { try await Self.names(Self.makeContext(coordinator)) }
            for task in waiting { task.cancel() }
            for task in waiting {
                let error = try requireValue(await task.result.error as NSError?)
                expectEqual(error.code, CocoaError.userCancelled.rawValue)
            }
            try lock.rollback()
            try await saving.value
            // This one may have read before the save, or after it.
            #expect(try await ["", "Ada"].contains(unharmed.value.joined()))
            try await expectEqual(Self.names(Self.makeContext(coordinator)), ["Ada"])
        }
    }

    @Test("The requests of a task that was cancelled before throw")
    func theRequestsOfATask() async throws {
        try await OwnThreads.run {
            let (coordinator, _) = try coordinator()
            let context = Self.makeContext(coordinator)
            let task = OwnThreads.begin {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await Self.names(context)
            }
            let error = try requireValue(await task.result.error as NSError?)
            expectEqual(error.code, CocoaError.userCancelled.rawValue)
            try await expectEqual(Self.names(context), [])
        }
    }

    @Test("A thousand tasks that wait for the server need few threads")
    func aThousandTasksThatWait() async throws {
        try await OwnThreads.run {
            let (coordinator, name) = try coordinator("pool_size=4")
            coordinator.keepLimitOfBlocks()
            let lock = try lockAuthors()
            defer { lock.close() }
            let store = try requireValue(coordinator.persistentStores.first as? PostgreSQLStore)
            let pool = try store.database.requireOpen().pool
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1000 {
                    group.addTask { try await Self.save("\(number)", Self.makeContext(coordinator)) }
                }
                try await waitForLocks(4, name)
                // No block waits for a connection, which would hold a thread, too.
                expectEqual(pool.waitingCount, 0)
                try lock.rollback()
                try await group.waitForAll()
            }
            try await expectEqual(Self.names(Self.makeContext(coordinator)).count, 1000)
        }
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
