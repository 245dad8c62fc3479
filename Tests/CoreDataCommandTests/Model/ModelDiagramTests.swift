import CoreData
import Testing

@Suite("coredata model diagram")
struct ModelDiagramTests {
    @Test("SVG has the names of all entities, attributes and relationships")
    func svg() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "diagram", SampleModel.write(to: folder))
        expectEqual(run.errors, "")
        expectTrue(run.output.hasPrefix("<svg xmlns="))
        expectEqual(run.output.components(separatedBy: "<g class=\"entity\">").count, 5)
        for text in [
            ">Car<", ">numberPlate<", ">String<", ">String?<", ">owner<", ">Person 0..1<", ">: SportCar<",
            "Car.owner – Person.cars",
        ] {
            expectContains(run.output, text, "no \(text)")
        }
        expectTrue(Self.isSound(run.output))
    }

    @Test("Mermaid has entities, attributes, crow's feet and inheritance")
    func mermaid() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "diagram", SampleModel.write(to: folder), "--format", "mermaid")
        expectEqual(run.lines.first, "erDiagram")
        for line in [
            "  \"Car\" {", "    String numberPlate \"required\"",
            "    Integer64 currentDrivingSpeed \"Integer 64, optional, transient\"",
            "  \"Car\" }o--o| \"Person\" : \"owner – cars\"", "  \"Car\" ||..|| \"SportCar\" : inherits",
        ] {
            expectContains(run.lines, line, "no \(line)")
        }
    }

    @Test("--output writes a file, whose extension selects the format, and doesn't overwrite")
    func output() async throws {
        let folder = try TemporaryFolder()
        let model = try SampleModel.write(to: folder)
        for name in ["cars.svg", "cars.mmd"] {
            let run = try await CommandRun("model", "diagram", model, "--output", folder.path(name))
            expectEqual(run.output, "")
            expectEqual(run.errors, "")
            let text = try String(contentsOfFile: folder.path(name), encoding: .utf8)
            expectTrue(text.hasPrefix(name.hasSuffix("svg") ? "<svg" : "erDiagram"))
        }
        let refused = try await CommandRun("model", "diagram", model, "--output", folder.path("cars.svg"))
        expectEqual(refused.status, 1)
        expectContains(refused.errors, "--force")
        try await expectEqual(
            CommandRun("model", "diagram", model, "--output", folder.path("cars.svg"), "--force").status, 0)
    }

    @Test("Names with markup or control characters, and very long names, are safe", arguments: ["svg", "mermaid"])
    func hostileNames(format: String) async throws {
        let folder = try TemporaryFolder()
        let path = try VersionedSample.writeModel(
            VersionedSample.hostile, to: folder.url.appendingPathComponent("Hostile.xcdatamodel"))
        let run = try await CommandRun("model", "diagram", path, "--format", format)
        expectEqual(run.status, 0)
        #expect(!run.output.contains("<script"))
        #expect(!run.output.unicodeScalars.contains { $0 == "\u{9b}" || $0 == "\u{202e}" })
        if format == "svg" {
            expectTrue(Self.isSound(run.output))
        } else {
            // Quoted text contains no quotes.
            for line in run.lines {
                expectEqual(line.filter { $0 == "\"" }.count % 2, 0)
                #expect(!line.contains("%%"))
            }
        }
    }

    @Test("An empty model gives an empty diagram", arguments: ["svg", "mermaid"])
    func empty(format: String) async throws {
        let folder = try TemporaryFolder()
        let path = try VersionedSample.writeModel(
            "<model/>", to: folder.url.appendingPathComponent("Empty.xcdatamodel"))
        let run = try await CommandRun("model", "diagram", path, "--format", format)
        expectEqual(run.status, 0)
        expectEqual(run.errors, "")
    }

    @Test("Too many entities for an image are an error with a remedy")
    func tooMany() async throws {
        let folder = try TemporaryFolder()
        let entities = (0...1_000).map { "<entity name=\"E\($0)\"/>" }.joined()
        let path = try VersionedSample.writeModel(
            "<model>\(entities)</model>", to: folder.url.appendingPathComponent("Many.xcdatamodel"))
        let run = try await CommandRun("model", "diagram", path)
        expectEqual(run.status, 1)
        expectContains(run.errors, "1001 entities")
        expectContains(run.errors, "--format mermaid")
    }

    /// Whether the elements are nested correctly, and each `<` begins an element.
    private static func isSound(_ text: String) -> Bool {
        var open: [Substring] = []
        for part in text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1) {
            guard let end = part.firstIndex(of: ">") else { return false }
            let tag = part[..<end]
            let name = tag.prefix { !" /".contains($0) || $0 == "/" && tag.first == "/" }
            if tag.hasPrefix("/") {
                guard open.popLast() == tag.dropFirst() else { return false }
            } else if !tag.hasSuffix("/") {
                open.append(name)
            }
        }
        return open.isEmpty
    }
}
