// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// Waits for sockets.
enum PostgreSQLSocket {
    struct Ready: OptionSet {
        let rawValue: Int32
        static let socket = Ready(rawValue: 1)
        static let interrupt = Ready(rawValue: 2)
    }

    /// Waits until a socket is ready or broken, or another descriptor is readable. The result is empty after the
    /// timeout, and perhaps before.
    static func wait(
        _ socket: Int32, forWriting: Bool = false, interrupt: Int32 = -1, for timeout: Duration
    ) -> Ready {
        let milliseconds = timeout / .milliseconds(1)
        return Ready(
            rawValue: opencoredata_poll(
                socket, forWriting ? 1 : 0, interrupt, Int32(min(max(milliseconds.rounded(.up), 0), 3_600_000))))
    }
}
