#if COREDATA_SANITIZED
    /// Takes the place of `Synchronization.Mutex` in a build for the thread sanitizer: that one waits inside the
    /// standard library, which isn't instrumented, so that the sanitizer would report each access that had to wait.
    /// This one is a lock that it knows; who locks what and when is the same.
    struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        // Sendable: the value is reached only while the lock is held.
        private let value: UnsafeMutablePointer<Value>
        private let lock = NSLock()

        init(_ value: consuming Value) {
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
        }

        borrowing func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value.pointee)
        }
    }
#endif
