import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse: other writers, HEAD, names, comparison")
struct BrowserChangeTests {
    @Test("The mark of a store changes when another process writes, and not when pages are read")
    func mark() throws {
        let folder = try TemporaryFolder()
        let writer = try BrowserSample.Writer(in: folder, count: 2)
        let session = try BrowserSession(path: writer.path)
        let before = try session.text("/mark")
        expectContains(try session.text("/e/Item"), "data-mark=\"\(before)\"")
        try expectEqual(session.text("/mark"), before)
        try writer.add("another")
        #expect(try session.text("/mark") != before)
    }

    @Test("HEAD is answered like GET, and changes nothing")
    func head() throws {
        let session = try BrowserSession(isEditable: true)
        for path in ["/", "/e/Car", "/export/Car/csv"] {
            let response = session.browser.response(
                to: WebRequest(path, method: "HEAD", headers: session.headers))
            expectEqual(response.status, 200)
        }
        let undo = session.browser.response(to: WebRequest("/undo", method: "HEAD", headers: session.headers))
        expectEqual(undo.status, 404)
    }

    @Test("HEAD over a socket has no body, and the connection goes on")
    func headOnSocket() async throws {
        let folder = try TemporaryFolder()
        let server = try await BrowserProcess(SampleModel.makeStore(in: folder))
        for path in ["/", "/export/Car/csv"] {
            let answer = try PlainConnection.request(
                "HEAD", path, port: server.port, headers: ["Cookie": server.cookie], body: Data())
            expectEqual(answer.status, 200)
            expectEmpty(answer.body)
        }
    }

    @Test("An entity whose name has a slash has all of its pages")
    func slash() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(
            path: BrowserSongs.makeStore(in: folder, titles: ["A", "B"]), isEditable: true)
        var seen: Set<String> = []
        var rest = ["/"]
        while let path = rest.popLast() {
            guard seen.insert(path).inserted else { continue }
            let response = session.get(path)
            expectEqual(response.status, 200, "\(path)")
            guard response.headers["Content-Type"]?.hasPrefix("text/html") == true, seen.count < 200 else { continue }
            rest += BrowserSession.links(in: try session.text(path))
        }
        expectContains(seen, "/e/Play%2Flist")
        expectContains(seen, "/o/Play%2Flist/p1")
        try expectEqual(session.text("/count/Song?of=Play%2Flist%2Fp1%2Fsongs"), "2")
        expectEqual(session.post("/o/Play%2Flist/p1", [("v.title", "Night")]).status, 303)
        expectContains(try session.text("/o/Play%2Flist/p1"), "<h1><bdi>Night</bdi></h1>")
    }

    @Test("A comparison has the differences that model diff prints, and none of how the browser opens a store")
    func comparison() async throws {
        let folder = try TemporaryFolder()
        let path = try SampleModel.makeStore(in: folder)
        let other = try TemporaryFolder()
        let model = try SampleModel.write(to: other)
        let target = "/compare?with=\(PercentEncoding.encoded(model))"
        expectContains(try BrowserSession(path: path, model: model).text(target), "<ul></ul>")
        let lines = try await CommandRun("model", "diff", path, model).output.split(separator: "\n").filter {
            $0.contains("transformer")
        }
        expectEqual(lines.count, 1)
        let page = try BrowserSession(path: path).text(target)
        expectEqual(page.components(separatedBy: "<li>").count, 2)
        expectContains(page, "<li>Car.color: transformer ColorTransformer added</li>")
    }

    @Test("A store with a history is opened for changes without a warning that it is read only")
    func noWarning() async throws {
        let folder = try TemporaryFolder()
        let path = try BrowserSongs.makeStore(in: folder, titles: ["A"], hasHistory: true)
        for arguments in [[], ["--edit"]] {
            let process = Process()
            let errors = Pipe()
            let output = Pipe()
            process.executableURL = CommandRun.executable
            process.arguments = ["store", "browse", path] + arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            _ = try await BrowserProcess.line(of: output, after: "Open ")
            kill(process.processIdentifier, SIGKILL)
            let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            expectEmpty(text)
        }
    }
}
