/// Which context's block runs here: that of the queue, and on the main queue that of the innermost block.
enum CurrentContext {
    /// A queue lets go of its values some time after it has gone: they must not keep the context's stores.
    private final class Owner: @unchecked Sendable {
        weak var context: NSManagedObjectContext?

        init(_ context: NSManagedObjectContext) { self.context = context }
    }

    private static let key = DispatchSpecificKey<Owner>()
    /// The contexts whose blocks run on the main queue, the innermost last. Touched on the main queue alone.
    private nonisolated(unsafe) static var mainBlocks: [NSManagedObjectContext] = []

    /// Makes a context the one of its own queue.
    static func own(_ queue: DispatchQueue, _ context: NSManagedObjectContext) { queue.setSpecific(key: key, value: Owner(context)) }

    /// Runs a block of a context of the main queue.
    static func onMain<T>(_ context: NSManagedObjectContext, _ block: () throws -> T) rethrows -> T {
        mainBlocks.append(context)
        defer { mainBlocks.removeLast() }
        return try block()
    }

    static var context: NSManagedObjectContext? {
        if let owner = DispatchQueue.getSpecific(key: key) { return owner.context }
        return MainQueue.isCurrent ? mainBlocks.last : nil
    }
}
