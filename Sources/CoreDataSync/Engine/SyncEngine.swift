// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// Keeps the store of a container in sync with a server, while the program works with it as with any other store.
///
///     let engine = try SyncEngine(container, server: url) { try await account.token() }
///     try await engine.start()
///
/// The engine sends what any context or process saves, and saves what others have changed, as the author `sync`. A
/// context with `automaticallyMergesChangesFromParent` shows it. The store needs a persistent history.
///
/// It works without a network, too: changes wait, and are sent later. What the server refuses is kept with its values
/// among the ``problems()``; nothing is lost silently.
///
/// May be used by any task.
public actor SyncEngine {
    let replica: SyncReplica
    private let coordinator: NSPersistentStoreCoordinator
    private let transport: any SyncTransport
    private let configuration: Configuration
    private let streams: SyncEventStreams
    private let alarm = SyncAlarm()
    /// The queue on which the replica works: its calls block.
    private let queue = DispatchQueue(label: "CoreDataSync.SyncEngine")
    private var loop: Task<Void, Never>?
    private var listener: Task<Void, Never>?
    private var saves: SaveObserver?
    private var hasSession = false
    private var lastLease: ContinuousClock.Instant?
    /// The number of the exchange that runs or ran last.
    private var round = 0
    /// Exchanges that failed in a row.
    private var failures = 0
    /// Answers in a row that were failures, which the replica has met by another request.
    private var answeredFailures = 0
    private var waiters: [(round: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    private var present = Status()

    /// Makes an engine for the first store of a container. Nothing is sent before ``start()``.
    ///
    /// - Parameters:
    ///   - container: has loaded its stores.
    ///   - server: the URL of the server, without the path `sync`.
    ///   - configuration: how the engine works.
    ///   - token: gives the token of the user, which goes with each request as `Authorization: Bearer`. It is called
    ///     again if the server doesn't accept it.
    /// - Throws: ``SyncEngineError/noStore``, ``SyncEngineError/noHistory(_:)``, an error for a mistake in the model's
    ///   user info, and errors of the side store.
    public init(
        _ container: NSPersistentContainer, server: URL, configuration: Configuration = Configuration(),
        token: @escaping @Sendable () async throws -> String
    ) throws {
        try self.init(
            container.persistentStoreCoordinator, configuration, HTTPTransport(server, token: token))
    }

    package init(
        _ coordinator: NSPersistentStoreCoordinator, _ configuration: Configuration = Configuration(),
        _ transport: any SyncTransport
    ) throws {
        guard let store = coordinator.persistentStores.first else { throw SyncEngineError.noStore }
        let hasHistory = store.options?[NSPersistentHistoryTrackingKey] as? NSNumber
        guard hasHistory?.boolValue ?? false else { throw SyncEngineError.noHistory(store.url) }
        let side = NSPersistentStoreCoordinator(managedObjectModel: SyncReplica.sideModel)
        let url = configuration.sideStoreURL ?? store.url.map(Self.sideStoreURL) ?? URL(fileURLWithPath: "/dev/null")
        _ = try side.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
            ])
        let streams = SyncEventStreams()
        var settings = SyncReplica.Settings()
        settings.report = { streams.send($0) }
        replica = try SyncReplica(coordinator, side: side, settings: settings)
        self.coordinator = coordinator
        self.streams = streams
        self.configuration = configuration
        self.transport = transport
    }

    deinit {
        loop?.cancel()
        listener?.cancel()
    }

    /// `Notes-sync.sqlite` beside `Notes.sqlite`.
    private static func sideStoreURL(of store: URL) -> URL {
        guard store.path != "/dev/null" else { return store }
        let name = store.deletingPathExtension().lastPathComponent
        return store.deletingLastPathComponent().appendingPathComponent("\(name)-sync.sqlite")
    }

    // MARK: The life of the engine

    /// Begins to sync, and goes on until ``stop()``. It doesn't wait for the server: ``syncNow()`` does.
    ///
    /// - Throws: ``SyncEngineError/needsFirstStart`` and ``SyncEngineError/storesDiffer``, which the program answers by
    ///   ``begin(_:)``; errors of the stores.
    public func start() async throws {
        guard loop == nil else { return }
        lastLease = nil
        // Another process may sync the store: this one looks at it when that one ends.
        _ = try await takeLease()
        guard loop == nil else { return }
        saves = SaveObserver(coordinator, alarm)
        failures = 0
        alarm.ring(.all)
        loop = Task { [weak self, alarm] in
            while !Task.isCancelled {
                guard let seconds = await self?.step() else { return }
                await alarm.wait(seconds: seconds)
            }
            await self?.endLease()
        }
        listener = Task { [weak self, alarm, transport] in
            var failures = 0
            while !Task.isCancelled, self != nil {
                do {
                    for try await _ in transport.news() {
                        failures = 0
                        alarm.ring(.news)
                    }
                } catch {}
                failures += 1
                try? await Task.sleep(for: .seconds(min(pow(2, Double(min(failures, 8))), 120) * .random(in: 0.5...1)))
            }
        }
    }

    /// Ends the work, and lets another process sync. Changes of the program wait for the next start.
    public func stop() async {
        let (loop, listener) = (loop, listener)
        loop?.cancel()
        listener?.cancel()
        await loop?.value
        guard self.loop == loop else { return }
        end(.stopped, nil)
    }

    /// Says what becomes of the objects of a store that has some before it syncs for the first time, or whose side
    /// store was lost or restored. Call ``start()`` after it.
    ///
    /// - Throws: errors of the stores.
    public func begin(_ choice: SyncFirstStart) async throws {
        await stop()
        try await work { try $0.begin(choice) }
    }

    /// Exchanges changes with the server now.
    ///
    /// - Throws: ``SyncEngineError``, and errors of the network and of the stores. The engine tries again by itself.
    public func syncNow() async throws {
        guard loop != nil else { throw SyncEngineError.stopped }
        try await withCheckedThrowingContinuation { continuation in
            waiters.append((round + 1, continuation))
            alarm.ring(.request)
        }
    }

    /// Waits until the server has everything that was saved before the call.
    ///
    /// - Throws: as ``syncNow()``.
    public func waitForPending() async throws {
        repeat { try await syncNow() } while try await !work { try $0.isQuiet() }
    }

    // MARK: News

    /// The present work of the engine, and its state.
    public var status: Status { present }

    /// A stream of events, from now on. Each call makes one. A listener that is 256 events behind loses the oldest.
    public nonisolated var events: AsyncStream<Event> { streams.make() }

    private func publish(_ change: (inout Status) -> Void) {
        var status = present
        change(&status)
        guard status != present else { return }
        present = status
        streams.send(.status(status))
    }

    /// Counts what is pending, and what the server has refused. The process that syncs notes new saves before.
    func count() async throws {
        let isOwner = lastLease != nil
        let counts = try await work { try $0.counts(noting: isOwner) }
        publish { ($0.pendingCount, $0.problemCount) = counts }
    }

    // MARK: Exchanges

    /// Runs a piece of the replica's work on its queue.
    func work<Result: Sendable>(_ body: @escaping @Sendable (SyncReplica) throws -> Result) async throws -> Result {
        let replica = replica
        do {
            return try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Swift.Result { try body(replica) }) }
            }
        } catch let error as SyncReplicaError {
            throw error.engineError
        }
    }

    /// Makes one exchange.
    ///
    /// - Returns: the seconds until the next one, unless a signal comes before; nil if the engine has stopped.
    private func step() async -> Double? {
        round += 1
        let signals = alarm.takeSignals()
        do {
            guard try await takeLease() else { throw SyncEngineError.otherProcess }
            publish { $0.phase = .syncing }
            // A save of the program says nothing of the server.
            try await exchange(pulls: signals != .saves)
            publish { ($0.phase, $0.isConnected, $0.failure, $0.lastSynced) = (.idle, true, nil, Date()) }
            try await count()
            failures = 0
            endRound(nil)
            return configuration.pollingInterval
        } catch {
            endRound(error)
            return Task.isCancelled ? 0 : await delay(after: error)
        }
    }

    /// The seconds after which the engine tries again; nil if it doesn't.
    private func delay(after error: any Error) async -> Double? {
        failures += 1
        let text = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
        switch error {
        case SyncEngineError.accountChanged, SyncEngineError.needsFirstStart, SyncEngineError.storesDiffer:
            end(.failed, text)
            return nil
        case SyncEngineError.otherProcess:
            publish { ($0.phase, $0.isConnected, $0.failure) = (.otherProcess, false, nil) }
            try? await count()
            return configuration.pollingInterval
        case SyncEngineError.refused:
            publish { ($0.phase, $0.isConnected, $0.failure) = (.waiting, true, text) }
            return configuration.longestDelay
        default:
            publish { ($0.phase, $0.isConnected, $0.failure) = (.waiting, false, text) }
            // A server that comes back isn't met by all at once.
            let delay = min(pow(2, Double(min(failures, 16))) / 2, configuration.longestDelay)
            let least = if case SyncTransportError.later(let seconds) = error { seconds } else { 0.0 }
            return max(delay * .random(in: 0.5...1), least)
        }
    }

    private func endRound(_ error: (any Error)?) {
        let ended = waiters.filter { $0.round <= round }
        waiters.removeAll { $0.round <= round }
        for waiter in ended {
            if let error { waiter.continuation.resume(throwing: error) } else { waiter.continuation.resume() }
        }
    }

    /// Ends the loop.
    private func end(_ phase: Status.Phase, _ failure: String?) {
        (loop, listener) = (nil, nil)
        saves = nil
        publish { ($0.phase, $0.isConnected, $0.failure) = (phase, false, failure) }
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.continuation.resume(throwing: SyncEngineError.stopped) }
    }

    private func endLease() async { try? await work { try $0.endLease() } }

    private func takeLease() async throws -> Bool {
        if let lastLease, lastLease.duration(to: .now) < .seconds(20) { return true }
        guard try await work({ try $0.takeLease() }) else {
            lastLease = nil
            return false
        }
        if lastLease == nil {
            // Another process may have synced the store since.
            try await work { try $0.resume() }
            hasSession = false
        }
        lastLease = .now
        return true
    }

    /// Sends what is pending, and takes what is new.
    ///
    /// - Parameter pulls: whether to ask for changes though nothing is sent.
    private func exchange(pulls: Bool) async throws {
        var pulls = pulls || !hasSession
        while !hasSession {
            let request = try await work { try $0.sessionRequest() }
            if case .session = try await send(request) { hasSession = true }
        }
        while let request = try await work({ try $0.pushRequest() }) {
            let response = try await send(request)
            guard case .push = response else { continue }
            try await count()
            try await pull()
            pulls = false
        }
        if pulls { try await pull() }
        while let request = try await work({ try $0.laterRequest() }) { _ = try await send(request) }
    }

    private func pull() async throws {
        while true {
            let request = try await work { try $0.pullRequest() }
            let response = try await send(request)
            guard case .changes(let changes) = response, changes.isLast else { continue }
            if !changes.objects.isEmpty { streams.send(.imported) }
            return
        }
    }

    /// Sends a request, and takes its answer.
    private func send(_ request: SyncRequest) async throws -> SyncResponse {
        try Task.checkCancellation()
        guard try await takeLease() else { throw SyncEngineError.otherProcess }
        let response: SyncResponse
        do {
            response = try await transport.answer(request)
        } catch SyncTransportError.unauthorized {
            throw SyncEngineError.unauthorized
        }
        do {
            try await work { try $0.receive(response, to: request) }
        } catch let failure as SyncFailure where failure.reason != .unavailable {
            throw SyncEngineError.refused(failure.text)
        }
        guard case .failure(let failure) = response else {
            answeredFailures = 0
            return response
        }
        answeredFailures += 1
        guard answeredFailures < 20 else {
            answeredFailures = 0
            throw failure
        }
        return response
    }
}

extension SyncReplicaError {
    fileprivate var engineError: SyncEngineError {
        switch self {
        case .accountChanged: .accountChanged
        case .needsFirstStart: .needsFirstStart
        case .storesDiffer: .storesDiffer
        case .unrepeatable(let text): .refused(text)
        }
    }
}
