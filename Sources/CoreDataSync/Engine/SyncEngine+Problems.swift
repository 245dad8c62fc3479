// SPDX-License-Identifier: Apache-2.0

extension SyncEngine {
    /// The changes that aren't on the server, the oldest first.
    ///
    /// - Throws: errors of the side store.
    public func problems() async throws -> [SyncProblem] { try await work { try $0.problems() } }

    /// Forgets a change: the store stays as the server has it.
    ///
    /// - Throws: errors of the side store.
    public func drop(_ problem: SyncProblem) async throws {
        try await work { try $0.dropProblem(problem.id) }
        try await count()
    }

    /// Makes a change again, as a new change of the program, and forgets the problem.
    ///
    /// - Throws: ``SyncEngineError/refused(_:)`` if the object isn't in the store any more; errors of the stores, as a
    ///   validation has them.
    public func `repeat`(_ problem: SyncProblem) async throws {
        try await work { try $0.repeatProblem(problem.id) }
        try await count()
    }
}
