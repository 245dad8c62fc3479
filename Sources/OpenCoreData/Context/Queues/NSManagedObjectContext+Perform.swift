// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    /// Runs a block on the context's queue, waits for it, and returns its result.
    ///
    /// ```swift
    /// func countSongs(in context: NSManagedObjectContext) throws -> Int {
    ///     try context.performAndWait {
    ///         try context.count(for: NSFetchRequest<Song>(entityName: "Song"))
    ///     }
    /// }
    /// ```
    ///
    /// Called on the context's queue, it runs the block at once, as part of the current event. Otherwise the block is a
    /// whole event: its changes are processed when it ends. The method itself runs no SQL. It may be called on any
    /// queue. See the method without a result for deadlocks. Stops the program for a context without a queue.
    ///
    /// - Parameter block: the block.
    /// - Returns: the result of the block.
    /// - Throws: the error of the block.
    @preconcurrency
    public final func performAndWait<T>(_ block: @Sendable () throws -> T) rethrows -> T {
        try performSynchronously(block)
    }

    /// Runs a block as ``performAndWait(_:)`` does. The block may capture values that aren't sendable, since the caller
    /// waits for it.
    package final func performSynchronously<T>(_ block: () throws -> T) rethrows -> T {
        try performSynchronously(block, { throw $0 })
    }

    /// - Parameter rethrowing: throws its argument. It is called only with an error of the block.
    final func performSynchronously<T>(
        _ block: () throws -> T, _ rethrowing: (any Error) throws -> T
    ) rethrows -> T {
        let queue = requireQueue("performAndWait(_:)")
        if isOnQueue { return try runOnQueue(block) }
        let waiting = QueueOwnership.currentChain
        let number =
            isMain ? MainQueueMonitor.shared.recordSubmission(self, "performAndWait(_:)", isCallerWaiting: true) : nil
        return try self.queue.sync(queue) {
            if let number { MainQueueMonitor.shared.recordStart(number) }
            return try runEvent(waiting: waiting, block)
        }
    }

    /// Runs a block on the queue, asynchronously, as a whole event.
    final func enqueue(_ block: @escaping @Sendable () -> Void) {
        requireQueue("perform(_:)")
        submit("perform(_:)") { self.runEvent(block) }
    }

    private final func submit(
        _ method: StaticString, cancelledBy control: FetchControl? = nil, _ work: @escaping @Sendable () -> Void
    ) {
        guard isMain else {
            return queue.async(admittedBy: handle.coordinator?.blocks, cancelledBy: control, work)
        }
        let number = MainQueueMonitor.shared.recordSubmission(self, method, isCallerWaiting: false)
        queue.async {
            MainQueueMonitor.shared.recordStart(number)
            work()
        }
    }

    private final var isMain: Bool { queue.type == .mainQueueConcurrencyType }

    // MARK: Async functions

    /// The result of a block. Sendable though the value may not be: the block no longer uses it.
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
        _ block: @escaping @Sendable () throws -> T, cancelledBy control: FetchControl? = nil,
        _ continuation: UnsafeContinuation<Outcome<T>, Never>
    ) {
        submit("perform(schedule:_:)", cancelledBy: control) {
            let result = FetchControl.withCurrent(control) { self.runEvent { Result(catching: block) } }
            continuation.resume(returning: Outcome(result: result))
        }
        // The cancellation may have come before the block has waited.
        if control?.isCancelled == true { handle.coordinator?.blocks.runCancelled(queue) }
    }

    /// Ends the requests of a block, also of one that has not begun.
    private final func cancel(_ control: FetchControl) {
        control.cancel()
        handle.coordinator?.blocks.runCancelled(queue)
    }

    /// The control of the requests of a block, which the cancellation of its task ends; nil if no store can end them.
    private final func controlOfTask() -> FetchControl? {
        handle.coordinator?.hasServers == true ? FetchControl.ofTask() : nil
    }

    #if compiler(>=6.2)
        /// Runs a block on the context's queue and suspends the caller until the block has ended.
        ///
        /// ```swift
        /// func rename(_ id: NSManagedObjectID, to name: String, in context: NSManagedObjectContext) async throws {
        ///     try await context.perform {
        ///         context.object(with: id).setValue(name, forKey: "title")
        ///         try context.save()
        ///     }
        /// }
        /// ```
        ///
        /// The block is a whole event: its changes are processed when it ends. With `.immediate`, a caller that is on
        /// the context's queue runs the block at once, as part of the current event. The method itself runs no SQL.
        ///
        /// The block runs even if the task is cancelled. **Extension.** With a store on a server, the statements of a
        /// cancelled task end, and all requests of its block to that store throw `NSUserCancelledError` (3072). Pass
        /// object IDs to other contexts, not objects. Stops the program for a context without a queue.
        ///
        /// - Parameters:
        ///   - schedule: whether the block may run at once if the caller is on the queue.
        ///   - block: the block.
        /// - Returns: the result of the block.
        /// - Throws: the error of the block.
        @preconcurrency
        public nonisolated(nonsending) final func perform<T>(
            schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
        ) async rethrows -> T {
            try await performAsynchronously(schedule, block, { throw $0 })
        }

        private nonisolated(nonsending) final func performAsynchronously<T>(
            _ schedule: ScheduledTaskType, _ block: @escaping @Sendable () throws -> T,
            _ rethrowing: (any Error) throws -> T
        ) async rethrows -> T {
            requireQueue("perform(schedule:_:)")
            if schedule == .immediate && isOnQueue { return try runOnQueue(block) }
            guard let control = controlOfTask() else {
                return try await withUnsafeContinuation { submit(block, $0) }.value(rethrowing)
            }
            return try await withTaskCancellationHandler {
                await withUnsafeContinuation { submit(block, cancelledBy: control, $0) }
            } onCancel: {
                cancel(control)
            }.value(rethrowing)
        }
    #else
        /// Runs a block on the context's queue and suspends the caller until the block has ended.
        ///
        /// - Parameters:
        ///   - schedule: whether the block may run at once if the caller is on the queue.
        ///   - isolation: the caller's actor.
        ///   - block: the block.
        /// - Returns: the result of the block.
        /// - Throws: the error of the block.
        @preconcurrency
        public final func perform<T>(
            schedule: ScheduledTaskType = .immediate, isolation: isolated (any Actor)? = #isolation,
            _ block: @escaping @Sendable () throws -> T
        ) async rethrows -> T {
            try await performAsynchronously(schedule, isolation: isolation, block, { throw $0 })
        }

        private final func performAsynchronously<T>(
            _ schedule: ScheduledTaskType, isolation: isolated (any Actor)?, _ block: @escaping () throws -> T,
            _ rethrowing: (any Error) throws -> T
        ) async rethrows -> T {
            requireQueue("perform(schedule:_:)")
            if schedule == .immediate && isOnQueue { return try runOnQueue(block) }
            guard let control = controlOfTask() else {
                return try await withUnsafeContinuation { submit(block, $0) }.value(rethrowing)
            }
            return try await withTaskCancellationHandler {
                await withUnsafeContinuation { submit(block, cancelledBy: control, $0) }
            } onCancel: {
                cancel(control)
            }.value(rethrowing)
        }
    #endif
}
