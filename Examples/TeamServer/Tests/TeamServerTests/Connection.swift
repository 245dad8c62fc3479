import CoreData

/// A connection that sends bytes as a test wants them.
final class Connection: Sendable {
    struct Failure: Error {}

    private let descriptor: Int32

    init(port: Int, timeout: Int = 30) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var time = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure() }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure() }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Runs work that waits on a separate thread: tests must not hold the threads of tasks.
    static func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    /// Reads until a text has come, or until the server closes the connection.
    func receive(until end: String) async throws -> String { try await Self.onThread { try self.read(until: end) } }

    /// Reads until the server closes the connection.
    func receiveAll() async throws -> String { try await receive(until: "\u{0}") }

    private func read(until end: String) throws -> String {
        let end = Data(end.utf8)
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var searched = 0
        // Lines that tell that the connection lives don't prolong it.
        let limit = ContinuousClock.now + .seconds(60)
        while bytes.range(of: end, in: searched..<bytes.count) == nil {
            guard ContinuousClock.now < limit else { throw Failure() }
            searched = max(0, bytes.count - end.count)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Failure() }
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the server closes the connection, without an answer or after one.
    func isClosed() async throws -> Bool { try await Self.onThread { self.waitForEnd() } }

    private func waitForEnd() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 || count < 0 && errno == ECONNRESET { return true }
            if count < 0 { return false }
        }
    }
}
