extension NSManagedObjectContext {
    /// Runs a block on the context's queue and waits for it: as the method without a result does.
    ///
    /// - Returns: what the block returns.
    /// - Throws: what the block throws.
    public final func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try wait(block, { throw $0 }) }

    /// - Parameter rethrowing: throws its argument; nothing else may be thrown where the block throws nothing.
    final func wait<T>(_ block: () throws -> T, _ rethrowing: (any Error) throws -> T) rethrows -> T {
        let queue = requireQueue("performAndWait(_:)")
        if isOnQueue { return try hold(block) }
        let waiting = HeldQueue.list
        let number = isMain ? MainQueueWatch.shared.submit(self, "performAndWait(_:)", isCallerWaiting: true) : nil
        return try queue.sync {
            if let number { MainQueueWatch.shared.begin(number) }
            return try event(waiting: waiting, block)
        }
    }

    /// Runs a block on the queue, later, as an event of its own.
    final func enqueue(_ block: @escaping () -> Void) {
        let work = UncheckedBox(block)
        submit(to: requireQueue("perform(_:)"), "perform(_:)") { self.event(work.value) }
    }

    private final func submit(to queue: DispatchQueue, _ method: StaticString, _ work: @escaping @Sendable () -> Void) {
        guard isMain else { return queue.async(execute: work) }
        let number = MainQueueWatch.shared.submit(self, method, isCallerWaiting: false)
        queue.async {
            MainQueueWatch.shared.begin(number)
            work()
        }
    }

    private final var isMain: Bool { concurrencyType == .mainQueueConcurrencyType }

    // MARK: For async functions

    /// How a block ended, on its way to the task that waits for it.
    private struct Outcome<T>: @unchecked Sendable {
        let result: Result<T, any Error>

        func value(_ rethrowing: (any Error) throws -> T) rethrows -> T {
            switch result {
            case .success(let value): value
            case .failure(let error): try rethrowing(error)
            }
        }
    }

    private final func submit<T>(
        _ work: UncheckedBox<() throws -> T>, to queue: DispatchQueue,
        _ continuation: UnsafeContinuation<Outcome<T>, Never>
    ) {
        submit(to: queue, "perform(schedule:_:)") {
            continuation.resume(returning: Outcome(result: self.event { Result { try work.value() } }))
        }
    }

    #if compiler(>=6.2)
        /// Runs a block on the context's queue and suspends the caller until it is done.
        ///
        /// A cancelled task waits as any other, and its block runs: it may look at `Task.isCancelled`. Stops the
        /// program for a context without a queue.
        ///
        /// - Parameter schedule: whether the block may run at once when the caller is on the queue.
        /// - Returns: what the block returns.
        /// - Throws: what the block throws.
        public nonisolated(nonsending) final func perform<T>(
            schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws -> T
        ) async rethrows -> T {
            try await hop(schedule, block, { throw $0 })
        }

        private nonisolated(nonsending) final func hop<T>(
            _ schedule: ScheduledTaskType, _ block: @escaping () throws -> T, _ rethrowing: (any Error) throws -> T
        ) async rethrows -> T {
            let queue = requireQueue("perform(schedule:_:)")
            if schedule == .immediate && isOnQueue { return try hold(block) }
            let work = UncheckedBox(block)
            return try await withUnsafeContinuation { submit(work, to: queue, $0) }.value(rethrowing)
        }
    #else
        /// Runs a block on the context's queue and suspends the caller until it is done.
        public final func perform<T>(
            schedule: ScheduledTaskType = .immediate, isolation: isolated (any Actor)? = #isolation,
            _ block: @escaping () throws -> T
        ) async rethrows -> T {
            try await hop(schedule, isolation: isolation, block, { throw $0 })
        }

        private final func hop<T>(
            _ schedule: ScheduledTaskType, isolation: isolated (any Actor)?, _ block: @escaping () throws -> T,
            _ rethrowing: (any Error) throws -> T
        ) async rethrows -> T {
            let queue = requireQueue("perform(schedule:_:)")
            if schedule == .immediate && isOnQueue { return try hold(block) }
            let work = UncheckedBox(block)
            return try await withUnsafeContinuation { submit(work, to: queue, $0) }.value(rethrowing)
        }
    #endif
}
