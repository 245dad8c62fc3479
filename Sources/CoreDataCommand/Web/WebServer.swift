// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import FlyingSocks
import OpenCoreData

/// Serves the pages on a port of this machine, with the sockets of FlyingSocks.
///
/// FlyingFox, the server of that package, reads headers of any length, byte by byte, and ends when the process has no
/// file descriptor left. So this server reads and writes its connections itself: see `WebConnection`.
enum WebServer {
    /// Serves pages until the process ends.
    ///
    /// - Parameters:
    ///   - started: called with the first URL, when the server listens.
    ///   - pages: makes the pages for the port that the server has.
    static func run(
        port: UInt16, started: @escaping @Sendable (String) throws -> Void,
        pages: @escaping @Sendable (WebSecurity) -> any PageSource
    ) throws {
        let finished = DispatchGroup()
        finished.enter()
        let failure = Failure()
        Task.detached {
            do {
                try await serve(port: port, started: started, pages: pages)
            } catch {
                failure.error = error
            }
            finished.leave()
        }
        finished.wait()
        if let error = failure.error {
            throw (error as? SocketError).map { CommandError("The server stopped: \($0). Choose another --port.") }
                ?? error
        }
    }

    private final class Failure: @unchecked Sendable {
        var error: (any Error)?
    }

    private static func serve(
        port: UInt16, started: @escaping @Sendable (String) throws -> Void,
        pages: @escaping @Sendable (WebSecurity) -> any PageSource
    ) async throws {
        let pool = SocketPool<Poll>.make()
        try await pool.prepare()
        let socket = try Socket(domain: AF_INET)
        try socket.setValue(true, for: .localAddressReuse)
        try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
        try socket.listen()
        guard case .ip4(_, let actual) = try socket.sockname() else { throw SocketError.disconnected }
        let responder = WebResponder(pages: pages(WebSecurity(port: Int(actual))))
        try started(responder.pages.security.firstURL)
        let listener = try AsyncSocket(socket: socket, pool: pool)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await pool.run() }
            while true {
                do {
                    let socket = try await listener.accept()
                    group.addTask { await WebConnection(socket: socket, responder: responder).serve() }
                } catch SocketError.failed {
                    // The process has too many open files, or the other side is gone already.
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }
    }
}
