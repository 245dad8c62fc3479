import CoreData
import CoreDataServer
import ServiceLifecycle
import Synchronization

/// One change of an object, for the clients of a team.
struct ChangeEvent: Sendable {
    let team: String
    /// The number of the transaction, which clients send again to go on after a lost connection.
    let transaction: Int64
    let json: ManagedObjectSnapshot
}

/// Reads what any process has committed, and gives it to the clients of the teams.
final class ChangeFeed: Service, Sendable {
    private struct Subscribers {
        var next = 0
        var all: [Int: (team: String, continuation: AsyncStream<ChangeEvent>.Continuation)] = [:]
    }

    /// How many events wait for a client. One that is slower loses its connection, and goes on by `Last-Event-ID`.
    private static let bufferSize = 256
    /// How long the history is kept.
    private static let historyAge: TimeInterval = 7 * 24 * 3600

    private let database: CoreDataService
    private let subscribers = Mutex(Subscribers())
    private let last = Mutex<Int64?>(nil)
    private let signal = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(_ database: CoreDataService) { self.database = database }

    func run() async throws {
        let center = NotificationCenter.default
        let coordinator = database.container.persistentStoreCoordinator
        let observer = UncheckedObserver(
            center.addObserver(forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil) { [signal] _ in
                signal.continuation.yield()
            })
        defer { center.removeObserver(observer.value) }
        do {
            let newest = try await database.perform { context in
                try ChangeHistory.deleteOld(before: Date(timeIntervalSinceNow: -Self.historyAge), context)
                return try ChangeHistory.newest(context)
            }
            last.withLock { $0 = newest }
            for await _ in signal.stream.cancelOnGracefulShutdown() { try await deliver() }
        } catch is CoreDataServiceError {
            // The database ends before.
        }
        for continuation in subscribers.withLock({ $0.all.values.map(\.continuation) }) { continuation.finish() }
    }

    private func deliver() async throws {
        var mayContinue = true
        while mayContinue, let last = last.withLock({ $0 }) {
            let isHeard = subscribers.withLock { !$0.all.isEmpty }
            do {
                let part = try await database.perform {
                    try ChangeHistory.part(after: last, isHeard: isHeard, $0)
                }
                self.last.withLock { $0 = part.last }
                give(part.events)
                mayContinue = part.mayContinue
            } catch let error as NSError where error.domain == NSCocoaErrorDomain {
                // The next commit tries again.
                return
            }
        }
    }

    private func give(_ events: [ChangeEvent]) {
        let all = subscribers.withLock { $0.all }
        for event in events {
            for (number, subscriber) in all where subscriber.team == event.team {
                if case .dropped = subscriber.continuation.yield(event) {
                    subscriber.continuation.finish()
                    remove(number)
                }
            }
        }
    }

    /// The changes of a team from now on, and before them those after a transaction.
    func events(of team: String, after transaction: Int64?) async throws -> AsyncStream<ChangeEvent> {
        let (stream, continuation) = AsyncStream<ChangeEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.bufferSize))
        let number = subscribers.withLock { subscribers in
            subscribers.next += 1
            subscribers.all[subscribers.next] = (team, continuation)
            return subscribers.next
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        guard let transaction else { return stream }
        var missed: [ChangeEvent] = []
        var part = ChangeHistory.Part(events: [], last: transaction, mayContinue: true)
        while part.mayContinue {
            let last = part.last
            part = try await database.perform { try ChangeHistory.part(after: last, $0) }
            missed += part.events.filter { $0.team == team }
        }
        return Self.joined(missed, after: part.last, stream)
    }

    /// The events of a list and then those of a stream that the list doesn't have.
    private static func joined(
        _ missed: [ChangeEvent], after newest: Int64, _ stream: AsyncStream<ChangeEvent>
    ) -> AsyncStream<ChangeEvent> {
        AsyncStream { continuation in
            let task = Task {
                for event in missed { continuation.yield(event) }
                for await event in stream where event.transaction > newest { continuation.yield(event) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func remove(_ number: Int) { subscribers.withLock { _ = $0.all.removeValue(forKey: number) } }
}

/// An observer of a notification center. Sendable: it is only given back to the center.
private struct UncheckedObserver: @unchecked Sendable {
    let value: any NSObjectProtocol

    init(_ value: any NSObjectProtocol) { self.value = value }
}
