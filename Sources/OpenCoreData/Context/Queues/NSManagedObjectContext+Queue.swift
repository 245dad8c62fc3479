extension NSManagedObjectContext {
    /// Whether the caller may use the context: it is on the context's queue, or those who wait for it are.
    final var isOnQueue: Bool {
        switch concurrencyType {
        case .confinementConcurrencyType: true
        case .privateQueueConcurrencyType: HeldQueue.holds(self)
        case .mainQueueConcurrencyType: HeldQueue.isMainQueueHeld
        }
    }

    /// The queue for `perform` and its kin.
    ///
    /// Stops the program for a context that has none.
    final func requireQueue(_ method: String) -> DispatchQueue {
        if let dispatchQueue { return dispatchQueue }
        programmingError(
            "Can only use \(method) on an NSManagedObjectContext that was created with a queue.",
            remedy: """
                Make the context with privateQueueConcurrencyType or mainQueueConcurrencyType, or use it where it \
                was made, without \(method).
                """
        )
    }

    /// What messages call the context.
    final var nameInMessages: String {
        let kind =
            switch concurrencyType {
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

    /// Does the framework's own work on the context's queue, later, if the context is still there then: it isn't kept.
    /// A confined context that is used on the main queue has that.
    final func schedule(_ work: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        (dispatchQueue ?? .main).async { [weak self] in
            guard let self else { return }
            self.hold { work(self) }
        }
    }

    /// Whether an event of this context is one of the main queue's, outside of blocks; a private queue has no other
    /// events than blocks.
    final var endsWithMainQueue: Bool {
        switch concurrencyType {
        case .mainQueueConcurrencyType: true
        case .privateQueueConcurrencyType: false
        case .confinementConcurrencyType: MainQueue.isCurrent
        }
    }

    /// Runs a block on the queue, where the caller is, as one of this context.
    final func hold<T>(waiting: HeldQueue.List = .none, _ block: () throws -> T) rethrows -> T {
        try HeldQueue.hold(self, waiting: waiting, block)
    }

    /// The same, as an event of its own.
    final func event<T>(waiting: HeldQueue.List = .none, _ block: () throws -> T) rethrows -> T {
        try HeldQueue.hold(self, waiting: waiting) {
            defer { endOfEvent() }
            return try block()
        }
    }

    /// Whether the next change notification has anything to tell.
    final var hasEvents: Bool {
        !pending.isEmpty || !refreshedSinceEvent.isEmpty || !withdrawnSinceEvent.isEmpty || !mergedInsertions.isEmpty
    }

    /// What a user-interface event's end is on Apple's platforms: changes are processed.
    final func endOfEvent() {
        if hasEvents { processChanges() }
        undoRegistration.manager?.endEvent()
    }
}

/// Carries a value to the context's queue: the caller waits, or hands it over.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
