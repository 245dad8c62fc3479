import CoreData

extension NSManagedObjectContext {
    /// Creates a child context.
    func child(_ type: NSManagedObjectContextConcurrencyType = .privateQueueConcurrencyType) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: type)
        child.parent = self
        return child
    }
}

/// Contexts on one store, each the parent of the next.
struct ContextHierarchy {
    let stack: TestStack
    let contexts: [NSManagedObjectContext]

    var root: NSManagedObjectContext { contexts[0] }
    /// The context without children.
    var child: NSManagedObjectContext { contexts[contexts.count - 1] }
    /// The parent of `child`.
    var parent: NSManagedObjectContext { contexts[contexts.count - 2] }

    /// Saves every context, children first.
    func saveAll() throws {
        for context in contexts.reversed() { try context.save() }
    }
}

/// Runs a test on a new hierarchy of contexts, on all their queues.
///
/// - Parameters:
///   - depth: the number of contexts below the root.
///   - fill: creates the initial objects of the store, in a context that is not used later.
func withHierarchy(
    _ kind: StoreKind, depth: Int = 1, model: NSManagedObjectModel = LibraryModel.make(),
    fill: (NSManagedObjectContext) throws -> Void = { _ in },
    _ body: (ContextHierarchy) throws -> Void
) throws {
    let stack = try TestStack(kind, model: model)
    try stack.context.performAndWait {
        try fill(stack.context)
        try stack.context.save()
        stack.context.reset()
    }
    var contexts = [stack.newContext()]
    for _ in 0..<depth { contexts.append(contexts[contexts.count - 1].child()) }
    try performNested(contexts[...]) { try body(ContextHierarchy(stack: stack, contexts: contexts)) }
}

private func performNested(_ contexts: ArraySlice<NSManagedObjectContext>, _ body: () throws -> Void) throws {
    guard let first = contexts.first else { return try body() }
    try first.performAndWait { try performNested(contexts.dropFirst(), body) }
}

/// The notifications of one name that a context posts from now on.
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
