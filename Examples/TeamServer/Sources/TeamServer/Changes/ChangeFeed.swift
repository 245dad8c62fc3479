import CoreData
import CoreDataServer
import Logging
import ServiceLifecycle
import Synchronization

/// Reads what any process has committed, and gives it to the clients of the teams.
final class ChangeFeed: Service, Sendable {
    /// Limits and times of a feed.
    struct Configuration: Sendable {
        /// How many transactions wait for a client. One that is slower loses its connection, and goes on by
        /// `Last-Event-ID`.
        var bufferSize = 256
        /// After how many transactions a client can go on.
        var transactionLimit = 10_000
        /// After how many changes, of all teams, a client can go on.
        var changeLimit = 50_000
        /// How long the history is kept.
        var historyAge: TimeInterval = 7 * 24 * 3600
        /// The time between two deletions of old history.
        var deletingInterval = Duration.seconds(24 * 3600)
        /// The time between two messages that tell clients and proxies that the connection lives.
        var aliveInterval = Duration.seconds(15)
        /// How long the feed waits after an error of the database, before it tries again.
        var pause = Duration.seconds(1)
    }

    /// A client can't go on after its last event: it must read the objects again.
    struct Gone: Error {}

    private struct State {
        var nextSubscriber = 0
        var subscribers: [Int: (team: String, continuation: AsyncStream<ChangeMessage>.Continuation)] = [:]
        /// Where the history goes on; nil until its end is found, at first and after each restart.
        var last: NSPersistentHistoryToken?
        /// The newest transactions, after which clients can go on. They are in the order of their numbers.
        var positions: [ChangeHistory.Position] = []
        var hasEnded = false
    }

    private let database: CoreDataService
    private let configuration: Configuration
    private let logger: Logger
    private let state = Mutex(State())
    private let signal = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(_ database: CoreDataService, configuration: Configuration = Configuration(), logger: Logger) {
        (self.database, self.configuration, self.logger) = (database, configuration, logger)
    }

    /// How many clients listen.
    var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    // MARK: The service

