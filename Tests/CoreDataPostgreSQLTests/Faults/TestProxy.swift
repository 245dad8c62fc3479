import Synchronization
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Stands between a store and the test server, and cuts connections at chosen messages.
///
/// It listens on a Unix socket in a new folder. Two threads for each connection read the messages of the protocol, one
/// for each direction: a letter, the length in four bytes, the contents. The first message of a client has no letter.
final class TestProxy: @unchecked Sendable {
    enum Sender { case client, server }

    struct Message {
        /// The number of the connection, in the order in which they were made.
        let connection: Int
        let sender: Sender
        /// The letter; a space for the first message of a client.
        let type: Character
        /// Whether a client begins a transaction: in a script, or by a statement, which may have been prepared.
        let isBegin: Bool
        fileprivate let bytes: ArraySlice<UInt8>

        /// Whether the contents begin with a text.
        func begins(with text: String) -> Bool { bytes.dropFirst(5).starts(with: text.utf8) }

        /// Whether a text is anywhere in the message.
        func contains(_ text: String) -> Bool { String(decoding: bytes, as: UTF8.self).contains(text) }

        var isCommit: Bool { sender == .client && type == "Q" && begins(with: "COMMIT") }
        var isCommitted: Bool { sender == .server && type == "C" && begins(with: "COMMIT") }
    }

    /// Which part of a message is passed on before the connection is cut: nothing, a half, or all.
    enum Cut: CaseIterable {
        case before, within, after
        /// Neither the message nor what follows passes, and the connection stays open.
        case silence

        static let allCases: [Cut] = [.before, .within, .after]
    }

    private let folder: TemporaryFolder
    private let target: String
    private let listener: Int32
    private let condition = NSCondition()
    private var decision: (Message) -> Cut? = { _ in nil }
    private var links: [Link] = []
    private var linkCount = 0
    private var cuts = 0
    private var isStopped = false

    /// - Parameter server: the path of the server's socket; by default the socket of the test server.
    init(server: String? = nil) throws {
        folder = try TemporaryFolder()
        target = try server ?? Self.testServerSocket()
        listener = try UnixSocket.listen(folder.path(".s.PGSQL.5432"))
        Thread.detachNewThread { [self] in acceptAll() }
    }

    /// The path of the test server's socket.
    static func testServerSocket() throws -> String {
        let connection = try TestServer.connect()
        defer { connection.close() }
        let folders = try connection.execute("SHOW unix_socket_directories")[0].text(0)
        let port = try connection.execute("SHOW port")[0].text(0)
        let folder = folders.split(separator: ",").first.map { $0.trimmingCharacters(in: .whitespaces) }
        return "\(try requireValue(folder, "The test server has no Unix socket."))/.s.PGSQL.\(port)"
    }

    /// A URL of the server that leads through the proxy.
    func url(_ url: URL) -> URL {
        let text = url.absoluteString
        let separator = text.contains("?") ? "&" : "?"
        return URL(string: "\(text)\(separator)host=\(folder.url.path)&port=5432") ?? url
    }

    /// Asks a block about each message, on threads of the proxy, one at a time: whether the connection is cut there.
    func cut(where decision: @escaping (Message) -> Cut?) {
        condition.withLock { self.decision = decision }
    }

    /// Lets all messages pass.
    func passAll() { cut { _ in nil } }

    /// Cuts the next connections that have a message, each at that message.
    func cut(_ cut: Cut, times: Int = 1, at matches: @escaping (Message) -> Bool) {
        var rest = times
        self.cut { message in
            guard rest > 0, matches(message) else { return nil }
            rest -= 1
            return cut
        }
    }

    /// How many connections were cut.
    var cutCount: Int { condition.withLock { cuts } }

