import CoreData
import FoundationNetworking
import Testing

/// `coredata store browse` in a process.
final class BrowserProcess {
    let url: String
    private let process = Process()
    private let output = Pipe()

    convenience init(_ store: String, _ arguments: String...) async throws {
        try await self.init(arguments: ["store", "browse", store] + arguments)
    }

    init(arguments: [String]) async throws {
        process.executableURL = CommandRun.executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        url = try await Self.line(of: output, after: "Open ")
    }

    // Under a test runner a process outlives SIGTERM.
    deinit { kill(process.processIdentifier, SIGKILL) }

    var port: Int { URL(string: url)?.port ?? 0 }

    /// The header that lets requests pass.
    var cookie: String { "coredata-\(port)=" + (url.components(separatedBy: "token=").last ?? "") }

    var isRunning: Bool { process.isRunning }

    /// Ends the process as Control-C does, and returns its status; nil if it goes on for ten seconds.
    func interrupt() async -> Int32? {
        process.interrupt()
        let end = ContinuousClock.now + .seconds(10)
        while process.isRunning, ContinuousClock.now < end { await Task.yield() }
        return process.isRunning ? nil : process.terminationStatus
    }

    /// The rest of the line that begins so.
    static func line(of pipe: Pipe, after start: String) async throws -> String {
        var text = ""
        while let data = try pipe.fileHandleForReading.read(upToCount: 1), !data.isEmpty {
            text += String(decoding: data, as: UTF8.self)
            if let first = text.range(of: start),
                let end = text.range(of: "\n", range: first.upperBound..<text.endIndex)
            {
                return String(text[first.upperBound..<end.lowerBound])
            }
        }
        throw CocoaError(.fileReadUnknown)
    }
}

@Suite("coredata store browse: server")
struct BrowserServerTests {
    @Test("The printed URL leads to the first page, another client sees nothing, and many connections are answered")
    func server() async throws {
        let folder = try TemporaryFolder()
        let server = try await BrowserProcess(SampleModel.makeStore(in: folder))
        let session = URLSession(configuration: .ephemeral)
        let (page, _) = try await session.data(from: requireValue(URL(string: server.url)))
        expectContains(String(decoding: page, as: UTF8.self), "<h1>Entities</h1>")
        let root = try requireValue(URL(string: String(server.url.prefix { $0 != "?" })))
        let stranger = URLSession(configuration: .ephemeral)
        let (_, refusal) = try await stranger.data(from: root)
        expectEqual((refusal as? HTTPURLResponse)?.statusCode, 403)
        let (csv, _) = try await session.data(from: root.appendingPathComponent("export/Car/csv"))
        expectContains(String(decoding: csv, as: UTF8.self), "Borgward")
        let answers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let (_, response) = try await session.data(from: root.appendingPathComponent("e/Car"))
                    return (response as? HTTPURLResponse)?.statusCode ?? 0
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        expectEqual(answers, [200])
        expectTrue(server.isRunning)
    }

    @Test("Control-C closes the store, beside which nothing remains", arguments: ["--edit", "--port=0"])
    func interrupt(option: String) async throws {
        let folder = try TemporaryFolder()
        let path = try SampleModel.makeStore(in: folder)
        let store = URL(fileURLWithPath: path).deletingLastPathComponent()
        let before = try TemporaryFolder.contents(of: store)
        let server = try await BrowserProcess(path, option)
        let (page, _) = try await URLSession(configuration: .ephemeral).data(
            from: requireValue(URL(string: server.url)))
        #expect(!page.isEmpty)
        await expectEqual(server.interrupt(), 0)
        try expectEqual(TemporaryFolder.contents(of: store), before)
    }

    @Test("A thousand connections at once are all answered")
    func connections() async throws {
        let folder = try TemporaryFolder()
        let server = try await BrowserProcess(SampleModel.makeStore(in: folder))
        // All are open before the first one asks.
        let connections = try (0..<1_000).map { _ in try PlainConnection(port: server.port) }
        let head = "GET /style.css HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nCookie: \(server.cookie)\r\n\r\n"
        for connection in connections { connection.send(Data(head.utf8)) }
        var statuses: [Int: Int] = [:]
        for connection in connections { statuses[try connection.answer().status, default: 0] += 1 }
        expectEqual(statuses, [200: 1_000])
        expectTrue(server.isRunning)
    }

