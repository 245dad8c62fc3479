// SPDX-License-Identifier: Apache-2.0

#if COREDATA_SANITIZED
    /// Replaces `Synchronization.Mutex` in a build for the thread sanitizer. `Mutex` waits inside the standard library,
    /// which isn't instrumented, so the sanitizer would report each access that had to wait. `Locked` has a lock that
    /// the sanitizer knows.
    typealias Mutex<Value: ~Copyable> = Locked<Value>
#endif