    func run() async throws {
        let center = NotificationCenter.default
        let coordinator = database.container.persistentStoreCoordinator
        let observer = UncheckedObserver(
            center.addObserver(forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil) { [signal] _ in
                signal.continuation.yield()
            })
        defer { center.removeObserver(observer.value) }
        signal.continuation.yield()
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await _ in self.signal.stream { await self.repeatAfterErrors { try await self.readNew() } }
                }
                group.addTask {
                    while !Task.isCancelled {
                        await self.repeatAfterErrors { try await self.deleteOld() }
                        try? await Task.sleep(for: self.configuration.deletingInterval)
                    }
                }
                group.addTask {
                    while (try? await Task.sleep(for: self.configuration.aliveInterval)) != nil { self.sendAlive() }
                }
            }
        }
        let continuations = state.withLock { state in
            state.hasEnded = true
            return state.subscribers.values.map(\.continuation)
        }
        for continuation in continuations { continuation.finish() }
    }

    /// Runs work until it succeeds, with a pause after each error, or until the feed or the database ends.
    private func repeatAfterErrors(_ work: () async throws -> Void) async {
        while !Task.isCancelled {
            do {
                return try await work()
            } catch is CancellationError {
                return
            } catch CoreDataServiceError.shuttingDown, CoreDataServiceError.notOpened {
                return
            } catch {
                // The error of a request may be that its task was cancelled.
                if Task.isCancelled { return }
                let error = error as NSError
                logger.warning("Changes can't be read: \(error.domain) \(error.code): \(error.localizedDescription)")
                try? await Task.sleep(for: configuration.pause)
            }
        }
    }

    private func deleteOld() async throws {
        let date = Date(timeIntervalSinceNow: -configuration.historyAge)
        try await database.perform { try ChangeHistory.deleteOld(before: date, $0) }
    }

    private func sendAlive() {
        let continuations = state.withLock { $0.subscribers.values.map(\.continuation) }
        // A client with a full buffer has transactions to read.
        for continuation in continuations { continuation.yield(.alive) }
    }

    // MARK: Reading

    /// Finds the end of the history, once.
    private func begin() async throws {
        guard state.withLock({ $0.last == nil }) else { return }
        let (age, limit) = (configuration.historyAge, configuration.transactionLimit)
        let end = try await database.perform { try ChangeHistory.end(age: age, limit: limit, $0) }
        state.withLock { state in
            guard state.last == nil else { return }
            (state.last, state.positions) = (end.token, end.newest)
        }
    }

    /// Reads what was committed since the last time, and gives it to the clients. Several tasks may call it.
    func readNew() async throws {
        try await begin()
        var mayContinue = true
        while mayContinue {
            let (last, isHeard) = state.withLock { ($0.last, !$0.subscribers.isEmpty) }
            guard let last else { return try await begin() }
            do {
                let part = try await database.perform { try ChangeHistory.part(after: last, isHeard: isHeard, $0) }
                mayContinue = take(part, after: last, isHeard: isHeard)
            } catch let error as NSError where error.isExpiredToken {
                restart(after: last)
            }
        }
    }

    /// Gives a part to the clients; true if a further part is to be read.
    private func take(_ part: ChangeHistory.Part, after last: NSPersistentHistoryToken, isHeard: Bool) -> Bool {
        let slow = state.withLock { state -> [AsyncStream<ChangeMessage>.Continuation]? in
            // Another task has read the part, or a client has come while it was read without its changes.
            guard state.last == last, isHeard || state.subscribers.isEmpty else { return nil }
            state.last = part.transactions.last?.token ?? last
            state.positions += part.transactions.map { ChangeHistory.Position(number: $0.number, token: $0.token) }
            let surplus = state.positions.count - configuration.transactionLimit
            // Seldom, as it moves the others.
            if surplus > configuration.transactionLimit / 10 { state.positions.removeFirst(surplus) }
            return part.transactions.flatMap { Self.give($0, &state) }
        }
        for continuation in slow ?? [] { continuation.finish() }
        return slow == nil || part.mayContinue
    }

    /// Gives a transaction to the clients of its teams, and returns those that have too much to read already.
    private static func give(
        _ transaction: ChangeTransaction, _ state: inout State
    ) -> [AsyncStream<ChangeMessage>.Continuation] {
        var slow: [AsyncStream<ChangeMessage>.Continuation] = []
        for (number, subscriber) in state.subscribers where transaction.changes[subscriber.team] != nil {
            if case .dropped = subscriber.continuation.yield(.transaction(transaction)) {
                slow.append(subscriber.continuation)
                state.subscribers[number] = nil
            }
        }
        return slow
    }

    /// Begins at the end of the history, since transactions that were not read are deleted. The clients come again, and
    /// hear that they can't go on.
    func restart(after last: NSPersistentHistoryToken) {
        let continuations = state.withLock { state -> [AsyncStream<ChangeMessage>.Continuation] in
            guard state.last == last else { return [] }
            (state.last, state.positions) = (nil, [])
            defer { state.subscribers = [:] }
            return state.subscribers.values.map(\.continuation)
        }
        for continuation in continuations { continuation.finish() }
    }

    // MARK: Clients

    /// Where a client goes on.
    ///
    /// - Parameter number: the number of the last transaction that the client knows; nil for a new client.
    /// - Returns: nil for a new client.
    /// - Throws: ``Gone`` if the transaction isn't kept, or too much follows it.
    func position(after number: Int64?) async throws -> ChangeHistory.Position? {
        try await begin()
        guard let number else {
            // A client that knows the number of what was before can go on after it.
            if state.withLock({ $0.positions.isEmpty }) { try await readNew() }
            return nil
        }
        // Another process may have read further than this one.
        if position(number) == nil { try await readNew() }
        guard let position = position(number) else { throw Gone() }
        do {
            let count = try await database.perform { try ChangeHistory.count(after: position.token, $0) }
            guard count <= configuration.changeLimit else { throw Gone() }
        } catch let error as NSError where error.isExpiredToken {
            throw Gone()
        }
        return position
    }

    private func position(_ number: Int64) -> ChangeHistory.Position? {
        state.withLock { state in
            let positions = state.positions
            var (lower, upper) = (0, positions.count)
            while lower < upper {
                let middle = (lower + upper) / 2
                if positions[middle].number < number { lower = middle + 1 } else { upper = middle }
            }
            return lower < positions.count && positions[lower].number == number ? positions[lower] : nil
        }
    }

    /// Gives a client the changes of its team, until the task is cancelled or the feed ends.
    ///
    /// Returns without a call of `connected` if the feed has ended, or has no place in the history. It has one after
    /// ``position(after:)``, and loses it if it must begin again: what is committed before it finds the end then would
    /// be missing. The client comes again.
    ///
    /// - Parameters:
    ///   - team: the team.
    ///   - position: the last transaction that the client knows; nil for the changes from now on.
    ///   - connected: called with the number of the last transaction that the client has got, or didn't need, once
    ///     everything that follows comes by itself.
    ///   - write: writes a message to the client.
    func listen(
        _ team: String, after position: ChangeHistory.Position?, connected: (Int64?) async throws -> Void,
        _ write: (ChangeMessage) async throws -> Void
    ) async throws {
        var known = position
        // Most of the missed transactions are read before the client subscribes: its buffer is for later transactions.
        try await readMissed(&known, write)
        guard let (number, stream, newest) = subscribe(team) else { return }
        defer { unsubscribe(number) }
        try await readMissed(&known, write)
        try await connected(known?.number ?? newest)
        for await message in stream.cancelOnGracefulShutdown() {
            if case .transaction(let transaction) = message, let known, transaction.number <= known.number { continue }
            try await write(message)
        }
    }

    /// Writes the transactions after one, part by part.
    private func readMissed(
        _ known: inout ChangeHistory.Position?, _ write: (ChangeMessage) async throws -> Void
    ) async throws {
        var mayContinue = true
        while mayContinue, let token = known?.token {
            let part = try await database.perform { try ChangeHistory.part(after: token, $0) }
            for transaction in part.transactions {
                try await write(.transaction(transaction))
                known = ChangeHistory.Position(number: transaction.number, token: transaction.token)
            }
            mayContinue = part.mayContinue
        }
    }

    /// Adds a client; nil if the feed has ended, or has no place in the history.
    private func subscribe(_ team: String) -> (number: Int, stream: AsyncStream<ChangeMessage>, newest: Int64?)? {
        let (stream, continuation) = AsyncStream<ChangeMessage>.makeStream(
            bufferingPolicy: .bufferingOldest(configuration.bufferSize))
        return state.withLock { state in
            guard !state.hasEnded, state.last != nil else { return nil }
            state.nextSubscriber += 1
            state.subscribers[state.nextSubscriber] = (team, continuation)
            return (state.nextSubscriber, stream, state.positions.last?.number)
        }
    }

    private func unsubscribe(_ number: Int) {
        let subscriber = state.withLock { $0.subscribers.removeValue(forKey: number) }
        subscriber?.continuation.finish()
    }
}

extension NSError {
    /// Whether transactions that follow a token were deleted.
    fileprivate var isExpiredToken: Bool {
        domain == NSCocoaErrorDomain && code == NSPersistentHistoryTokenExpiredError
    }
}

/// An observer of a notification center. Sendable: it is only given back to the center.
private struct UncheckedObserver: @unchecked Sendable {
    let value: any NSObjectProtocol

    init(_ value: any NSObjectProtocol) { self.value = value }
}
