import CoreData

/// The editor in a separate process, and a window of Chromium that shows it.
final class EditorWindow {
    let folder: TemporaryFolder
    let driver: WebDriver
    let server: BrowserProcess
    let root: String

    static let bundle = ["Music.xcdatamodeld/Music.xcdatamodel/contents": MusicSourceModel.contents]
    static let control = "\u{e009}"

    /// Runs a body in a window.
    static func open(
        _ files: [String: String] = bundle, _ name: String = "Music.xcdatamodeld", at query: String = "",
        body: (EditorWindow) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        for (path, text) in files { try folder.write(text, to: path) }
        let server = try await BrowserProcess(arguments: ["model", "edit", folder.path(name)])
        let driver = try await WebDriver()
        let window = EditorWindow(folder, driver, server)
        do {
            try await driver.show(width: 1_400, height: 900, isDark: false)
            try await driver.open(server.url)
            if !query.isEmpty { try await driver.open(window.root + "?" + query) }
            try await body(window)
        } catch {
            await driver.end()
            throw error
        }
        await driver.end()
    }

    private init(_ folder: TemporaryFolder, _ driver: WebDriver, _ server: BrowserProcess) {
        self.folder = folder
        self.driver = driver
        self.server = server
        root = String(server.url.prefix { $0 != "?" })
    }

    /// Whether a condition becomes true within a minute.
    func becomes(_ script: String) async throws -> Bool { try await !driver.value("return \(script)").isEmpty }

    /// The file of the first version.
    var contents: String {
        get throws {
            try String(contentsOf: folder.file("Music.xcdatamodeld/Music.xcdatamodel/contents"), encoding: .utf8)
        }
    }

    /// Saves by the key, and returns the file.
    func saved() async throws -> String {
        try await driver.type("s", holding: Self.control)
        guard try await becomes("document.querySelector('.state').innerText === 'Saved'") else {
            throw TestFailure("not saved")
        }
        return try contents
    }

    /// An edit of another window.
    func editElsewhere(_ command: String, revision: Int? = nil) async throws {
        let token = try await driver.value("return document.body.dataset.token")
        let headers = ["Cookie": server.cookie, "Host": "127.0.0.1:\(server.port)"]
        let state = try PlainConnection.request("GET", "/state", port: server.port, headers: headers)
        struct State: Decodable { let revision: Int }
        let seen = try revision ?? JSONDecoder().decode(State.self, from: state.body).revision
        let answer = try PlainConnection.request(
            "POST", "/edit", port: server.port,
            headers: headers.merging([
                "Origin": "http://127.0.0.1:\(server.port)", "Content-Type": "application/json", "X-Form-Token": token,
            ]) { own, _ in own },
            body: Data(#"{"revision": \#(seen), "view": "", "command": \#(command)}"#.utf8))
        guard answer.status == 200 else { throw TestFailure(String(decoding: answer.body, as: UTF8.self)) }
    }
}
