/// The queue of a context. `QueueOwnership` tracks which thread holds it.
final class ContextQueue: @unchecked Sendable {
    let type: NSManagedObjectContextConcurrencyType
    /// The queue on which blocks run; nil for a confined context.
    let dispatchQueue: DispatchQueue?
    /// The lock of `lock()`.
    let lock = NSRecursiveLock()
    /// Whether a warning was logged that a block waits long for the main queue. Guarded by the lock of
    /// `MainQueueMonitor`.
    private(set) var hasLoggedMainQueueWarning = false

    init(_ type: NSManagedObjectContextConcurrencyType) {
        self.type = type
        dispatchQueue =
            switch type {
            case .confinementConcurrencyType: nil
            case .privateQueueConcurrencyType: DispatchQueue(label: "NSManagedObjectContext")
            case .mainQueueConcurrencyType: .main
            }
        if type == .mainQueueConcurrencyType { MainQueue.mark() }
    }

    /// Called under the lock of `MainQueueMonitor`.
    func recordMainQueueWarning() { hasLoggedMainQueueWarning = true }
}
