import CoreData
import Testing

@Suite("coredata model show")
struct ModelShowTests {
    @Test("--versions lists the versions of a bundle, the current one marked")
    func versions() async throws {
        let folder = try TemporaryFolder()
        let path = try VersionedSample.write(to: folder)
        let run = try await CommandRun("model", "show", path, "--versions")
        expectEqual(run.errors, "")
        expectEqual(run.lines.count, 2)
        expectTrue(run.lines[0].hasPrefix("Cars    "))
        #expect(!run.lines[0].contains("current"))
        expectTrue(run.lines[1].hasPrefix("Cars 2  "))
        expectTrue(run.lines[1].hasSuffix("  current"))
    }

    @Test("The current version of a bundle is printed, or the version of --version")
    func version() async throws {
        let folder = try TemporaryFolder()
        let path = try VersionedSample.write(to: folder)
        let current = try await CommandRun("model", "show", path)
        expectEqual(current.lines.first, "Version: Cars 2 (current, one of 2)")
        expectContains(current.lines, "Human")
        let first = try await CommandRun("model", "show", path, "--version", "Cars")
        expectEqual(first.lines.first, "Version: Cars (one of 2)")
        expectContains(first.lines, "Person")
    }

    @Test("An unknown version is an error with the list of versions")
    func unknownVersion() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "show", VersionedSample.write(to: folder), "--version", "Cars 3")
        expectEqual(run.status, 1)
        expectContains(run.errors, "no version 'Cars 3'. It has: Cars, Cars 2.")
    }

    @Test("--versions of a single model is an error with a remedy")
    func noVersions() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "show", SampleModel.write(to: folder), "--versions")
        expectEqual(run.status, 1)
        expectContains(run.errors, "Use a bundle")
    }

    @Test("--format json has entities, properties and hashes, equal for source and compiled model")
    func json() async throws {
        let folder = try TemporaryFolder()
        let path = try SampleModel.write(to: folder)
        let run = try await CommandRun("model", "show", path, "--format", "json")
        let model = try requireValue(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let entities = try requireValue(model["entities"] as? [[String: Any]])
        expectEqual(entities.map { $0["name"] as? String }, ["Car", "ExpensiveSportCar", "Person", "SportCar"])
        expectEqual(entities.map { "\($0["name"] ?? "") \($0["hash"] ?? "")" }, SampleModel.hashes)
        #expect(entities[0]["constraints"] as? [[String]] == [["numberPlate"]])
        #expect(entities[1]["parent"] as? String == "SportCar")
        let attributes = try requireValue(entities[0]["attributes"] as? [[String: Any]])
        expectEqual(attributes.map { $0["name"] as? String }.first, "color")
        #expect(attributes.first?["transformer"] as? String == "ColorTransformer")
        let relationships = try requireValue(entities[2]["relationships"] as? [[String: Any]])
        #expect(relationships.first?["destination"] as? String == "Car")
        #expect(relationships.first?["toMany"] as? Bool == true)
        try await expectEqual(CommandRun("model", "show", path, "--format", "json").output, run.output)
    }

    @Test("The tree has limits, composites, derivations, indexes, templates, configurations and user info")
    func complete() async throws {
        let folder = try TemporaryFolder()
        let source = """
            <?xml version="1.0" encoding="UTF-8"?>
            <model userDefinedModelVersionIdentifier="v7">
                <entity name="Base" representedClassName="Base" isAbstract="YES" versionHashModifier="2" \
            codeGenerationType="class" coreSpotlightDisplayNameExpression="age">
                    <attribute name="age" attributeType="Integer 16" minValueString="0" maxValueString="150" \
            spotlightIndexingEnabled="YES"/>
                    <attribute name="place" optional="YES" attributeType="Composite" composite="Location"/>
                    <attribute name="total" optional="YES" attributeType="Integer 64" derived="YES" \
            derivationExpression="parts.@count"/>
                    <relationship name="parts" toMany="YES" minCount="1" maxCount="20" destinationEntity="Base" \
            versionHashModifier="m"/>
                    <fetchIndex name="byAge"><fetchIndexElement property="age" type="Binary" \
            order="descending"/></fetchIndex>
                    <userInfo><entry key="color" value="blue"/></userInfo>
                </entity>
                <fetchRequest name="Old" entity="Base" predicateString="age &gt; $AGE" fetchLimit="10"/>
                <configuration name="Cloud"><memberEntity name="Base"/></configuration>
                <composite name="Location"><attribute name="latitude" optional="YES" \
            attributeType="Double"/></composite>
            </model>
            """
        let path = try VersionedSample.writeModel(source, to: folder.url.appendingPathComponent("M.xcdatamodel"))
        let output = try await CommandRun("model", "show", path).output
        for text in [
            "Version identifiers: v7", "Checksum: ", "Base (abstract)", "hash modifier 2", "code generation class",
            "Spotlight display name age",
            "required, indexed by Spotlight, valid if SELF >= 0, valid if SELF <= 150", "Composite Location",
            "of (latitude Double)", "derived from parts.@count", "count 1...20, hash modifier m",
            "byAge  (age descending)", "color  blue",
            "Old: Base, where age > $AGE, limit 10", "Cloud: Base",
        ] {
            expectContains(output, text, "no '\(text)' in:\n\(output)")
        }
    }

    @Test("Control characters in names are made visible", arguments: ["tree", "json"])
    func hostileNames(format: String) async throws {
        let folder = try TemporaryFolder()
        let path = try VersionedSample.writeModel(
            VersionedSample.hostile, to: folder.url.appendingPathComponent("Hostile.xcdatamodel"))
        let run = try await CommandRun("model", "show", path, "--format", format)
        expectEqual(run.status, 0)
        #expect(!run.output.unicodeScalars.contains { $0 == "\u{9b}" || $0 == "\u{202e}" || $0 == "\u{1b}" })
        if format == "json" { _ = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) }
    }
}
