/// How much is left of a thread's stack.
enum StackSpace {
    /// Trees of fewer levels fit into every stack.
    static let harmlessLevels = 200
    /// What one level of an evaluation takes, rounded up.
    #if DEBUG
        private static let bytesPerLevel = 2_000
    #else
        private static let bytesPerLevel = 800
    #endif
    /// What must be left for calls that go one level deeper in a text.
    private static let leastBytes = 64 << 10

    /// Stops the program with a message where going so many levels deeper would overflow the stack, which tells nobody
    /// why.
    static func require(levels: Int, _ what: @autoclosure () -> String) {
        guard levels > harmlessLevels, let end else { return }
        let left = bytesLeft(above: end)
        guard left < levels * bytesPerLevel else { return }
        programmingError(
            """
            \(what()) nests \(levels) levels deep, and the thread has \(left / 1024) KiB of its stack left to evaluate it. Join more \
            operands at each level, or evaluate it on a thread with a larger stackSize.
            """)
    }

    /// True if so little is left above the end that nothing should go deeper.
    static func isShort(above end: UInt) -> Bool { bytesLeft(above: end) < leastBytes }

    private static func bytesLeft(above end: UInt) -> Int {
        var local = 0
        return withUnsafePointer(to: &local) { Int(bitPattern: UInt(bitPattern: $0) &- end) }
    }

    /// The lowest address of the current thread's stack; nil where that can't be told. Asking takes time on the main
    /// thread.
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
        /// `pthread_getattr_np`, which Swift's modules of the C library leave out.
        private static let readAttributes = dlsym(nil, "pthread_getattr_np").map {
            unsafeBitCast($0, to: (@convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32).self)
        }
    #endif
}
