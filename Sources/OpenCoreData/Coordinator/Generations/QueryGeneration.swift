import Synchronization

/// The stores of a coordinator as they were at one time.
///
/// Lives as long as a context is pinned to it or a token names it; so long each store keeps what is read. May be used
/// from any thread.
final class QueryGeneration: @unchecked Sendable {
    let identifier = UUID()
    /// Nil once the coordinator has gone.
    private(set) weak var coordinator: NSPersistentStoreCoordinator?
    /// What the stores are read from, by their ordinals. Stores that can't be read as they were are not among them, nor
    /// are those added later.
    private let sources: [Int: any SnapshotSource]

    private struct WeakGeneration { weak var generation: QueryGeneration? }

    /// The generations of the process, for tokens that are read from archives.
    private static let living = Mutex<[UUID: WeakGeneration]>([:])

    init(_ coordinator: NSPersistentStoreCoordinator, sources: [Int: any SnapshotSource]) {
        self.coordinator = coordinator
        self.sources = sources
        Self.living.withLock { $0[identifier] = WeakGeneration(generation: self) }
    }

    deinit {
        let identifier = identifier
        Self.living.withLock { $0[identifier] = nil }
    }

    /// The generation with an identifier, if it lives in this process.
    static func named(_ identifier: UUID) -> QueryGeneration? { living.withLock { $0[identifier]?.generation } }

    /// What a store is read from.
    func source(of store: any SnapshotStore) -> any SnapshotSource { sources[store.identity.ordinal] ?? store }

    func isMade(of sources: [Int: any SnapshotSource]) -> Bool {
        sources.count == self.sources.count && sources.allSatisfy { self.sources[$0.key] === $0.value }
    }
}

/// The newest generation of a coordinator, which several contexts share as long as nothing is saved. The lock guards
/// it.
final class NewestGeneration: Sendable {
    private struct State { weak var generation: QueryGeneration? }
    private let state = Mutex(State())

    /// The known generation if it is made of the same sources, else a new one.
    func generation(_ sources: [Int: any SnapshotSource], of coordinator: NSPersistentStoreCoordinator)
        -> QueryGeneration
    {
        state.withLock { state in
            if let known = state.generation, known.isMade(of: sources) { return known }
            let generation = QueryGeneration(coordinator, sources: sources)
            state.generation = generation
            return generation
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// The stores as they are now; nil if none of them can be read as it is now later on.
    ///
    /// - Throws: what keeps a store from being read.
    final func currentGeneration() throws -> QueryGeneration? {
        // No save of this coordinator comes in between two stores.
        try saving.withLock {
            var sources: [Int: any SnapshotSource] = [:]
            for case let store as any SnapshotStore in persistentStores {
                if let source = try store.generation() { sources[store.identity.ordinal] = source }
            }
            return sources.isEmpty ? nil : newestGeneration.generation(sources, of: self)
        }
    }
}
