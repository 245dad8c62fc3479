import CoreDataModel
import FlyingSocks
import OpenCoreData

/// Serves the pages on a port of this machine, with the sockets of FlyingSocks.
///
/// FlyingFox, the server of that package, reads headers of any length, byte by byte, and ends when the process has no
/// file descriptor left. So this server has connections of its own: see `BrowserConnection`.
enum BrowserServer {
    /// Serves until the process ends.
    ///
    /// - Parameter started: called with the first URL, when the server listens.
    static func run(store: BrowserStore, port: UInt16, started: @escaping @Sendable (String) throws -> Void) throws {
        let finished = DispatchGroup()
        finished.enter()
        let failure = Failure()
        Task.detached {
            do {
                try await serve(store: store, port: port, started: started)
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
        store: BrowserStore, port: UInt16, started: @escaping @Sendable (String) throws -> Void
    ) async throws {
        let pool = SocketPool<Poll>.make()
        try await pool.prepare()
        let socket = try Socket(domain: AF_INET)
        try socket.setValue(true, for: .localAddressReuse)
        try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
        try socket.listen()
        guard case .ip4(_, let actual) = try socket.sockname() else { throw SocketError.disconnected }
        let browser = StoreBrowser(store: store, security: BrowserSecurity(port: Int(actual)))
        try started(browser.security.firstURL)
        let responder = BrowserResponder(browser: browser)
        let listener = try AsyncSocket(socket: socket, pool: pool)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await pool.run() }
            while true {
                do {
                    let socket = try await listener.accept()
                    group.addTask { await BrowserConnection(socket: socket, responder: responder).serve() }
                } catch SocketError.failed {
                    // The process has too many open files, or the other side is gone already.
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }
    }
}

/// Makes the answers on threads of their own, since a store may take long to answer.
final class BrowserResponder: Sendable {
    private let browser: StoreBrowser
    private let pages = BrowserResponder.queue(4)
    private let searches = BrowserResponder.queue(4)
    private let counts = BrowserResponder.queue(2)

    init(browser: StoreBrowser) { self.browser = browser }

    private static func queue(_ count: Int) -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = count
        return queue
    }

    func response(to request: BrowserRequest) async -> BrowserResponse {
        let queue =
            switch StoreBrowser.pace(of: request) {
            case .page: pages
            case .search: searches
            case .count: counts
            }
        return await Self.perform(on: queue) { [browser] in browser.response(to: request) }
    }

    /// The next part of a body that is made while it is sent.
    func part(_ next: @escaping @Sendable () throws -> Data?) async throws -> Data? {
        try await Self.perform(on: counts) { Result { try next() } }.get()
    }

    private static func perform<Value: Sendable>(
        on queue: OperationQueue, _ work: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: work()) }
        }
    }
}
