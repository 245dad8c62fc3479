// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Observes the history of a container's stores: the saves of contexts in all processes.
///
/// ```swift
/// let observer = try HistoryObserver(observedModels: [Recipe.self], modelContainer: container)
/// withObservationTracking { _ = observer.eventCounter } onChange: { … }
/// ```
///
/// The observer doesn't observe custom stores. May be used on any thread.
public final class HistoryObserver: Observable, Sendable {
    /// The authors whose transactions count; empty for all.
    public let authors: Set<String>
    /// The container.
    public let modelContainer: ModelContainer
    /// The classes whose changes count; empty for all.
    public let observedModels: [any PersistentModel.Type]

    private struct State {
        var count = 0
        var token: DefaultHistoryToken
    }

    private struct Registration: @unchecked Sendable {
        // Sendable: set in the initializer alone.
        var observer: (any NSObjectProtocol)?
    }

    private let registrar = ObservationRegistrar()
    private let state: Locked<State>
    private let registration = Locked(Registration())
    private let entityNames: Set<String>
    private let actor: Locked<WeakActor>
    /// Serializes the first check, in the initializer, and the checks after notifications.
    private let checks = DispatchQueue(label: "SwiftData.HistoryObserver")

    private struct WeakActor { weak var actor: (any Actor)? }

    /// Observes the history.
    ///
    /// - Parameters:
    ///   - historyTokens: the positions after which transactions count, by the identifiers of stores; nil to count
    ///     transactions from now on.
    ///   - observedModels: the classes whose changes count, with their subclasses; empty for all.
    ///   - authors: the authors whose transactions count; empty for all.
    ///   - modelContainer: the container.
    ///   - isolation: the actor on which observers are told; without an actor they are told on any thread.
    /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` for tokens of other stores or of another type, and if
    ///   no store has a history; `SwiftDataError.historyTokenExpired`; the errors of the stores.
    public convenience init(
        historyTokens: [String: any HistoryToken]? = nil, observedModels: [any PersistentModel.Type] = [],
        authors: Set<String> = [], modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(historyTokens, observedModels, authors, modelContainer, on: isolation)
    }

    private init(
        _ historyTokens: [String: any HistoryToken]?, _ observedModels: [any PersistentModel.Type],
        _ authors: Set<String>, _ modelContainer: ModelContainer, on actor: (any Actor)?
    ) throws {
        self.authors = authors
        self.modelContainer = modelContainer
        self.observedModels = observedModels
        self.actor = Locked(WeakActor(actor: actor))
        let coordinator = modelContainer.core.coordinator
        entityNames = Self.entityNames(of: observedModels, modelContainer.core.model)
        coordinator.beginPostingRemoteChanges()
        guard let newest = ContainerHistory.newestToken(of: coordinator) else {
            throw SwiftDataError(
                .invalidTransactionFetchRequest, "No store of the container records its history.")
        }
        state = Locked(State(token: try historyTokens.map { try Self.token($0, newest) } ?? newest))
        // A notification that comes during this check causes a check after it.
        try checks.sync {
            let observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
            ) { [weak self] _ in self?.scheduleCheck() }
            registration.withLock { $0.observer = observer }
            let count = try newEvents()
            state.withLock { $0.count = count }
        }
    }

    deinit {
        if let observer = registration.withLock({ $0.observer }) {
            NotificationCenter.default.removeObserver(observer)
        }
    }

    /// The number of transactions that count, after the given tokens, or since the observer was made.
    public var eventCounter: Int {
        registrar.access(self, keyPath: \.eventCounter)
        return state.withLock { $0.count }
    }

    // MARK: Checking

    /// The names of the entities of classes and of their subclasses.
    private static func entityNames(of types: [any PersistentModel.Type], _ model: SchemaModel) -> Set<String> {
        let observed = types.compactMap { model.layout(of: $0)?.entity }
        return Set(
            model.entities.filter { entity in observed.contains { entity.isKindOf(entity: $0) } }.compactMap(\.name))
    }

    /// One token of several stores, with the newest position of stores without one.
    private static func token(_ tokens: [String: any HistoryToken], _ newest: DefaultHistoryToken) throws
        -> DefaultHistoryToken
    {
        var numbers = newest.tokenValue ?? [:]
        for (store, token) in tokens {
            guard let number = (token as? DefaultHistoryToken)?.tokenValue?[store], numbers[store] != nil else {
                throw SwiftDataError(
                    .invalidTransactionFetchRequest,
                    "The history token for the store \(store) is of another store or of another type.")
            }
            numbers[store] = number
        }
        return DefaultHistoryToken(numbers)
    }

    /// The number of transactions behind the last check that count.
    private func newEvents() throws -> Int {
        let token = state.withLock { $0.token }
        let context = ModelContext(modelContainer)
        let transactions = try context.fetchHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
        var numbers = token.tokenValue ?? [:]
        for transaction in transactions { numbers[transaction.storeIdentifier] = transaction.transactionIdentifier }
        state.withLock { $0.token = DefaultHistoryToken(numbers) }
        return transactions.filter(counts).count
    }

    private func counts(_ transaction: DefaultHistoryTransaction) -> Bool {
        guard authors.isEmpty || transaction.author.map(authors.contains) == true else { return false }
        return observedModels.isEmpty
            || transaction.changes.contains { entityNames.contains($0.changedPersistentIdentifier.entityName) }
    }

    private func scheduleCheck() { checks.async { [weak self] in self?.check() } }

    private func check() {
        do {
            let count = try newEvents()
            guard count > 0 else { return }
            guard let actor = actor.withLock({ $0.actor }) else { return add(count) }
            Task { [weak self] in await self?.add(count, on: actor) }
        } catch SwiftDataError.historyTokenExpired {
            // The transactions are unknown. There were some.
            if let newest = ContainerHistory.newestToken(of: modelContainer.core.coordinator) {
                state.withLock { $0.token = newest }
            }
            add(1)
        } catch {
            CoreDataLog.error("The history can't be observed: \(error.localizedDescription)")
        }
    }

    private func add(_ count: Int, on actor: isolated any Actor) { add(count) }

    private func add(_ count: Int) {
        registrar.withMutation(of: self, keyPath: \.eventCounter) { state.withLock { $0.count += count } }
    }
}