    @Test("Pages come while searches run, and a search ends when its connection is closed")
    func searches() async throws {
        let folder = try TemporaryFolder()
        let server = try await BrowserProcess(SampleModel.makeStore(in: folder, carCount: 1_000))
        func ask(_ target: String) throws -> PlainConnection {
            let connection = try PlainConnection(port: server.port)
            let head = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nCookie: \(server.cookie)\r\n\r\n"
            connection.send(Data(head.utf8))
            return connection
        }
        func search(_ predicate: String) throws -> PlainConnection {
            try ask("/e/Car?p=\(predicate.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")")
        }
        let endless = """
            SUBQUERY(owner.cars, $a, SUBQUERY($a.owner.cars, $b, SUBQUERY($b.owner.cars, $c, \
            $c.maker == 'none').@count > 1).@count > 1).@count > 1
            """
        // More than run at once.
        var running = try (0..<10).map { _ in try search(endless) }
        try expectEqual(ask("/").answer().status, 200)
        expectEqual(running.count, 10)
        running.removeAll()
        try expectEqual(search("maker == 'Alfa'").answer().status, 200)
    }

    @Test("Large headers, a large body and broken requests are refused, and the next page comes")
    func largeRequests() async throws {
        let folder = try TemporaryFolder()
        let server = try await BrowserProcess(SampleModel.makeStore(in: folder), "--edit")
        func page() throws -> Int {
            try PlainConnection.request("GET", "/", port: server.port, headers: ["Cookie": server.cookie]).status
        }
        let connection = try PlainConnection(port: server.port)
        let line = "X-Long: \(String(repeating: "x", count: 20 << 20))\r\n"
        connection.send(Data("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(line)\r\n".utf8))
        try expectEqual(connection.answer().status, 431)
        // A header below the limit is read, one beyond it isn't.
        for (length, status) in [(60_000, 200), (70_000, 431)] {
            let headers = ["Cookie": server.cookie, "X-Long": String(repeating: "x", count: length)]
            let answer = try PlainConnection.request("GET", "/", port: server.port, headers: headers)
            expectEqual(answer.status, status, "\(length) bytes")
        }
        let body = try PlainConnection(port: server.port)
        body.send(Data("POST /undo HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n".utf8))
        try expectEqual(body.answer().status, 413)
        for text in [
            "\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        ] {
            let broken = try PlainConnection(port: server.port)
            broken.send(Data(text.utf8))
            try expectEqual(broken.answer().status, 400)
        }
        let target = "/e/" + String(repeating: "a", count: 1 << 20)
        let answer = try PlainConnection.request("GET", target, port: server.port, headers: ["Cookie": server.cookie])
        expectEqual(answer.status, 431)
        try expectEqual(page(), 200)
        expectTrue(server.isRunning)
    }

    @Test("Requests with another host or from another origin are refused, and change nothing")
    func strangers() async throws {
        let folder = try TemporaryFolder()
        let server = try await BrowserProcess(SampleModel.makeStore(in: folder), "--edit")
        func status(_ method: String, _ path: String, _ headers: [String: String]) throws -> Int {
            let all = headers.merging(["Cookie": server.cookie]) { own, _ in own }
            return try PlainConnection.request(method, path, port: server.port, headers: all).status
        }
        try expectEqual(status("GET", "/", ["Host": "attacker.example"]), 403)
        try expectEqual(status("GET", "/", ["Host": "attacker.example:\(server.port)"]), 403)
        try expectEqual(status("GET", "/", ["Cookie": "coredata-\(server.port)=0"]), 403)
        try expectEqual(status("POST", "/undo", ["Origin": "http://attacker.example"]), 403)
        try expectEqual(status("POST", "/undo", ["Origin": "http://127.0.0.1:\(server.port)"]), 403)
        try expectEqual(status("OPTIONS", "/", ["Origin": "http://attacker.example"]), 405)
        try expectEqual(status("GET", "/", [:]), 200)
    }
}
