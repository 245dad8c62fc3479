import CoreData

/// A browser that is driven over the W3C protocol, which is JSON over HTTP.
final class WebDriver {
    /// Whether the tests in a browser run: `make test-browser` says so. They fail without Debian's packages `chromium`
    /// and `chromium-driver`.
    static let isWanted = ProcessInfo.processInfo.environment["COREDATA_BROWSER_TESTS"] != nil
    private static let executable = "/usr/bin/chromedriver"

    private let process = Process()
    /// Kept open: a driver whose output nobody can read ends.
    private let output = Pipe()
    private let port: Int
    private var session = ""

    init() async throws {
        process.executableURL = URL(fileURLWithPath: Self.executable)
        process.arguments = ["--port=0"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = try await BrowserProcess.line(of: output, after: "started successfully on port ")
        port = Int(line.prefix { $0.isNumber }) ?? 0
        let options = ["args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"]]
        let value = try await call(
            "POST", "/session", ["capabilities": ["alwaysMatch": ["goog:chromeOptions": options]]])
        session = (value as? [String: Any])?["sessionId"] as? String ?? ""
    }

    /// Ends the browser, then its driver.
    func end() async {
        _ = try? await call("DELETE", "/session/\(session)")
        // Under a test runner it outlives SIGTERM.
        kill(process.processIdentifier, SIGKILL)
    }

    // FoundationNetworking refuses the driver's headers, which have no space after the colon.
    private func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> Any? {
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let answer = try PlainConnection.request(
            method, path, port: port, headers: ["Content-Type": "application/json"], body: data)
        let value = (try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])?["value"]
        guard answer.status == 200 else {
            throw TestFailure("\(method) \(path): \(String(decoding: answer.body.prefix(300), as: UTF8.self))")
        }
        return value
    }

    func open(_ url: String) async throws { _ = try await call("POST", "/session/\(session)/url", ["url": url]) }

    /// The value of a script. It waits until the script's condition is true, at most ten seconds.
    func value(_ script: String) async throws -> String {
        let text = """
            const done = arguments[arguments.length - 1], end = Date.now() + 10000;
            (function look() {
              let value; try { value = (() => { \(script) })(); } catch { }
              if (value || Date.now() > end) done(String(value)); else setTimeout(look, 20);
            })();
            """
        return try await call("POST", "/session/\(session)/execute/async", ["script": text, "args": [String]()])
            as? String ?? ""
    }

    func click(_ selector: String) async throws {
        _ = try await call("POST", "/session/\(session)/element/\(element(selector))/click", [:])
    }

    /// Types keys into the element that has the focus.
    func type(_ text: String) async throws {
        let keys = text.map(String.init).flatMap {
            [["type": "keyDown", "value": $0], ["type": "keyUp", "value": $0]]
        }
        let source: [String: Any] = ["type": "key", "id": "keyboard", "actions": keys]
        _ = try await call("POST", "/session/\(session)/actions", ["actions": [source]])
    }

    private func element(_ selector: String) async throws -> String {
        let value = try await call(
            "POST", "/session/\(session)/element", ["using": "css selector", "value": selector])
        return (value as? [String: String])?.values.first ?? ""
    }
}
