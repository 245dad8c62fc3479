/// A value behind a lock.
///
/// Unlike `Synchronization.Mutex`, it takes values that are not Sendable: the caller must not let references to them
/// leave the closure.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    // Sendable: the value is reached only while the lock is held.
    private var value: Value
    private let lock = NSLock()

    package init(_ value: consuming Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
