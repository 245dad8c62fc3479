// SPDX-License-Identifier: Apache-2.0

#if Server
    import Synchronization

    /// Lets work begin while the stores are open, and counts what runs.
    ///
    /// Tasks that come before the stores are open, or while as much work runs as may, are suspended, in order.
    final class WorkGate: Sendable {
        enum Phase: Sendable {
            case opening
            case open
            case draining
            case closed(CoreDataServiceError)
        }

        private struct State: Sendable {
            var phase = Phase.opening
            var hasBegun = false
            var running = 0
            var waiting = SuspendedTasks()
            /// Tasks that wait for the end of all work.
            var drained = SuspendedTasks()
        }

        private let state = Locked(State())
        private let limit: Int
        private let waitingLimit: Int

        /// - Parameters:
        ///   - limit: how much work runs at the same time.
        ///   - waitingLimit: how many tasks wait at most.
        init(limit: Int, waitingLimit: Int) {
            (self.limit, self.waitingLimit) = (limit, waitingLimit)
        }

        /// Begins the life of the gate.
        ///
        /// - Throws: `CoreDataServiceError.alreadyRun` the second time.
        func begin() throws {
            try state.withLock { state in
                guard !state.hasBegun else { throw CoreDataServiceError.alreadyRun }
                state.hasBegun = true
            }
        }

        var phase: Phase { state.withLock { $0.phase } }
        var running: Int { state.withLock { $0.running } }
        var waiting: Int { state.withLock { $0.waiting.count } }

        /// Begins work, as soon as it may run. `leave()` ends it.
        ///
        /// - Throws: `CoreDataServiceError`, `CancellationError`.
        func enter() async throws {
            try await suspend(\.waiting) { state in
                switch state.phase {
                case .draining: return .failure(CoreDataServiceError.shuttingDown)
                case .closed(let error): return .failure(error)
                case .open where state.running < limit && state.waiting.count == 0:
                    state.running += 1
                    return .success(())
                case .open, .opening:
                    guard state.waiting.count < waitingLimit else {
                        return .failure(CoreDataServiceError.overloaded(waiting: state.waiting.count))
                    }
                    return nil
                }
            }
        }

        func leave() {
            resume { state in
                state.running -= 1
                return state.running == 0 && state.phase.refusesWork
                    ? (state.drained.removeAll(), .success(())) : (Self.next(&state, limit), .success(()))
            }
        }

        func open() {
            resume { state in
                state.phase = .open
                return (Self.next(&state, limit), .success(()))
            }
        }

        /// Refuses work from now on.
        func close(_ phase: Phase) {
            let error: CoreDataServiceError = if case .closed(let error) = phase { error } else { .shuttingDown }
            resume { state in
                state.phase = phase
                return (state.waiting.removeAll(), .failure(error))
            }
        }

        /// Waits until no work runs.
        ///
        /// - Throws: `CancellationError`.
        func waitForEnd() async throws {
            try await suspend(\.drained) { $0.running == 0 ? .success(()) : nil }
        }

        // MARK: Tasks

        private typealias Answer = Result<Void, any Error>

        /// The tasks that may begin work now.
        private static func next(_ state: inout State, _ limit: Int) -> [SuspendedTasks.Continuation] {
            guard case .open = state.phase else { return [] }
            let tasks = state.waiting.removeFirst(limit - state.running)
            state.running += tasks.count
            return tasks
        }

        /// Resumes the tasks that a body takes out of the lists under the lock.
        private func resume(_ body: (inout State) -> ([SuspendedTasks.Continuation], Answer)) {
            let (tasks, answer) = state.withLock { body(&$0) }
            for task in tasks { task.resume(with: answer) }
        }

        /// Asks for an answer under the lock; without one the task waits in a list.
        private func suspend(
            _ list: WritableKeyPath<State, SuspendedTasks> & Sendable, _ ask: (inout State) -> Answer?
        ) async throws {
            let number = state.withLock { $0[keyPath: list].nextNumber() }
            defer { state.withLock { $0[keyPath: list].forget(number) } }
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let answer = state.withLock { state -> Answer? in
                        if state[keyPath: list].isCancelled(number) { return .failure(CancellationError()) }
                        if let answer = ask(&state) { return answer }
                        state[keyPath: list].append(continuation, number)
                        return nil
                    }
                    if let answer { continuation.resume(with: answer) }
                }
            } onCancel: {
                state.withLock { $0[keyPath: list].cancel(number) }?.resume(throwing: CancellationError())
            }
        }
    }

    extension WorkGate.Phase {
        var refusesWork: Bool {
            switch self {
            case .opening, .open: false
            case .draining, .closed: true
            }
        }
    }

    /// Suspended tasks, in order.
    struct SuspendedTasks: Sendable {
        typealias Continuation = CheckedContinuation<Void, any Error>

        private var tasks: [(number: Int, continuation: Continuation)] = []
        private var last = 0
        /// The tasks that were cancelled before they waited.
        private var cancelled: Set<Int> = []

        var count: Int { tasks.count }

        mutating func nextNumber() -> Int {
            last += 1
            return last
        }

        mutating func append(_ continuation: Continuation, _ number: Int) { tasks.append((number, continuation)) }

        /// Takes a cancelled task out of the list; nil if it isn't in it.
        mutating func cancel(_ number: Int) -> Continuation? {
            guard let index = tasks.firstIndex(where: { $0.number == number }) else {
                cancelled.insert(number)
                return nil
            }
            return tasks.remove(at: index).continuation
        }

        func isCancelled(_ number: Int) -> Bool { cancelled.contains(number) }

        mutating func forget(_ number: Int) { cancelled.remove(number) }

        mutating func removeFirst(_ count: Int) -> [Continuation] {
            let taken = tasks.prefix(max(count, 0)).map(\.continuation)
            tasks.removeFirst(taken.count)
            return taken
        }

        mutating func removeAll() -> [Continuation] { removeFirst(tasks.count) }
    }
#endif
