import Foundation
import TestSupport

@testable import CoreDataPostgreSQL

/// A server of a test's own, in a temporary folder: see Scripts/postgresql-server.sh.
final class PrivateServer {
    enum StopMode: String {
        /// Ends the connections, and the server after them.
        case fast
        /// Ends all processes at once, as a crash does.
        case immediate
    }

    private let folder: TemporaryFolder
    /// The server, with the rights of its administrator.
    private(set) var url = URL(fileURLWithPath: "/")

    init() throws {
        folder = try TemporaryFolder()
        try start()
    }

    /// Makes a replica of a server.
    init(replicaOf server: PrivateServer) throws {
        folder = try TemporaryFolder()
        url = try url(ofServerStartedBy: "standby", folder.url.path, server.folder.url.path)
    }

    deinit { try? stop(.immediate) }

    func start() throws { url = try url(ofServerStartedBy: "start", folder.url.path) }

    private func url(ofServerStartedBy arguments: String...) throws -> URL {
        let text = try run(arguments).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let url = URL(string: text) else { throw TestFailure("The server has no URL: \(text)") }
        return url
    }

    /// Makes a replica an independent server.
    func promote() throws { _ = try run(["promote", folder.url.path]) }

    /// The folder of the socket, as the host of a URL.
    var host: String { folder.url.path }

    /// A connection, to a replica too.
    func connect() throws -> PostgreSQLConnection {
        try PostgreSQLConnection(PostgreSQLLocation(url: url("target_session_attrs=any")))
    }

    /// Executes statements one by one.
    func execute(_ texts: String...) throws {
        let connection = try connect()
        defer { connection.close() }
        for text in texts { try connection.executeScript(text) }
    }

    func stop(_ mode: StopMode) throws { _ = try run(["stop", folder.url.path, mode.rawValue]) }

    /// The URL with further items.
    func url(_ items: String) -> URL { URL(string: "\(url.absoluteString)&\(items)") ?? url }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Scripts/postgresql-server.sh")

    /// Runs the script. `Process` would wait for the server, too, which inherits its descriptors.
    private func run(_ arguments: [String]) throws -> String {
        let output = try TemporaryFolder()
        let words = ["sh", "-c", #"exec "$@" >"$0""#, output.path("output"), Self.script.path] + arguments
        var copies: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var process = pid_t()
        guard posix_spawn(&process, "/bin/sh", nil, nil, &copies, environ) == 0 else {
            throw TestFailure("The script can't be started.")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw TestFailure("The script has no status: \(errno).") }
        }
        guard status == 0 else { throw TestFailure("\(words.joined(separator: " ")) failed: \(status)") }
        return try String(contentsOf: output.file("output"), encoding: .utf8)
    }
}
