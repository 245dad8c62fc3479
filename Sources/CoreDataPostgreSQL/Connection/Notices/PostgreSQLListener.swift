// SPDX-License-Identifier: Apache-2.0

/// Listens on a channel, with a dedicated thread and connection.
///
/// The listener replaces a lost connection, with growing pauses between its attempts. Notices that are sent before the
/// new connection listens are lost. So the handler `caughtUp` runs each time the listening starts, and at regular
/// intervals: it reads the new transactions.
final class PostgreSQLListener: Sendable {
    private let loop: Loop

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - location: the server. A pooler in transaction mode passes no notifications on.
    ///   - channel: the name of the channel, as in `NOTIFY`.
    ///   - interval: after how many seconds `caughtUp` runs again.
    ///   - handler: gets the payload of each notification, on the listener's thread.
    ///   - reconnected: runs when the listening has started again, before `caughtUp`, on the listener's thread.
    ///   - caughtUp: reads what may have been missed, on the listener's thread.
    init(
        _ location: PostgreSQLLocation, channel: String, interval: TimeInterval = 30,
        handler: @escaping @Sendable (String) -> Void, reconnected: @escaping @Sendable () -> Void = {},
        caughtUp: @escaping @Sendable () -> Void
    ) {
        let loop = Loop(
            location, channel: channel, interval: interval, handler: handler, reconnected: reconnected,
            caughtUp: caughtUp)
        self.loop = loop
        let thread = Thread { loop.run() }
        thread.name = "CoreData PostgreSQL listener"
        thread.start()
    }

    deinit { loop.stop() }

    /// Ends the listening. No handler runs after the return, except the one that calls this method.
    func stop() { loop.stop() }

    /// The number of the connection's server process; nil without a connection.
    var backendProcess: Int32? { loop.backendProcess }
}

extension PostgreSQLListener {
    /// The work of the thread. The thread holds this object, not the listener, so that the listener's end stops it.
    private final class Loop: @unchecked Sendable {
        private let location: PostgreSQLLocation
        private let channel: String
        private let interval: Duration
        private let handler: @Sendable (String) -> Void
        private let reconnected: @Sendable () -> Void
        private let caughtUp: @Sendable () -> Void
        /// A byte in it ends the waits of the thread.
        private let wake = Pipe()

        /// Owns what follows.
        private let condition = NSCondition()
        private var isStopped = false
        private var running: Thread?
        private var process: Int32?

        /// The next run of `caughtUp`. The thread owns it, and what follows.
        private var nextRun = ContinuousClock.now
        private var pause = firstPause
        private var hasListened = false

        private static let firstPause: Duration = .milliseconds(100)
        private static let longestPause: Duration = .seconds(30)

        init(
            _ location: PostgreSQLLocation, channel: String, interval: TimeInterval,
            handler: @escaping @Sendable (String) -> Void, reconnected: @escaping @Sendable () -> Void,
            caughtUp: @escaping @Sendable () -> Void
        ) {
            self.location = location
            self.channel = channel
            self.interval = .seconds(interval)
            self.handler = handler
            self.reconnected = reconnected
            self.caughtUp = caughtUp
            nextRun = .now + self.interval
        }

        var backendProcess: Int32? { condition.withLock { process } }

        func stop() {
            condition.lock()
            defer { condition.unlock() }
            if !isStopped {
                isStopped = true
                try? wake.fileHandleForWriting.write(contentsOf: Data([0]))
            }
            while let running, running != Thread.current { condition.wait() }
        }

        func run() {
            while !hasStopped {
                do {
                    try listen()
                } catch {
                    condition.withLock { process = nil }
                    if !hasStopped { waitBeforeRetry() }
                }
            }
        }

        private var hasStopped: Bool { condition.withLock { isStopped } }

        /// Listens until the connection is lost or the listener is stopped.
        private func listen() throws {
            let connection = try PostgreSQLConnection(location, interrupt: interrupt)
            defer { connection.close() }
            try connection.executeScript("LISTEN \(PostgreSQLConnection.quoted(channel))")
            condition.withLock { process = connection.backendProcess }
            defer { condition.withLock { process = nil } }
            pause = Self.firstPause
            if hasListened { call(reconnected) }
            hasListened = true
            catchUp()
            while !hasStopped {
                // The answer of LISTEN may have brought notifications along.
                for notification in try connection.notifications() where notification.channel == channel {
                    call { handler(notification.payload) }
                }
                if ContinuousClock.now >= nextRun { catchUp() }
                _ = connection.wait(interrupt: interrupt, for: ContinuousClock.now.duration(to: nextRun))
            }
        }

        /// Waits with jitter, so that all programs don't connect at once when the server comes back.
        private func waitBeforeRetry() {
            let end = ContinuousClock.now + pause * Double.random(in: 0.5...1)
            pause = min(pause * 2, Self.longestPause)
            while !hasStopped {
                let now = ContinuousClock.now
                // Other connections may work, for example through a pooler.
                if now >= nextRun { catchUp() }
                guard now < end else { return }
                _ = PostgreSQLSocket.wait(-1, interrupt: interrupt, for: now.duration(to: min(end, nextRun)))
            }
        }

        private var interrupt: Int32 { wake.fileHandleForReading.fileDescriptor }

        private func catchUp() {
            nextRun = .now + interval
            call(caughtUp)
        }

        /// Runs a handler, unless the listener is stopped.
        private func call(_ handler: () -> Void) {
            let runs = condition.withLock {
                if !isStopped { running = Thread.current }
                return !isStopped
            }
            guard runs else { return }
            handler()
            condition.withLock {
                running = nil
                condition.broadcast()
            }
        }
    }
}
