// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ
import Synchronization

/// How a statement ends before its last row.
extension PostgreSQLConnection {
    /// Runs a block whose statements the server ends soon after a fetch is cancelled, even while they return no rows.
    ///
    /// - Throws: `NSUserCancelledError` (3072) after the cancellation, and the errors of the block.
    func cancellable<Result>(_ control: FetchControl?, _ body: () throws -> Result) throws -> Result {
        guard let control, control !== self.control else { return try body() }
        guard let handle, let cancellation = cancellation ?? StatementCancellation(handle) else { return try body() }
        self.cancellation = cancellation
        let outer = self.control
        self.control = control
        defer {
            self.control = outer
            // The server may hear of the cancellation when the statement has ended, and end a later one.
            if cancellation.wasSent { mayGetCancellation = true }
        }
        return try control.interruptible(by: { cancellation.sendInBackground() }, body)
    }

    /// Waits until the server has heard of the cancellations of earlier statements: none ends a later statement then.
    func waitForCancellation() { cancellation?.waitUntilSent() }

    /// Ends the running statement, and throws away what still comes.
    func cancelAndDrain() {
        guard let handle else { return }
        // Without success the rest of the rows is read.
        StatementCancellation(handle)?.send()
        while let result = waitForResult(handle) {
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COPY_OUT else { continue }
            var buffer: UnsafeMutablePointer<CChar>?
            while waitForCopiedData(handle, &buffer) > 0 { PQfreemem(buffer) }
        }
    }
}

/// Ends the running statement of a connection. May be used on any thread.
final class StatementCancellation: Sendable {
    /// Unchecked: libpq allows PQcancel on any thread, and nothing changes what this points to.
    private nonisolated(unsafe) let cancellation: OpaquePointer
    private let sent = Atomic<Bool>(false)

    /// Whether the server was asked.
    var wasSent: Bool { sent.load(ordering: .sequentiallyConsistent) }

    init?(_ connection: OpaquePointer) {
        guard let cancellation = PQgetCancel(connection) else { return nil }
        self.cancellation = cancellation
    }

    deinit { PQfreeCancel(cancellation) }

    /// The requests to the server that are under way.
    private let requests = DispatchGroup()

    /// The threads that ask servers: few, since each one may wait for the network.
    private static let threads = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 4
        return queue
    }()

    /// Asks the server, on another thread: the network may keep that one waiting.
    func sendInBackground() {
        sent.store(true, ordering: .sequentiallyConsistent)
        requests.enter()
        Self.threads.addOperation { [self] in
            send()
            requests.leave()
        }
    }

    /// Waits for the requests that are under way.
    func waitUntilSent() { requests.wait() }

    /// Sends the request to the server over a separate connection. The server ignores it if the connection has no
    /// running statement.
    func send() {
        sent.store(true, ordering: .sequentiallyConsistent)
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) {
            _ = PQcancel(cancellation, $0.baseAddress, 256)
        }
    }
}
