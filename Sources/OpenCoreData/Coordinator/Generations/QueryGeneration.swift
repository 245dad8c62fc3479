// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state of a coordinator's stores at one time.
///
/// A generation exists while a context is pinned to it or a token identifies it. As long as it exists, the stores
/// retain its data. May be used from any thread.
final class QueryGeneration: @unchecked Sendable {
    let identifier = UUID()
    /// Nil after the coordinator was freed.
    private(set) weak var coordinator: NSPersistentStoreCoordinator?
    /// The sources to read the stores from, by the ordinals of the stores. Stores that can't keep a state, and stores
    /// that were added later, have no source here.
    private let sources: [Int: any SnapshotSource]

    private struct WeakGeneration { weak var generation: QueryGeneration? }

    /// The generations of the process, for tokens that are read from archives. The mutex guards the list.
    private static let generations = Mutex<[UUID: WeakGeneration]>([:])

    init(_ coordinator: NSPersistentStoreCoordinator, sources: [Int: any SnapshotSource]) {
        self.coordinator = coordinator
        self.sources = sources
        Self.generations.withLock { $0[identifier] = WeakGeneration(generation: self) }
    }

    deinit {
        let identifier = identifier
        Self.generations.withLock { $0[identifier] = nil }
    }

    /// The generation with an identifier; nil if this process has none.
    static func generation(_ identifier: UUID) -> QueryGeneration? {
        generations.withLock { $0[identifier]?.generation }
    }

    /// The source to read a store from; nil for the store itself.
    func source(of store: any SnapshotStore) -> (any SnapshotSource)? { sources[store.identity.ordinal] }

    func hasSources(_ sources: [Int: any SnapshotSource]) -> Bool {
        sources.count == self.sources.count && sources.allSatisfy { self.sources[$0.key] === $0.value }
    }
}

/// The newest generation of a coordinator. Contexts share it until something is saved. The mutex guards it.
final class NewestGeneration: Sendable {
    private struct State { weak var generation: QueryGeneration? }
    private let state = Mutex(State())

    /// The present generation if it has the same sources, else a new one.
    func generation(_ sources: [Int: any SnapshotSource], of coordinator: NSPersistentStoreCoordinator)
        -> QueryGeneration
    {
        state.withLock { state in
            if let known = state.generation, known.hasSources(sources) { return known }
            let generation = QueryGeneration(coordinator, sources: sources)
            state.generation = generation
            return generation
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// The present state of the stores; nil if no store can keep its state.
    ///
    /// - Throws: the error of a store that can't be read.
    final func currentGeneration() throws -> QueryGeneration? {
        // Saving access: no save of this coordinator changes a store between two sources.
        try access.save {
            var sources: [Int: any SnapshotSource] = [:]
            for case let store as any SnapshotStore in persistentStores {
                if let source = try store.database.generation() { sources[store.identity.ordinal] = source }
            }
            return sources.isEmpty ? nil : newestGeneration.generation(sources, of: self)
        }
    }
}
