import CoreData

extension NSManagedObjectContext {
    /// A new context below this one.
    func child(_ type: NSManagedObjectContextConcurrencyType = .privateQueueConcurrencyType) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: type)
        child.parent = self
        return child
    }
}

/// A line of contexts over one store, each the parent of the next.
struct Family {
    let stack: TestStack
    let contexts: [NSManagedObjectContext]

    var root: NSManagedObjectContext { contexts[0] }
    /// The lowest context.
    var child: NSManagedObjectContext { contexts[contexts.count - 1] }
    /// The one above the lowest.
    var parent: NSManagedObjectContext { contexts[contexts.count - 2] }

    /// Saves every context, the lowest first.
    func saveAll() throws {
        for context in contexts.reversed() { try context.save() }
    }
}

/// Runs a test on a fresh line of contexts, on all their queues.
///
/// - Parameters:
///   - depth: how many contexts are below the root.
///   - fill: makes what the store holds at the beginning, in a context that is used no more.
func withFamily(
    _ kind: StoreKind, depth: Int = 1, model: NSManagedObjectModel = LibraryModel.make(),
    fill: (NSManagedObjectContext) throws -> Void = { _ in },
    _ body: (Family) throws -> Void
) throws {
    let stack = try TestStack(kind, model: model)
    try stack.context.performAndWait {
        try fill(stack.context)
        try stack.context.save()
        stack.context.reset()
    }
    var contexts = [stack.newContext()]
    for _ in 0..<depth { contexts.append(contexts[contexts.count - 1].child()) }
    try hold(contexts[...]) { try body(Family(stack: stack, contexts: contexts)) }
}

private func hold(_ contexts: ArraySlice<NSManagedObjectContext>, _ body: () throws -> Void) throws {
    guard let first = contexts.first else { return try body() }
    try first.performAndWait { try hold(contexts.dropFirst(), body) }
}

/// What a context tells by a notification, from now on.
final class NotificationLog {
    private(set) var entries: [Notification] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, of context: NSManagedObjectContext) {
        let box = UnsafeBox<NotificationLog>()
        token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
            box.value?.entries.append($0)
        }
        box.value = self
    }

    deinit { token.map(NotificationCenter.default.removeObserver) }

    private final class UnsafeBox<Value: AnyObject>: @unchecked Sendable { weak var value: Value? }

    /// The names of the objects under a key, in all notifications.
    func names(_ key: String) -> [String] {
        entries.flatMap { ($0.userInfo?[key] as? Set<NSManagedObject> ?? []).map { $0.text("name") ?? "" } }.sorted()
    }
}
