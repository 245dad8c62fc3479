// SPDX-License-Identifier: Apache-2.0

/// `lock()`, `unlock()` and `tryLock()` are members of the class, so that subclasses can override them.
extension NSManagedObjectContext: NSLocking {}

extension NSManagedObjectContext {
    /// Whether the caller may use the context: the current thread, or one that waits for it, owns the context's queue.
    final var isOnQueue: Bool {
        switch queue.type {
        case .confinementConcurrencyType: true
        case .privateQueueConcurrencyType: QueueOwnership.ownsQueue(of: self)
        case .mainQueueConcurrencyType: QueueOwnership.ownsMainQueueNow
        }
    }

    /// The queue for the methods that run blocks.
    ///
    /// Stops the program for a context without a queue.
    @discardableResult
    final func requireQueue(_ method: String) -> DispatchQueue {
        if let dispatchQueue = queue.dispatchQueue { return dispatchQueue }
        programmingError(
            "Can only use \(method) on an NSManagedObjectContext that was created with a queue.",
            remedy: """
                Create the context with privateQueueConcurrencyType or mainQueueConcurrencyType, or use it without \
                \(method) on the thread that created it.
                """
        )
    }

    /// The kind, name and address of the context, for messages.
    final var diagnosticName: String {
        let kind =
            switch queue.type {
            case .confinementConcurrencyType: "confined context"
            case .privateQueueConcurrencyType: "private-queue context"
            case .mainQueueConcurrencyType: "main-queue context"
            }
        return
            """
            the \(kind) \(name.map { "'\($0)' " } ?? "")<\(type(of: self)): \
            0x\(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16))>
            """
    }

    // MARK: Running blocks

    /// Runs internal work on the context's queue, asynchronously, if the context still exists then. Does not retain the
    /// context. The queue of a confined context is the main queue.
    ///
    /// While the work runs it retains the context, and so the files of stores that the program has released in between.
    /// Work that is no longer needed retains nothing.
    ///
    /// - Parameter isNeeded: called on the queue before the work.
    final func scheduleOnQueue(
        if isNeeded: @escaping @Sendable () -> Bool = { true },
        _ work: @escaping @Sendable (NSManagedObjectContext) -> Void
    ) {
        queue.async { [weak self] in
            guard isNeeded(), let self else { return }
            self.runOnQueue { work(self) }
        }
    }

    /// Runs a block on behalf of this context, inside the current event. The caller is on the context's queue.
    final func runOnQueue<T>(waiting: QueueOwnership.Chain = .none, _ block: () throws -> T) rethrows -> T {
        try QueueOwnership.run(self, waiting: waiting, block)
    }

    /// Runs a block as a whole event. The caller is on the context's queue.
    final func runEvent<T>(waiting: QueueOwnership.Chain = .none, _ block: () throws -> T) rethrows -> T {
        try QueueOwnership.run(self, waiting: waiting) {
            defer { finishEvent() }
            return try block()
        }
    }

    // MARK: Events

    /// Whether changes outside of blocks belong to an event of the main queue. On a private queue each block is an
    /// event, and there are no other events.
    final var endsEventsWithMainQueue: Bool {
        switch queue.type {
        case .mainQueueConcurrencyType: true
        case .privateQueueConcurrencyType: false
        case .confinementConcurrencyType: MainQueue.isCurrent
        }
    }

    /// Ends the event: processes changes, as the end of a user-interface event does on Apple's platforms.
    final func finishEvent() {
        // Changes that observers make during the notification belong to the next event.
        changeEvent.removeScheduledEnd()
        if changeEvent.hasChanges || !changeEvent.deletedExternally.isEmpty { processChanges() }
        undoRegistration.manager?.endEvent()
    }
}

/// Moves a value to the context's queue. Sendable though the value may not be: the caller waits, or no longer uses it.
struct UncheckedSendableBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
