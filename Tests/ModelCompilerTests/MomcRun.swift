import CoreDataModel
import TestSupport

/// One run of the built `momc` in a process.
struct MomcRun {
    let status: Int32
    let output: String
    let errors: String

    var messages: [String] { errors.split(separator: "\n").map(String.init) }

    init(_ arguments: String...) async throws { try await self.init(arguments: arguments) }

    /// Runs the tool and waits for its end.
    init(arguments: [String]) async throws {
        let run = try await ToolRun(ToolRun.product("momc"), arguments)
        (status, output, errors) = (run.status, run.output, run.errors)
    }
}

/// A temporary folder for one test, with its models. It is removed with the last reference.
final class ToolFolder {
    let root: URL

    init() throws {
        root =
            FileManager.default.temporaryDirectory.appendingPathComponent("momc tests " + UUID().uuidString)
            .standardizedFileURL
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    func path(_ path: String) -> String { url(path).path }

    func write(_ text: String, to path: String) throws {
        try FileManager.default.createDirectory(
            at: url(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url(path))
    }

    /// Writes `NAME.xcdatamodel` with the given elements, each on one line, beginning with line 2.
    func writeModel(_ elements: String = ToolFolder.songs, to path: String = "Music.xcdatamodel") throws {
        try write("<model userDefinedModelVersionIdentifier=\"\">\n\(elements)\n</model>", to: path + "/contents")
    }

    /// Writes `Music.xcdatamodeld` with the versions `Music` and `Music 2`, which is current.
    func writeBundle(first: String = ToolFolder.songs, second: String = ToolFolder.songs + ToolFolder.album) throws {
        try writeModel(first, to: "Music.xcdatamodeld/Music.xcdatamodel")
        try writeModel(second, to: "Music.xcdatamodeld/Music 2.xcdatamodel")
        try Data(SourceModelBundle.currentVersionData("Music 2")).write(to: url("Music.xcdatamodeld/.xccurrentversion"))
    }

    /// The names in a folder, including hidden files: no temporary file may remain.
    func names(_ path: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(path).path).sorted()
    }

    static let songs = """
        <entity name="Song" representedClassName="Song" codeGenerationType="class"><attribute name="title" \
        attributeType="String"/></entity>
        """
    static let album = """
        <entity name="Album" representedClassName=".Album" codeGenerationType="category"><attribute name="title" \
        attributeType="String"/></entity>
        """
}
