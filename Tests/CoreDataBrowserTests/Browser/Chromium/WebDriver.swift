import CoreData

/// A browser that is driven over the W3C protocol, which is JSON over HTTP.
final class WebDriver {
    /// Whether the tests in a browser run: `make test-browser` says so. They fail without Debian's packages `chromium`
    /// and `chromium-driver`.
    static let isWanted = ProcessInfo.processInfo.environment["COREDATA_BROWSER_TESTS"] != nil
    private static let executable = "/usr/bin/chromedriver"

    private let process = Process()
    /// Kept open: a driver whose output has no reader ends.
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

    /// The value of a script, once it is true in JavaScript's sense. It is asked for again until then, at most for a
    /// minute: a page that is being left or loaded has no value.
    func value(_ script: String) async throws -> String {
        let body: [String: Any] = [
            "script": "const value = (() => { \(script) })(); return value && String(value)", "args": [String](),
        ]
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let value = try? await call("POST", "/session/\(session)/execute/sync", body)
            if let text = value as? String, !text.isEmpty, text != "false" { return text }
            guard ContinuousClock.now < end else { return "" }
            // Leaves the processor to the processes of the browser.
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func click(_ selector: String) async throws {
        _ = try await value("return document.querySelector(\"\(selector)\")")
        _ = try await call("POST", "/session/\(session)/element/\(element(selector))/click", [:])
    }

    /// Types keys into the element that has the focus.
    func type(_ text: String) async throws {
        let keys = text.map(String.init).flatMap {
            [["type": "keyDown", "value": $0], ["type": "keyUp", "value": $0]]
        }
        let source: [String: Any] = ["type": "key", "id": "keyboard", "actions": keys]
        try await perform([source])
    }

    /// Does what input devices do, each in its order.
    func perform(_ sources: [[String: Any]]) async throws {
        _ = try await call("POST", "/session/\(session)/actions", ["actions": sources])
    }

    /// A command of Chromium's development tools.
    func develop(_ command: String, _ parameters: [String: Any]) async throws {
        _ = try await call(
            "POST", "/session/\(session)/goog/cdp/execute", ["cmd": command, "params": parameters])
    }

    private func element(_ selector: String) async throws -> String {
        let value = try await call(
            "POST", "/session/\(session)/element", ["using": "css selector", "value": selector])
        return (value as? [String: String])?.values.first ?? ""
    }
}
