// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
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
/// among the ``problems()``. Of two changes of one property one wins, by the policy in the model's user info.
///
/// May be used by any task.
public actor SyncEngine {
    let replica: SyncReplica
    private let coordinator: NSPersistentStoreCoordinator
    let transport: any SyncTransport
    let configuration: Configuration
    private let listeners: SyncListeners<Event>
    let alarm = SyncAlarm()
    /// The queue on which the replica works: its calls block.
    private let queue = DispatchQueue(label: "CoreDataSync.SyncEngine")
    /// The start or stop that was asked for last. One follows the other.
    private var turn: Task<Void, Never>?
    private var loop: Task<Void, Never>?
    /// The tasks beside the loop: they listen to the server, and renew the lease.
    private var companions: [Task<Void, Never>] = []
    private var saves: SyncSaveObserver?
    /// Hears of engines of this process that end.
    private var leases: SyncObserver?
    private static let leaseEnded = Notification.Name("CoreDataSync.leaseEnded")
    var lastSession: ContinuousClock.Instant?
    private var lastLease: ContinuousClock.Instant?
    /// The number of the exchange that runs or ran last.
    private var round = 0
    /// Exchanges that failed in a row.
    private var failures = 0
    /// Answers in a row that brought nothing.
    var idleAnswers = 0
    private var waiters: [UUID: (round: Int, continuation: CheckedContinuation<Void, any Error>)] = [:]
    private var present = Status()
    /// The reason for which the engine doesn't work.
    package private(set) var ending = SyncEngineError.stopped

    /// Makes an engine for a store of a container. Nothing is sent before ``start()``.
    ///
    /// - Parameters:
    ///   - container: has loaded its stores.
    ///   - store: the store that syncs; nil for the first one. Other stores of the container have other entities, by
    ///     their configurations: the server, which knows the whole model, serves the store's part.
    ///   - server: the URL of the server, without the path `sync`.
    ///   - configuration: how the engine works.
    ///   - token: gives the token of the user, which goes with each request as `Authorization: Bearer`. It is called
    ///     again if the server doesn't accept it.
    /// - Throws: ``SyncEngineError/noStore``, ``SyncEngineError/noHistory(_:)``,
    ///   ``SyncEngineError/sharedEntities(_:)``, ``SyncEngineError/sharedSideStore(_:)``, an error for a mistake in the
    ///   model's user info, and errors of the side store.
    public init(
        _ container: NSPersistentContainer, store: NSPersistentStore? = nil, server: URL,
        configuration: Configuration = Configuration(), token: @escaping @Sendable () async throws -> String
    ) throws {
        try self.init(
            container.persistentStoreCoordinator, configuration, HTTPTransport(server, token: token), store: store)
    }

    package init(
        _ coordinator: NSPersistentStoreCoordinator, _ configuration: Configuration = Configuration(),
        _ transport: any SyncTransport, store: NSPersistentStore? = nil
    ) throws {
        guard let store = store ?? coordinator.persistentStores.first else { throw SyncEngineError.noStore }
        let hasHistory = store.options?[NSPersistentHistoryTrackingKey] as? NSNumber
        guard hasHistory?.boolValue ?? false else { throw SyncEngineError.noHistory(store.url) }
        let url = configuration.sideStoreURL ?? store.url.map(SyncSideStore.url) ?? URL(fileURLWithPath: "/dev/null")
        let side = try SyncSideStore.open(at: url)
        let listeners = SyncListeners<Event>(most: 256)
        var settings = SyncReplica.Settings()
        settings.storeIdentifier = store.identifier
        settings.configurationName = try Self.configurationName(of: store, in: coordinator)
        settings.report = { listeners.send(Event($0)) }
        settings.didImport = { listeners.send(.imported) }
        replica = try SyncReplica(coordinator, side: side, settings: settings)
        do { try replica.checkSideStore() } catch let error as SyncReplicaError { throw error.engineError }
        self.coordinator = coordinator
        self.listeners = listeners
        self.configuration = configuration.bounded
        self.transport = transport
    }

    deinit {
        loop?.cancel()
        for task in companions { task.cancel() }
    }

    // MARK: The life of the engine

    /// Begins to sync, and goes on until ``stop()``. It doesn't wait for the server: ``syncNow()`` does.
    ///
    /// - Throws: ``SyncEngineError/needsFirstStart`` and ``SyncEngineError/storesDiffer``, which the program answers by
    ///   ``begin(_:)``; errors of the stores.
    public func start() async throws { try await inTurn { try await $0.startNow() } }

    /// Ends the work, and lets another process sync. Changes of the program wait for the next start.
    public func stop() async { try? await inTurn { await $0.stopNow() } }

    /// Says what becomes of the objects of a store that has some before it syncs for the first time, or whose side
    /// store was lost or restored. Call ``start()`` after it.
    ///
    /// - Throws: ``SyncEngineError/otherProcess``, and errors of the stores.
    public func begin(_ choice: SyncFirstStart) async throws { try await whileStopped { try $0.begin(choice) } }

    /// Stops, and does a piece of work on the stores. No other process syncs during the work.
    func whileStopped(_ body: @escaping @Sendable (SyncReplica) throws -> Void) async throws {
        try await inTurn { engine in
            await engine.stopNow()
            guard try await engine.work({ try $0.takeLease() }) else { throw SyncEngineError.otherProcess }
            try await engine.work(body)
        }
    }

    /// Runs a start or a stop after those that were asked for before.
    private func inTurn(_ body: @escaping @Sendable (SyncEngine) async throws -> Void) async throws {
        let before = turn
        let task: Task<Void, any Error> = Task {
            await before?.value
            try await body(self)
        }
        turn = Task { _ = try? await task.value }
        try await task.value
    }

    private func startNow() async throws {
        guard loop == nil else { return }
        lastLease = nil
        // Another process may sync the store: this one looks at it when that one ends.
        do {
            _ = try await takeLease()
        } catch {
            await endLease()
            throw error
        }
        leases = SyncObserver(Self.leaseEnded) { [weak self] _ in Task { await self?.askForLease() } }
        saves = SyncSaveObserver(coordinator) { [alarm] context in
            if context?.isSyncImport != true { alarm.ring(.saves) }
        }
        failures = 0
        alarm.ring(.all)
        loop = Task { [weak self, alarm] in
            while !Task.isCancelled, let pause = await self?.step() {
                // A server that wants no request for some time gets none.
                if pause.least > 0 { await alarm.wait(seconds: pause.least, for: []) }
                await alarm.wait(seconds: pause.seconds, for: pause.signals)
            }
        }
        let (transport, alarm) = (transport, alarm)
        companions = [
            Task { await Self.listen(transport, alarm) },
            Task { [weak self] in
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(20))
                    await self?.keepLease()
                }
            },
        ]
    }

    private func stopNow() async {
        guard let loop else { return }
        loop.cancel()
        endCompanions()
        await loop.value
        await endLease()
        end(.stopped, .stopped)
    }

    private func endCompanions() {
        for task in companions { task.cancel() }
        companions = []
    }

    /// Ends the loop's surroundings.
    private func end(_ phase: Status.Phase, _ error: SyncEngineError) {
        endCompanions()
        ending = error
        let failure = phase == .failed ? error.localizedDescription : nil
        (loop, saves, leases, lastSession) = (nil, nil, nil, nil)
        publish { ($0.phase, $0.isConnected, $0.failure) = (phase, false, failure) }
        let waiters = waiters.values
        self.waiters = [:]
        for waiter in waiters { waiter.continuation.resume(throwing: error) }
    }

    /// Exchanges changes with the server now.
    ///
    /// - Throws: ``SyncEngineError``, and errors of the network and of the stores. The engine tries again by itself.
    public func syncNow() async throws {
        guard loop != nil else { throw ending }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiters[id] = (round + 1, continuation)
                alarm.ring(.request)
            }
        } onCancel: {
            Task { await self.cancelWait(id) }
        }
    }

    private func cancelWait(_ id: UUID) {
        waiters.removeValue(forKey: id)?.continuation.resume(throwing: CancellationError())
    }

    /// Waits until the server has everything that was saved before the call. What is saved later isn't waited for.
    ///
    /// - Throws: as ``syncNow()``.
    public func waitForPending() async throws {
        guard loop != nil else { throw ending }
        // The process that syncs notes saves, and no other one.
        guard try await takeLease() else { throw SyncEngineError.otherProcess }
        var backlog = try await work { try $0.backlog() }
        repeat {
            try await syncNow()
            backlog = try await work { [backlog] in try $0.rest(of: backlog) }
        } while !backlog.isEmpty
    }

    /// Asks the server whether it serves the version of the store's model. Nothing else is sent, and nothing changes.
    ///
    /// - Throws: ``SyncFailure`` if it doesn't; ``SyncTransportError``, and errors of the network.
    package func checkModel() async throws {
        let request = try await work { try $0.sessionQuestion() }
        if case .failure(let failure) = try await transport.answer(request) { throw failure }
    }

    /// The entities that travel, and their properties.
    package nonisolated var schemaLines: [String] {
        replica.schema.entities.values.sorted { $0.modelName < $1.modelName }.map { entity in
            "\(entity.modelName): \(entity.properties.values.map(\.key).sorted().joined(separator: ", "))"
        }
    }

    // MARK: News

    /// The present work of the engine, and its state.
    public var status: Status { present }

    /// A stream of events, from now on. Each call makes one. A listener that is 256 events behind loses the oldest.
    public nonisolated var events: AsyncStream<Event> { listeners.listen() }

    private func publish(_ change: (inout Status) -> Void) {
        var status = present
        change(&status)
        guard status != present else { return }
        present = status
        listeners.send(.status(status))
    }

    /// Counts what is pending, and what the server has refused. The process that syncs notes new saves before.
    func count() async throws {
        let isOwner = lastLease != nil
        let counts = try await work { try $0.counts(noting: isOwner) }
        publish { ($0.pendingCount, $0.problemCount) = counts }
    }

    // MARK: Work

    /// Runs a piece of the replica's work on its queue.
    func work<Result: Sendable>(_ body: @escaping @Sendable (SyncReplica) throws -> Result) async throws -> Result {
        let replica = replica
        do {
            return try await queue.run { try body(replica) }
        } catch let error as SyncReplicaError {
            throw error.engineError
        }
    }

    /// Asks again, if the engine waits for the end of another one.
    private func askForLease() { if present.phase == .otherProcess { alarm.ring(.request) } }

    private func endLease() async {
        lastLease = nil
        try? await work { try $0.endLease() }
        NotificationCenter.default.post(name: Self.leaseEnded, object: nil)
    }

    private func keepLease() async { if lastLease != nil { _ = try? await takeLease(atLeast: .seconds(10)) } }

    /// Makes this process the one that syncs, or says so again after some time.
    ///
    /// - Throws: ``SyncEngineError/noStore`` if the store was removed: the coordinator may have another one with its
    ///   entities since.
    func takeLease(atLeast age: Duration = .seconds(30)) async throws -> Bool {
        guard replica.stores?.isEmpty != true else { throw SyncEngineError.noStore }
        if let lastLease, lastLease.duration(to: .now) < age { return true }
        let lease = try await work { try $0.renewLease() }
        guard lease != .other else {
            lastLease = nil
            return false
        }
        if lease == .taken || lastLease == nil {
            // Another process may have synced the store since.
            try await work { try $0.resume() }
            lastSession = nil
        }
        lastLease = .now
        return true
    }

    /// The wait after an exchange.
    private struct Pause {
        var seconds: Double
        /// The signals that end it.
        var signals = SyncAlarm.Signals.all
        /// The seconds that pass in any case.
        var least = 0.0
    }

    /// Makes one exchange.
    ///
    /// - Returns: the wait until the next one; nil if the engine has stopped.
    private func step() async -> Pause? {
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
            return Pause(seconds: configuration.pollingInterval)
        } catch {
            guard !Task.isCancelled else {
                endRound(SyncEngineError.stopped)
                return nil
            }
            endRound(error)
            return await pause(after: error)
        }
    }

    /// The wait after an exchange that failed; nil if the engine doesn't try again.
    private func pause(after error: any Error) async -> Pause? {
        failures += 1
        let text = error.localizedDescription
        switch error {
        case let error as SyncEngineError where error.endsWork:
            await endLease()
            end(.failed, error)
            return nil
        case SyncEngineError.otherProcess:
            publish { ($0.phase, $0.isConnected, $0.failure) = (.otherProcess, false, nil) }
            try? await count()
            return Pause(seconds: min(configuration.pollingInterval, 60), signals: .request)
        case SyncEngineError.refused:
            publish { ($0.phase, $0.isConnected, $0.failure) = (.waiting, true, text) }
            return Pause(seconds: configuration.longestDelay, signals: .request)
        default:
            publish { ($0.phase, $0.isConnected, $0.failure) = (.waiting, false, text) }
            try? await count()
            // A server that comes back isn't met by all at once.
            let delay = min(pow(2, Double(min(failures, 16))) / 2, configuration.longestDelay)
            let least = if case SyncTransportError.later(let seconds) = error { seconds } else { 0.0 }
            return Pause(seconds: delay * .random(in: 0.5...1), signals: [.request, .news], least: least)
        }
    }

    private func endRound(_ error: (any Error)?) {
        for (id, waiter) in waiters where waiter.round <= round {
            waiters[id] = nil
            if let error { waiter.continuation.resume(throwing: error) } else { waiter.continuation.resume() }
        }
    }

    // MARK: Signals

    /// Listens to the news of the server.
    private static func listen(_ transport: any SyncTransport, _ alarm: SyncAlarm) async {
        var failures = 0
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            do {
                for try await _ in transport.news() { alarm.ring(.news) }
            } catch {}
            // A connection that ends at once is one of something between the server and the device.
            failures = begin.duration(to: .now) > .seconds(30) ? 1 : failures + 1
            try? await Task.sleep(for: .seconds(min(pow(2, Double(min(failures, 8))), 120) * .random(in: 0.5...1)))
        }
    }
}
