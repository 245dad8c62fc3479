// SPDX-License-Identifier: Apache-2.0

#if Server
    import ServiceLifecycle
    import Synchronization

    /// Admits work while the stores are open, and counts running work.
    ///
    /// Tasks that come before the stores are open, or while the limit of running work is reached, are suspended, and
    /// resume in their order.
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
            /// Tasks that wait until the stores are open.
            var opened = SuspendedTasks()
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
        /// Before the stores are open, a graceful shutdown of the caller's service ends the wait: a service group ends
        /// that service before this one.
        ///
        /// - Throws: `CoreDataServiceError`, `CancellationError`.
        func enter() async throws {
            try await suspend(\.waiting, endsEarly: true) { state in
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

        /// Waits until the stores are open.
        ///
        /// - Throws: as `enter()`, but for `CoreDataServiceError.overloaded`.
        func waitForOpening() async throws {
            try await suspend(\.opened, endsEarly: true) { state in
                switch state.phase {
                case .opening: nil
                case .open: .success(())
                case .draining: .failure(CoreDataServiceError.shuttingDown)
                case .closed(let error): .failure(error)
                }
            }
        }

        func open() {
            resume { state in
                state.phase = .open
                return (Self.next(&state, limit) + state.opened.removeAll(), .success(()))
            }
        }

        /// Refuses work from now on.
        func close(_ phase: Phase) {
            let error: CoreDataServiceError = if case .closed(let error) = phase { error } else { .shuttingDown }
            resume { state in
                state.phase = phase
                return (state.waiting.removeAll() + state.opened.removeAll(), .failure(error))
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

        /// Resumes the tasks that a body removes from the lists under the lock.
        private func resume(_ body: (inout State) -> ([SuspendedTasks.Continuation], Answer)) {
            let (tasks, answer) = state.withLock { body(&$0) }
            for task in tasks { task.resume(with: answer) }
        }

        /// Asks for an answer under the lock; without one the task waits in a list.
        ///
        /// - Parameter endsEarly: whether a graceful shutdown ends the wait while the stores aren't open.
        private func suspend(
            _ list: WritableKeyPath<State, SuspendedTasks> & Sendable, endsEarly: Bool = false,
            _ ask: (inout State) -> Answer?
        ) async throws {
            let number = state.withLock { $0[keyPath: list].nextNumber() }
            defer { state.withLock { $0[keyPath: list].forget(number) } }
            try await withGracefulShutdownHandler {
                try await withTaskCancellationHandler {
                    try await withCheckedThrowingContinuation { continuation in
                        let answer = state.withLock { state -> Answer? in
                            if let error = state[keyPath: list].end(of: number) { return .failure(error) }
                            if let answer = ask(&state) { return answer }
                            state[keyPath: list].append(continuation, number)
                            return nil
                        }
                        if let answer { continuation.resume(with: answer) }
                    }
                } onCancel: {
                    self.end(list, number, CancellationError()) { _ in true }
                }
            } onGracefulShutdown: {
                guard endsEarly else { return }
                self.end(list, number, CoreDataServiceError.shuttingDown) { $0.isOpening }
            }
        }

        /// Ends the wait of a task, in a phase that meets a condition.
        private func end(
            _ list: WritableKeyPath<State, SuspendedTasks>, _ number: Int, _ error: any Error,
            _ condition: (Phase) -> Bool
        ) {
            let task = state.withLock { state in
                condition(state.phase) ? state[keyPath: list].end(number, with: error) : nil
            }
            task?.resume(throwing: error)
        }
    }

    extension WorkGate.Phase {
        var isOpening: Bool { if case .opening = self { true } else { false } }

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
        /// Why tasks must not wait whose end came before.
        private var ended: [Int: any Error] = [:]

        var count: Int { tasks.count }

        mutating func nextNumber() -> Int {
            last += 1
            return last
        }

        mutating func append(_ continuation: Continuation, _ number: Int) { tasks.append((number, continuation)) }

        /// Removes a task whose wait ends from the list; nil if the list doesn't have it.
        mutating func end(_ number: Int, with error: any Error) -> Continuation? {
            guard let index = tasks.firstIndex(where: { $0.number == number }) else {
                ended[number] = error
                return nil
            }
            return tasks.remove(at: index).continuation
        }

        /// Why a task must not wait; nil if it may.
        func end(of number: Int) -> (any Error)? { ended[number] }

        mutating func forget(_ number: Int) { ended[number] = nil }

        mutating func removeFirst(_ count: Int) -> [Continuation] {
            let taken = tasks.prefix(max(count, 0)).map(\.continuation)
            tasks.removeFirst(taken.count)
            return taken
        }

        mutating func removeAll() -> [Continuation] { removeFirst(tasks.count) }
    }
#endif