    /// Ends all connections, and refuses new ones.
    func stop() {
        let links = condition.withLock {
            isStopped = true
            return self.links
        }
        shutdown(listener, Int32(SHUT_RDWR))
        for link in links { link.cut() }
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else {
                if errno == EINTR { continue }
                close(listener)
                return
            }
            guard let server = try? UnixSocket.connect(target) else {
                close(client)
                continue
            }
            let link = condition.withLock {
                linkCount += 1
                let link = Link(linkCount, client: client, server: server)
                links.append(link)
                return link
            }
            Thread.detachNewThread { [self] in pass(link, from: .client) }
            Thread.detachNewThread { [self] in pass(link, from: .server) }
        }
    }

    /// Passes on what one side of a connection sends, until the connection ends.
    private func pass(_ link: Link, from sender: Sender) {
        let (source, target) = sender == .client ? (link.client, link.server) : (link.server, link.client)
        var buffer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var isFirst = sender == .client
        while true {
            let count = recv(source, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            if link.isSilent { continue }
            buffer += chunk[..<count]
            // One side at a time: nothing passes a cut.
            let isOpen = link.lock.withLock {
                let passed = take(&buffer, link, sender, &isFirst)
                guard !link.isCut, UnixSocket.send(passed.bytes, to: target) else { return false }
                if passed.endsHere { link.shutdown() }
                return !passed.endsHere
            }
            guard isOpen else { break }
        }
        link.cut()
        condition.withLock { links.removeAll { $0 === link } }
        link.finish()
    }

    /// Takes the complete messages off a buffer: those to pass on, up to a cut.
    private func take(
        _ buffer: inout [UInt8], _ link: Link, _ sender: Sender, _ isFirst: inout Bool
    ) -> (bytes: ArraySlice<UInt8>, endsHere: Bool) {
        var end = 0
        defer { buffer.removeFirst(end) }
        while true {
            let header = isFirst ? 0 : 1
            guard buffer.count >= end + header + 4 else { return (buffer[..<end], false) }
            let size = buffer[(end + header)..<(end + header + 4)].reduce(0) { $0 << 8 | Int($1) } + header
            guard buffer.count >= end + size else { return (buffer[..<end], false) }
            let type = isFirst ? " " : Character(UnicodeScalar(buffer[end]))
            isFirst = false
            let contents = buffer[(end + header + 4)..<(end + size)]
            let message = Message(
                connection: link.number, sender: sender, type: type,
                isBegin: sender == .client && link.begins(type, contents), bytes: buffer[end..<(end + size)])
            let cut = condition.withLock {
                let cut = decision(message)
                if cut != nil { cuts += 1 }
                return cut
            }
            if cut == .silence {
                link.isSilent = true
                let passed = buffer[..<end]
                end = buffer.count
                return (passed, false)
            }
            if let cut {
                let passed = buffer[..<(end + (cut == .before ? 0 : cut == .within ? size / 2 : size))]
                end += size
                return (passed, true)
            }
            end += size
        }
    }

    /// A connection of a client, and that to the server which belongs to it.
    private final class Link: @unchecked Sendable {
        let number: Int
        let client: Int32
        let server: Int32
        let lock = NSLock()
        private(set) var isCut = false
        /// Whether nothing passes any more. Set by one of the threads.
        var isSilent: Bool {
            get { silence.load(ordering: .sequentiallyConsistent) }
            set { silence.store(newValue, ordering: .sequentiallyConsistent) }
        }
        private let silence = Atomic<Bool>(false)
        private var threads = 2
        /// The names of the prepared statements that begin a transaction.
        private var beginNames: Set<[UInt8]> = []

        init(_ number: Int, client: Int32, server: Int32) {
            self.number = number
            self.client = client
            self.server = server
        }

        func cut() { lock.withLock { shutdown() } }

        /// Whether a message of the client begins a transaction. Called under the lock.
        func begins(_ type: Character, _ contents: ArraySlice<UInt8>) -> Bool {
            let texts = contents.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            guard texts.count == 3 else { return type == "Q" && contents.starts(with: "BEGIN".utf8) }
            switch type {
            case "P":
                let begins = texts[1].starts(with: "BEGIN".utf8)
                if begins { beginNames.insert(Array(texts[0])) } else { beginNames.remove(Array(texts[0])) }
                return begins
            case "B": return beginNames.contains(Array(texts[1]))
            default: return type == "Q" && texts[0].starts(with: "BEGIN".utf8)
            }
        }

        /// Called under the lock.
        func shutdown() {
            guard !isCut else { return }
            isCut = true
            for descriptor in [client, server] { _ = Foundation.shutdown(descriptor, Int32(SHUT_RDWR)) }
        }

        /// The last of the threads closes the descriptors.
        func finish() {
            let isLast = lock.withLock {
                threads -= 1
                return threads == 0
            }
            guard isLast else { return }
            for descriptor in [client, server] { close(descriptor) }
        }
    }
}

/// Unix sockets, for tests.
enum UnixSocket {
    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw TestFailure("The path of the socket is too long: \(path).")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    static func listen(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard try withAddress(path, { bind(descriptor, $0, $1) }) == 0, Foundation.listen(descriptor, 64) == 0 else {
            throw TestFailure("The socket can't be made: \(errno).")
        }
        return descriptor
    }

    static func connect(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard try withAddress(path, { Foundation.connect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            throw TestFailure("Nobody answers at \(path): \(errno).")
        }
        return descriptor
    }

    /// Sends all bytes. The result is false if the other side doesn't take them.
    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.send(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
                    Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
