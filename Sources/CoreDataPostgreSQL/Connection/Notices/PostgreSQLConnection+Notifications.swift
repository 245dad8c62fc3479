// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// A notification that a NOTIFY has sent.
struct PostgreSQLNotification: Sendable, Equatable {
    let channel: String
    let payload: String
    /// The number of the server's process that sent it.
    let process: Int32
}

extension PostgreSQLConnection {
    /// Reads the data that has arrived, and returns the notifications. It doesn't wait.
    ///
    /// - Throws: `PostgreSQLFailure` if the connection is lost.
    func notifications() throws -> [PostgreSQLNotification] {
        let handle = try openHandle(nil)
        guard PQconsumeInput(handle) != 0, isUsable else { throw failure(nil, nil) }
        var result: [PostgreSQLNotification] = []
        while let notification = PQnotifies(handle) {
            result.append(
                PostgreSQLNotification(
                    channel: String(cString: notification.pointee.relname),
                    payload: String(cString: notification.pointee.extra), process: notification.pointee.be_pid))
            PQfreemem(notification)
        }
        return result
    }

    /// Waits until the server has sent something, or the connection is broken.
    ///
    /// - Returns: whether that happened before the timeout.
    func waitForInput(_ timeout: TimeInterval) -> Bool {
        wait(interrupt: -1, for: .seconds(timeout)).contains(.socket)
    }

    func wait(interrupt: Int32, for timeout: Duration) -> PostgreSQLSocket.Ready {
        guard let handle else { return .socket }
        return PostgreSQLSocket.wait(PQsocket(handle), interrupt: interrupt, for: timeout)
    }

    /// Whether an idle connection is still usable. It reads, without waiting, the data that the server has sent since,
    /// and so notices the end of the connection. Nothing is sent.
    var isAlive: Bool {
        guard let handle, isUsable, transactionStatus == .idle else { return false }
        while wait(interrupt: -1, for: .zero).contains(.socket) {
            guard PQconsumeInput(handle) != 0 else { return false }
            // An idle connection of the pool needs no notifications, but libpq interprets all that it has read.
            while let notification = PQnotifies(handle) { PQfreemem(notification) }
            guard isUsable else { return false }
        }
        return true
    }
}
