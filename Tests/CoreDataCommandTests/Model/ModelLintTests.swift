import CoreData
import Testing

@Suite("coredata model lint")
struct ModelLintTests {
    private static func model(_ attributes: String, in folder: TemporaryFolder) throws -> String {
        let source =
            """
            <?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model>\n<entity \
            name=\"Song\">\n\(attributes)\n</entity>\n</model>
            """
        return try VersionedSample.writeModel(source, to: folder.url.appendingPathComponent("Songs.xcdatamodel"))
    }

    private static let oneWay =
        #"<relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Song"/>"#

    @Test("A valid model has no problems, and exits with 0")
    func sound() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            "model", "lint", Self.model(#"<attribute name="title" attributeType="String"/>"#, in: folder))
        expectEqual(run.output, "No problems.\n")
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
    }

    @Test("A warning is printed with file and line; only --strict makes it a failure")
    func warning() async throws {
        let folder = try TemporaryFolder()
        let path = try Self.model(Self.oneWay, in: folder)
        let run = try await CommandRun("model", "lint", path)
        expectEqual(run.status, 0)
        expectEqual(run.lines.count, 1)
        expectEqual(
            run.lines.first?.contains("Songs.xcdatamodel/contents:4: warning: Song.next should have an inverse"), true
        )
        let strict = try await CommandRun("model", "lint", path, "--strict")
        expectEqual(strict.status, 1)
        expectEqual(strict.output, run.output)
    }

    @Test("An error exits with 1")
    func error() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            "model", "lint", Self.model(#"<attribute name="length" optional="YES"/>"#, in: folder))
        expectEqual(
            run.lines.first?.contains("Songs.xcdatamodel/contents:4: error: Song.length must have a defined type"),
            true)
        expectEqual(run.status, 1)
    }

    @Test("--format json has entity, key and line")
    func json() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "lint", Self.model(Self.oneWay, in: folder), "--format", "json")
        let findings = try requireValue(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        expectEqual(findings.count, 1)
        #expect(findings.first?["severity"] as? String == "warning")
        #expect(findings.first?["entity"] as? String == "Song")
        #expect(findings.first?["key"] as? String == "next")
        expectEqual((findings.first?["line"] as? NSNumber)?.intValue, 4)
    }

    @Test("The current version of a bundle, and the cached model of a store, are checked")
    func otherForms() async throws {
        let folder = try TemporaryFolder()
        try await expectEqual(
            CommandRun("model", "lint", VersionedSample.write(to: folder), "--version", "Cars").status, 0)
        try await expectEqual(CommandRun("model", "lint", SampleModel.makeStore(in: folder)).status, 0)
        let missing = try await CommandRun("model", "lint", folder.path("nothing.momd"))
        expectEqual(missing.status, 1)
        expectContains(missing.errors, "nothing.momd")
    }
}
