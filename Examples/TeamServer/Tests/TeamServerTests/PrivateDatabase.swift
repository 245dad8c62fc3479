import CoreData

/// A PostgreSQL server that a test stops and starts again. It is removed with its last reference.
final class PrivateDatabase: Sendable {
    struct Failure: Error {}

    let url: String
    private let folder: URL

    init() async throws {
        // The path of a socket is short.
        folder = URL(fileURLWithPath: "/tmp/team-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = try await Self.run("start", folder)
    }

    deinit {
        _ = try? Self.wait("stop", folder)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts or stops the server.
    func run(_ command: String) async throws { _ = try await Self.run(command, folder) }

    private static func run(_ command: String, _ folder: URL) async throws -> String {
        try await Connection.onThread { try wait(command, folder) }
    }

    private static func wait(_ command: String, _ folder: URL) throws -> String {
        let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let output = folder.appendingPathComponent("output").path
        // `Process` would wait for the server, too, which inherits its descriptors.
        let words = [
            "sh", "-c", #"exec "$@" >"$0""#, output, root.appendingPathComponent("Scripts/postgresql-server.sh").path,
            command, folder.path,
        ]
        var copies: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var process = pid_t()
        guard posix_spawn(&process, "/bin/sh", nil, nil, &copies, environ) == 0 else { throw Failure() }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { throw Failure() } }
        guard status == 0 else { throw Failure() }
        return try String(contentsOfFile: output, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
