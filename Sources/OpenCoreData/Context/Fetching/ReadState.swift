// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state of a context's reading from stores: the query generation that it is pinned to, the asynchronous fetches
/// that run, and the last failure.
///
/// Used on the context's queue alone.
final class ReadState {
    private let handle: ContextHandle
    /// The query generation of the rows that the context reads.
    private(set) var pin = QueryGenerationPin.none
    /// The error of a fault or relationship that could not be read since the last `removeFailure()`.
    @exclusivity(unchecked) private(set) var failure: (any Error)?
    /// The rows that were saved or merged while asynchronous fetches run, for each fetch.
    private(set) var changesDuringFetches: [ChangesDuringFetch] = []

    init(handle: ContextHandle) { self.handle = handle }

    // MARK: Query generations

    func pin(to newPin: QueryGenerationPin) {
        pin = newPin
        handle.mayBePinned.store(!newPin.isNone, ordering: .relaxed)
    }

    /// Replaces a pinned generation by the newest generation at the next read.
    ///
    /// - Returns: whether a generation was pinned.
    @discardableResult
    func repinAtNextRead() -> Bool {
        guard case .generation = pin else { return false }
        pin(to: .current)
        return true
    }

    // MARK: Failures

    /// Records that a fault or relationship could not be read.
    func recordFailure(_ error: any Error) { failure = error }

    /// Forgets the last failure, before something is read whose failure counts.
    func removeFailure() { failure = nil }

    /// Runs a body, and throws the failure that was recorded during it.
    ///
    /// The failure stays recorded. If there is none, the failure that was recorded before is restored for its reader.
    ///
    /// - Throws: the failure; without one, what the body throws.
    func throwingFailure<Value>(of body: () throws -> Value) throws -> Value {
        let earlier = failure
        failure = nil
        defer { if failure == nil { failure = earlier } }
        let value = Result { try body() }
        // The body may have thrown because of the empty values.
        if let failure { throw failure }
        return try value.get()
    }

    // MARK: Asynchronous fetches

    /// Begins to record changes for an asynchronous fetch.
    func begin(_ fetch: ChangesDuringFetch) { changesDuringFetches.append(fetch) }

    /// Ends what `begin(_:)` has begun.
    func end(_ fetch: ChangesDuringFetch) { changesDuringFetches.removeAll { $0 === fetch } }

    // MARK: Invariants

    /// The violated invariants, for tests.
    ///
    /// - Contexts on other queues see whether the context is pinned.
    /// - A pinned generation belongs to the context's coordinator. A context with a parent is not pinned.
    func checkInvariants() -> [String] {
        var violations: [String] = []
        if handle.mayBePinned.load(ordering: .relaxed) == pin.isNone {
            violations.append("Other contexts don't see whether the context is pinned.")
        }
        if handle.parent != nil && !pin.isNone { violations.append("A context with a parent is pinned.") }
        if case .generation(let generation) = pin, generation.coordinator !== handle.coordinator {
            violations.append("The context is pinned to a generation of another coordinator.")
        }
        return violations
    }
}
