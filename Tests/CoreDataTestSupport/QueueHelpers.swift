import CoreData

/// Carries a value between the queues of two contexts; the test keeps them apart.
package struct UnsafeSender<Value>: @unchecked Sendable {
    package let value: Value
    package init(_ value: Value) { self.value = value }
}

/// Calls `perform(_:)` in an async function, where the compiler would prefer the async method of that name.
package func performLater(_ context: NSManagedObjectContext, _ block: @escaping () -> Void) { context.perform(block) }
