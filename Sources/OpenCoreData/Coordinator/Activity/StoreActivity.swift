// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells one observer, such as the metrics of a server, of the requests and saves of a coordinator.
///
/// Without an observer a request costs the check of one flag: nothing is described and nothing is allocated.
package final class StoreActivity: Sendable {
    private let isObserved = Atomic(false)
    private let observer = Locked<(any StoreActivityObserver)?>(nil)
    private let faults = Atomic(0)

    /// Sets the observer, or removes it. Work that has begun reports its end to the observer that it has reported its
    /// beginning to.
    package func setObserver(_ observer: (any StoreActivityObserver)?) {
        self.observer.withLock { $0 = observer }
        isObserved.store(observer != nil, ordering: .releasing)
    }

    /// The observer, for what is rare.
    package var currentObserver: (any StoreActivityObserver)? {
        guard isObserved.load(ordering: .acquiring) else { return nil }
        return observer.withLock { $0 }
    }

    /// How many faults and relationships were read from stores, one by one, while there was an observer.
    package var faultCount: Int { faults.load(ordering: .relaxed) }

    /// Counts a fault that no row cache answers.
    @inline(__always)
    func countFault() {
        if isObserved.load(ordering: .relaxed) { faults.add(1, ordering: .relaxed) }
    }

    /// Runs a piece of work, and tells the observer of its beginning and its end.
    ///
    /// - Parameters:
    ///   - event: describes the work. It isn't evaluated without an observer.
    ///   - body: the work.
    ///   - count: the number of results.
    @inline(__always)
    func observe<Result>(
        _ event: @autoclosure () -> StoreEvent, _ body: () throws -> Result, count: (Result) -> Int
    ) rethrows -> Result {
        guard isObserved.load(ordering: .relaxed) else { return try body() }
        return try observed(event(), body, count)
    }

    @inline(never)
    private func observed<Result>(
        _ event: StoreEvent, _ body: () throws -> Result, _ count: (Result) -> Int
    ) rethrows -> Result {
        guard let end = currentObserver?.begin(event) else { return try body() }
        do {
            let result = try body()
            end(.done(count: count(result)))
            return result
        } catch {
            end(error is StoreSaveConflict ? .conflict : .failed(error))
            throw error
        }
    }

    /// Tells the observer of the conflicts of a save.
    func report(_ conflicts: @autoclosure () -> [StoreConflictReport]) {
        guard isObserved.load(ordering: .relaxed), let observer = currentObserver else { return }
        observer.didFind(conflicts())
    }
}

/// An observer of a coordinator. Its functions are called on the threads that do the work.
package protocol StoreActivityObserver: AnyObject, Sendable {
    /// Called before the work. The function that it returns is called once, after the work.
    func begin(_ event: StoreEvent) -> ((StoreEvent.End) -> Void)?
    /// Called when a save has met conflicts, before a merge policy sees them.
    func didFind(_ conflicts: [StoreConflictReport])
    /// Called before a block that met a conflict runs again.
    func willRetry(attempt: Int)
}

/// One request or save: names and counts, never values.
package struct StoreEvent: Sendable {
    package enum Kind: String, Sendable {
        case fetch
        case count
        case dictionaries
        case batch
        case history
        case save
    }

    /// How the work ended.
    package enum End {
        case done(count: Int)
        /// Another context or process has changed the objects of a save. A merge policy may resolve the conflict, and
        /// the save is repeated.
        case conflict
        case failed(any Error)
    }

    package let kind: Kind
    /// The names of the entities, sorted.
    package let entities: [String]
    /// The types of the stores.
    package let storeTypes: [String]
    package var inserted = 0
    package var updated = 0
    package var deleted = 0

    init(_ kind: Kind, _ entities: [String], _ stores: [NSPersistentStore]) {
        self.kind = kind
        self.entities = entities
        storeTypes = Set(stores.map(\.type)).sorted()
    }
}

/// The conflicts of a save with the objects of one entity.
package struct StoreConflictReport: Sendable {
    package let entity: String
    /// Whether another object has the same values of a uniqueness constraint.
    package let isConstraint: Bool
    package let count: Int
}
