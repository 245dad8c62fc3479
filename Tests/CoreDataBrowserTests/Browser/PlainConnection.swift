import CoreData

/// A connection to a port of this machine, for requests that clients of Foundation don't send.
final class PlainConnection: @unchecked Sendable {
    private let socket: Int32

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw TestFailure("connect: errno \(errno)") }
    }

    deinit { close(socket) }

    /// Sends all bytes. Returns false if the other side has closed.
    @discardableResult
    func send(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    socket, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    /// Reads one answer with a Content-Length: its status and its body, which that to HEAD has not.
    func answer(hasBody: Bool = true) throws -> (status: Int, body: Data) {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = received.range(of: Data("\r\n\r\n".utf8)) {
                let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                let length =
                    !hasBody
                    ? 0
                    : lines.first { $0.lowercased().hasPrefix("content-length:") }?
                        .split(separator: ":").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
                if received.count >= end.upperBound + length {
                    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
                    return (status, received[end.upperBound..<(end.upperBound + length)])
                }
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw TestFailure("The connection ended after \(received.count) bytes.") }
            received += buffer[..<count]
        }
    }

    /// Sends a request and reads its answer.
    static func request(
        _ method: String, _ path: String, port: Int, headers: [String: String] = [:], body: Data = Data()
    ) throws -> (status: Int, body: Data) {
        let connection = try PlainConnection(port: port)
        let fields = headers.merging(["Host": "127.0.0.1:\(port)", "Content-Length": "\(body.count)"]) { own, _ in own }
        let head = "\(method) \(path) HTTP/1.1\r\n" + fields.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n"
        connection.send(Data(head.utf8) + body)
        return try connection.answer(hasBody: method != "HEAD")
    }
}
