// SPDX-License-Identifier: Apache-2.0

/// The lock of posts while Foundation looks up their observers.
///
/// Foundation's own lock is a `Mutex`, which hands itself over to sleeping threads (see `Locked`): the posts of many
/// threads that save would spend a third of their time on it. Behind this lock it is nearly always free.
enum ObserverLookup {
    static let lock = ThreadLock()

    /// Runs a block that posts a message whose observers it doesn't call.
    static func withLock(_ post: () -> Void) {
        lock.lock()
        defer { lock.unlock() }
        post()
    }
}
