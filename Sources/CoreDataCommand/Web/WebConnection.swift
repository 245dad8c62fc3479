// SPDX-License-Identifier: Apache-2.0

import FlyingSocks
import OpenCoreData

/// One connection: HTTP/1.1 requests, one after the other. It keeps a bounded part of each request.
struct WebConnection {
    private let socket: AsyncSocket
    private let responder: WebResponder
    private var received = Data()

    /// The bytes of a request's line and headers.
    private static let headLimit = 65_536
    /// The bytes of a request's body.
    fileprivate static let bodyLimit = 8 << 20
    /// How much of a refused request is read, so that the other side can read the refusal.
    private static let refusedLimit = 64 << 20

    init(socket: AsyncSocket, responder: WebResponder) {
        self.socket = socket
        self.responder = responder
    }

    /// Answers requests until one side closes.
    consuming func serve() async {
        var connection = self
        do {
            while try await connection.serveNext() {}
        } catch {
            // The other side is gone.
        }
        try? connection.socket.close()
    }

    /// Answers one request. Returns whether another one may follow.
    private mutating func serveNext() async throws -> Bool {
        do {
            guard let head = try await readHead() else { return false }
            let request = head.request(body: try await readBody(head.bodyLength))
            let response = await response(to: request)
            try await send(response, isHead: request.method == "HEAD", keepsOpen: head.keepsOpen)
            return head.keepsOpen
        } catch let refusal as Refusal {
            var response = WebResponse(status: refusal.status, text: refusal.text)
            response.headers.merge(WebSecurity.headers(allowsEditing: false)) { own, _ in own }
            try await send(response, isHead: false, keepsOpen: false)
            var rest = Self.refusedLimit
            while rest > 0 { rest -= try await socket.read(atMost: 65_536).count }
            return false
        }
    }

    /// The answer to a request. A search for the answer ends when the other side closes the connection.
    private mutating func response(to request: WebRequest) async -> WebResponse {
        guard responder.pages.pace(of: request) != .page else { return await responder.response(to: request) }
        let (socket, responder) = (socket, responder)
        let watch = Task {
            do {
                return try await socket.read(atMost: 4_096)
            } catch {
                if !(error is CancellationError) { request.control.cancel() }
                return []
            }
        }
        let response = await responder.response(to: request)
        watch.cancel()
        // The beginning of the next request.
        received += await watch.value
        return response
    }

    // MARK: Reading

    /// The answer to a request that no page sees. The connection ends with it.
    struct Refusal: Error {
        let status: Int
        let text: String
    }

    /// The next head; nil if the other side has closed before it.
    private mutating func readHead() async throws -> WebRequestHead? {
        let end = Data("\r\n\r\n".utf8)
        var searched = 0
        while true {
            if let range = received.range(of: end, in: max(0, searched - 3)..<received.count) {
                let head = try WebRequestHead(String(decoding: received[..<range.lowerBound], as: UTF8.self))
                received = Data(received[range.upperBound...])
                return head
            }
            searched = received.count
            guard searched <= Self.headLimit else {
                throw Refusal(status: 431, text: "The headers of the request are too large.")
            }
            do {
                received += try await socket.read(atMost: 4_096)
            } catch SocketError.disconnected where received.isEmpty {
                return nil
            }
        }
    }

    private mutating func readBody(_ length: Int) async throws -> Data {
        while received.count < length { received += try await socket.read(atMost: 4_096) }
        defer { received = Data(received.dropFirst(length)) }
        return Data(received.prefix(length))
    }

    // MARK: Writing

    private func send(_ response: WebResponse, isHead: Bool, keepsOpen: Bool) async throws {
        var headers = response.headers
        headers["Connection"] = keepsOpen ? "keep-alive" : "close"
        switch response.body {
        case .data where response.status == 204: break
        case .data(let data): headers["Content-Length"] = String(data.count)
        case .parts: headers["Transfer-Encoding"] = "chunked"
        }
        var head = "HTTP/1.1 \(response.status) \(Self.phrases[response.status] ?? "Status")\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(Self.line(value))\r\n" }
        head += "\r\n"
        switch response.body {
        case .data(let data):
            try await socket.write(Data(head.utf8) + (isHead ? Data() : data))
        case .parts(let next):
            try await socket.write(Data(head.utf8))
            if isHead { return }
            while let part = try await responder.part(next) {
                guard !part.isEmpty else { continue }
                try await socket.write(Data("\(String(part.count, radix: 16))\r\n".utf8) + part + Data("\r\n".utf8))
            }
            try await socket.write(Data("0\r\n\r\n".utf8))
        }
    }

    /// A header's value without the characters that end it.
    private static func line(_ value: String) -> String {
        String(String.UnicodeScalarView(value.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
    }

    private static let phrases = [
        200: "OK", 303: "See Other", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        409: "Conflict", 411: "Length Required", 413: "Content Too Large", 422: "Unprocessable Content",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 505: "HTTP Version Not Supported",
    ]
}

/// The request line and the headers of a request.
struct WebRequestHead {
    let method: String
    let target: String
    /// The headers by their names in lower case. Headers with one name are joined by commas.
    private(set) var headers: [String: String] = [:]
    let bodyLength: Int
    let keepsOpen: Bool

    /// - Throws: `WebConnection.Refusal`.
    init(_ text: String) throws {
        func refusal(_ status: Int, _ text: String) -> WebConnection.Refusal {
            WebConnection.Refusal(status: status, text: text)
        }
        let lines = text.components(separatedBy: "\r\n")
        let parts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, parts[2].hasPrefix("HTTP/") else {
            throw refusal(400, "The request is no HTTP request.")
        }
        guard parts[2].hasPrefix("HTTP/1.1") else {
            throw refusal(505, "The browser needs HTTP/1.1.")
        }
        method = String(parts[0])
        target = String(parts[1])
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                !line[..<colon].contains(where: \.isWhitespace)
            else { throw refusal(400, "A header of the request is broken.") }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers[line[..<colon].lowercased(), default: ""] +=
                headers[line[..<colon].lowercased()] == nil
                ? value : ", \(value)"
        }
        guard headers["transfer-encoding"] == nil else {
            throw refusal(411, "The body of the request needs a Content-Length.")
        }
        let length = headers["content-length"] ?? "0"
        guard !length.isEmpty, length.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw refusal(400, "The Content-Length of the request is no number.")
        }
        bodyLength = Int(length) ?? .max
        guard bodyLength <= WebConnection.bodyLimit else {
            throw refusal(413, "The body of the request is too large.")
        }
        keepsOpen = headers["connection"]?.lowercased() != "close"
    }

    func request(body: Data) -> WebRequest {
        WebRequest(target, method: method, headers: headers, body: String(decoding: body, as: UTF8.self))
    }
}
