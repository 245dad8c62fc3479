import CoreDataModel
import Testing

@Suite("Routes of migrations")
struct MigrationRouteTests {
    private static func song(_ attributes: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><model><entity name=\"Song\">"
            + "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>\(attributes)</entity></model>"
    }

    private static func length(_ type: String) -> String {
        song("<attribute name=\"length\" optional=\"YES\" attributeType=\"\(type)\"/>")
    }

    /// Four versions. The type of `length` changes from the first to the last by way of the third, which lacks it.
    private func versions(in folder: TemporaryFolder) throws -> [ModelVersion] {
        let texts = [
            Self.length("String"), Self.length("Boolean"), Self.song(""), Self.length("Date"),
        ]
        for (index, text) in texts.enumerated() {
            try folder.write(text, to: "Music.xcdatamodeld/Music \(index + 1).xcdatamodel/contents")
        }
        try folder.write(
            """
            <plist version="1.0"><dict>\
            <key>_XCCurrentVersionName</key><string>Music 4.xcdatamodel</string></dict></plist>
            """, to: "Music.xcdatamodeld/.xccurrentversion")
        return try ModelVersion.versions(at: folder.file("Music.xcdatamodeld"))
    }

    @Test("a bundle has its versions in order, with their hashes, and names the current one")
    func versions() throws {
        let folder = try TemporaryFolder()
        let versions = try versions(in: folder)
        #expect(versions.map(\.name) == ["Music 1", "Music 2", "Music 3", "Music 4"])
        #expect(versions.map(\.isCurrent) == [false, false, false, true])
        #expect(versions[0].text == "version “Music 1” of Music.xcdatamodeld")
        for version in versions {
            try #expect(version.versionHashes == version.model().entityVersionHashesByName)
        }
    }

    @Test("one inferred step is lightweight")
    func lightweight() throws {
        let folder = try TemporaryFolder()
        let versions = try versions(in: folder)
        let route = try #require(
            MigrationRoute.shortest(from: versions[0].model(), to: versions[2].model(), through: versions))
        #expect(route.isLightweight)
        #expect(route.text() == "to the model (inferred)")
    }

    @Test("the shortest route passes the version that both sides can be inferred with")
    func twoSteps() throws {
        let folder = try TemporaryFolder()
        let versions = try versions(in: folder)
        let route = try #require(
            MigrationRoute.shortest(from: versions[0].model(), to: versions[3].model(), through: versions))
        #expect(route.steps.map(\.version?.name) == ["Music 3", nil])
        #expect(!route.isLightweight)
        #expect(route.text() == "to version “Music 3” of Music.xcdatamodeld (inferred), to the model (inferred)")
    }

    @Test("without such a version there is no route")
    func none() throws {
        let folder = try TemporaryFolder()
        let versions = try versions(in: folder)
        try #expect(
            MigrationRoute.shortest(from: versions[0].model(), to: versions[3].model(), through: [versions[1]]) == nil)
    }

    @Test("the nearest version shares most entities; among equals the current one, then the last")
    func nearest() throws {
        let folder = try TemporaryFolder()
        let versions = try versions(in: folder)
        #expect(ModelVersion.nearest(to: versions[1].versionHashes, among: versions) === versions[1])
        #expect(ModelVersion.nearest(to: ["Other": Data([1])], among: versions) == nil)
    }

    @Test("a mapping model takes precedence, and bridges what can't be inferred", .enabled(if: Corpus.isPresent))
    func mappingModel() throws {
        let versions = try ModelVersion.versions(at: Corpus.url("shop/SampleModel.momd"))
        let mapping = try MigrationRoute.KnownMapping(at: Corpus.url("shop/V2toV3.cdm"))
        let (first, third) = (try versions[0].model(), try versions[2].model())
        let route = try #require(
            MigrationRoute.shortest(from: try versions[1].model(), to: third, through: versions, [mapping]))
        #expect(route.steps.count == 1)
        if case .mappingModel(let used) = route.steps[0].way {
            #expect(used.url == mapping.url)
        } else {
            Issue.record("the step has no mapping model")
        }
        #expect(versions.map(\.name) == ["SampleModel", "SampleModel2", "SampleModel3"])
        let direct = try #require(MigrationRoute.shortest(from: first, to: third, through: versions, [mapping]))
        #expect(direct.isLightweight)
    }
}
