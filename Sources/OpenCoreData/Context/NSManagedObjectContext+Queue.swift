extension NSManagedObjectContext {
    /// Whether the caller is on the context's queue.
    final var isOnQueue: Bool {
        switch concurrencyType {
        case .confinementConcurrencyType: true
        case .privateQueueConcurrencyType: DispatchQueue.getSpecific(key: queueKey) == true
        case .mainQueueConcurrencyType: MainQueue.isCurrent
        }
    }

    /// Runs a block on the context's queue, later.
    public final func perform(_ block: @escaping () -> Void) {
        let work = UncheckedBox(block)
        if concurrencyType == .confinementConcurrencyType {
            block()
            return
        }
        queue.async {
            self.run(work.value)
            self.endOfEvent()
        }
    }

    /// Runs a block on the context's queue and waits for it; may be called on that queue too.
    ///
    /// - Returns: what the block returns.
    /// - Throws: what the block throws.
    public final func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        if isOnQueue { return try run(block) }
        return try queue.sync {
            defer { endOfEvent() }
            return try run(block)
        }
    }

    /// Runs a block on the context's queue, where the caller is, as one of this context.
    private final func run<T>(_ block: () throws -> T) rethrows -> T {
        concurrencyType == .mainQueueConcurrencyType ? try CurrentContext.onMain(self, block) : try block()
    }

    #if compiler(>=6.2)
    /// Runs a block on the context's queue and suspends the caller until it is done.
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
        if schedule == .immediate && isOnQueue { return try run(block) }
        let work = UncheckedBox(block)
        let result = await withUnsafeContinuation { (continuation: UnsafeContinuation<UncheckedBox<Result<T, any Error>>, Never>) in
            queue.async {
                let result = Result { try self.run(work.value) }
                self.endOfEvent()
                continuation.resume(returning: UncheckedBox(result))
            }
        }
        switch result.value {
        case .success(let value): return value
        case .failure(let error): return try rethrowing(error)
        }
    }
    #else
    /// Runs a block on the context's queue and suspends the caller until it is done.
    public final func perform<T>(
        schedule: ScheduledTaskType = .immediate, isolation: isolated (any Actor)? = #isolation, _ block: @escaping () throws -> T
    ) async throws -> T {
        if schedule == .immediate && isOnQueue { return try run(block) }
        let work = UncheckedBox(block)
        let result = await withUnsafeContinuation { (continuation: UnsafeContinuation<UncheckedBox<Result<T, any Error>>, Never>) in
            queue.async {
                let result = Result { try self.run(work.value) }
                self.endOfEvent()
                continuation.resume(returning: UncheckedBox(result))
            }
        }
        return try result.value.get()
    }
    #endif

    /// Whether the next change notification has anything to tell.
    final var hasEvents: Bool {
        !pending.isEmpty || !refreshedSinceEvent.isEmpty || !withdrawnSinceEvent.isEmpty || !mergedInsertions.isEmpty
    }

    /// What a user-interface event's end is on Apple's platforms: changes are processed.
    final func endOfEvent() {
        if hasEvents { processPendingChanges() }
    }
}

/// Carries a value to the context's queue: the caller waits, or hands it over.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
