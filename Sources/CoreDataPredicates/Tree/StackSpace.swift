// SPDX-License-Identifier: Apache-2.0

/// The free space on a thread's stack.
package enum StackSpace {
    /// Trees with fewer levels fit into every stack and need no check.
    static let uncheckedLevels = 200
    /// The stack space of one level of an evaluation, rounded up.
    #if DEBUG
        private static let bytesPerLevel = 2_000
    #else
        private static let bytesPerLevel = 800
    #endif
    /// Trees with so many levels fit into every stack that the parser accepts.
    private static let checkedLevels = 100
    /// The stack space of one level of the deepest walk: a query that becomes SQL nodes, and these a text.
    #if DEBUG
        private static let bytesPerTranslatedLevel = 8_000
    #else
        private static let bytesPerTranslatedLevel = 4_000
    #endif
    /// The space that the parser and the archive reader need to go one level deeper.
    private static let minimumBytes = 64 << 10

    /// Stops the program with a message if an evaluation of so many levels would overflow the stack. An overflow
    /// itself gives no message.
    ///
    /// - Parameters:
    ///   - levels: the levels of the tree.
    ///   - subject: names the tree in the message.
    static func require(levels: Int, _ subject: @autoclosure () -> String) {
        guard levels > uncheckedLevels, let end else { return }
        let left = bytesLeft(above: end)
        guard left < levels * bytesPerLevel else { return }
        programmingError(
            """
            \(subject()) has \(levels) levels, and its evaluation needs more stack than the \(left / 1024) KiB that \
            the thread has left. Join more operands at each level, or evaluate it on a thread with a larger stackSize.
            """)
    }

    /// Whether code that walks a tree of so many levels by recursion, to translate it or to write it, has enough stack.
    package static func isEnough(forLevels levels: Int) -> Bool {
        guard levels > checkedLevels, let end else { return true }
        return bytesLeft(above: end) / bytesPerTranslatedLevel > levels
    }

    /// True if the space above the end is too small to go one level deeper.
    static func isShort(above end: UInt) -> Bool { bytesLeft(above: end) < minimumBytes }

    private static func bytesLeft(above end: UInt) -> Int {
        var local = 0
        return withUnsafePointer(to: &local) { Int(bitPattern: UInt(bitPattern: $0) &- end) }
    }

    /// The lowest address of the current thread's stack; nil where it is unknown. On the main thread the call is slow.
    static var end: UInt? {
        #if os(Linux)
            var attributes = pthread_attr_t()
            guard let readAttributes, readAttributes(pthread_self(), &attributes) == 0 else { return nil }
            defer { pthread_attr_destroy(&attributes) }
            var lowest: UnsafeMutableRawPointer?
            var size = 0
            guard pthread_attr_getstack(&attributes, &lowest, &size) == 0, let lowest else { return nil }
            return UInt(bitPattern: lowest)
        #else
            return nil
        #endif
    }

    #if os(Linux)
        /// `pthread_getattr_np`, which Swift's modules of the C library don't declare.
        private static let readAttributes = dlsym(nil, "pthread_getattr_np").map {
            unsafeBitCast($0, to: (@convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32).self)
        }
    #endif
}
