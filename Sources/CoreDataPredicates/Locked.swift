// SPDX-License-Identifier: Apache-2.0

/// A value behind a lock for which many threads may contend.
///
/// The lock is the system's. `Synchronization.Mutex` takes less memory, and on Linux hands itself over to the thread
/// that has waited longest, which must be woken first: once many threads have met at it, each use costs two changes of
/// threads. So a value that contexts share is `Locked`; a value that one context or object uses may be in a `Mutex`.
///
/// A function is kept in a structure: generic code wraps a function that it gets or gives, so that each use of a bare
/// one would wrap it once more.
///
/// The value need not be Sendable: the caller must not let references to it leave the closure.
@usableFromInline package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    // Sendable: the value is reached only while the lock is held. Unchecked: the lock keeps accesses apart.
    @usableFromInline @exclusivity(unchecked) var value: Value
    @usableFromInline let lock = ThreadLock()

    @inlinable package init(_ value: consuming Value) { self.value = value }

    deinit { lock.deallocate() }

    /// Runs a block that may read and change the value. No other thread runs a block under the lock at the same time.
    /// The block must not use the same lock again.
    @inlinable package func withLock<Result: ~Copyable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Locked: CustomReflectable where Value: ~Copyable {
    /// The mirror omits the value: it would read the value without the lock, and can't copy every value.
    @usableFromInline package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// A lock of the system's threads.
@usableFromInline package struct ThreadLock: @unchecked Sendable {
    // Sendable: any thread may use the address.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    @usableFromInline package func lock() { pthread_mutex_lock(mutex) }

    @usableFromInline package func unlock() { pthread_mutex_unlock(mutex) }

    func deallocate() {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }
}
