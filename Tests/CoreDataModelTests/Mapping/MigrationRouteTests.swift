import Testing

@testable import CoreDataModel
@testable import CoreDataStores

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
        expectEqual(versions.map(\.name), ["Music 1", "Music 2", "Music 3", "Music 4"])
        expectEqual(versions.map(\.isCurrent), [false, false, false, true])
        expectEqual(versions[0].text, "version “Music 1” of Music.xcdatamodeld")
        for version in versions {
            try expectEqual(version.versionHashes, version.model().entityVersionHashesByName)
        }
    }

    @Test("one inferred step is lightweight")
    func lightweight() throws {
        let folder = try TemporaryFolder()
        let versions = try versions(in: folder)
        let route = try requireValue(
            MigrationRouteSearch(from: versions[0].model(), to: versions[2].model(), through: versions).route())
        expectTrue(route.isLightweight)
        expectEqual(route.text(), "to the model (inferred)")
    }

    @Test("the shortest route passes the version that both sides can be inferred with")
    func twoSteps() throws {
        let folder = try TemporaryFolder()
        let versions = try versions(in: folder)
        let route = try requireValue(
            MigrationRouteSearch(from: versions[0].model(), to: versions[3].model(), through: versions).route())
        expectEqual(route.steps.map(\.version?.name), ["Music 3", nil])
        expectFalse(route.isLightweight)
        expectEqual(route.text(), "to version “Music 3” of Music.xcdatamodeld (inferred), to the model (inferred)")
    }

    @Test("without such a version there is no route")
    func none() throws {
        let folder = try TemporaryFolder()
        let versions = try versions(in: folder)
        let search = try MigrationRouteSearch(
            from: versions[0].model(), to: versions[3].model(), through: [versions[1]])
        #expect(search.route() == nil)
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
        let route = try requireValue(
            MigrationRouteSearch(from: try versions[1].model(), to: third, through: versions, [mapping]).route())
        expectEqual(route.steps.count, 1)
        if case .mappingModel(let used) = route.steps[0].way {
            expectEqual(used.url, mapping.url)
        } else {
            Issue.record("the step has no mapping model")
        }
        expectEqual(versions.map(\.name), ["SampleModel", "SampleModel2", "SampleModel3"])
        // An inferred step doesn't pass over the mapping model.
        let whole = try requireValue(MigrationRouteSearch(from: first, to: third, through: versions, [mapping]).route())
        expectEqual(whole.steps.map(\.way.isInferred), [true, false])
        let direct = try requireValue(MigrationRouteSearch(from: first, to: third, through: versions).route())
        expectTrue(direct.isLightweight)
    }

    // MARK: Mapping models before inference

    /// Five versions, between any two of which a mapping model can be inferred.
    private func growingVersions(in folder: TemporaryFolder) throws -> [ModelVersion] {
        for index in 1...5 {
            let attributes = (1...index).map {
                "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"String\"/>"
            }
            try folder.write(
                Self.song(attributes.joined()), to: "Music.xcdatamodeld/Music \(index).xcdatamodel/contents")
        }
        try folder.write(
            """
            <plist version="1.0"><dict>\
            <key>_XCCurrentVersionName</key><string>Music 5.xcdatamodel</string></dict></plist>
            """, to: "Music.xcdatamodeld/.xccurrentversion")
        return try ModelVersion.versions(at: folder.file("Music.xcdatamodeld"))
    }

    /// A mapping model for each pair of numbers, as a program gives it.
    private func mappings(_ pairs: [[Int]], _ versions: [ModelVersion]) throws -> [MigrationRoute.KnownMapping] {
        try pairs.map { pair in
            MigrationRoute.KnownMapping(
                try NSMappingModel.inferredMappingModel(
                    forSourceModel: versions[pair[0] - 1].model(), destinationModel: versions[pair[1] - 1].model()))
        }
    }

    /// A route as text: the numbers of the versions, `=` for a mapping model, `-` for inference.
    private func text(_ route: MigrationRoute?, _ versions: [ModelVersion]) throws -> String {
        guard let route, let first = route.steps.first else { return "none" }
        func number(_ model: NSManagedObjectModel) -> String {
            versions.firstIndex { $0.versionHashes == model.entityVersionHashesByName }.map { "\($0 + 1)" } ?? "?"
        }
        return number(first.source)
            + route.steps.map { ($0.way.isInferred ? "-" : "=") + number($0.destination) }.joined()
    }

    @Test(
        "mapping models between source and destination come before inference",
        arguments: [
            (3, 5, [[3, 4], [4, 5]], "3=4=5"), (1, 5, [[3, 4], [4, 5]], "1-3=4=5"), (1, 5, [[2, 3]], "1-2=3-5"),
            // A mapping model for the whole way is the shortest way.
            (3, 5, [[3, 4], [4, 5], [3, 5]], "3=5"),
            // Of two that overlap, the one with the shorter way.
            (1, 5, [[2, 4], [3, 5]], "1-3=5"),
            // Mapping models of other versions are left alone.
            (4, 5, [[1, 2], [2, 3]], "4-5"), (1, 2, [[2, 3], [4, 5]], "1-2"), (4, 5, [[4, 3], [2, 5]], "4-5"),
            // Back to an older version, the mapping models that lead back count.
            (5, 1, [[1, 2], [4, 3]], "5-4=3-1"),
        ])
    func order(_ source: Int, _ destination: Int, _ pairs: [[Int]], _ expected: String) throws {
        let folder = try TemporaryFolder()
        let versions = try growingVersions(in: folder)
        let search = try MigrationRouteSearch(
            from: versions[source - 1].model(), to: versions[destination - 1].model(), through: versions,
            mappings(pairs, versions))
        try expectEqual(text(search.route(), versions), expected)
    }

    @Test("a route that uses given mapping models passes versions in any order, or there is none")
    func required() throws {
        let folder = try TemporaryFolder()
        let versions = try growingVersions(in: folder)
        func route(_ pairs: [[Int]], through: [ModelVersion]) throws -> String {
            let mappings = try mappings(pairs, versions)
            let search = try MigrationRouteSearch(
                from: versions[0].model(), to: versions[4].model(), through: through, mappings)
            return try text(search.route(using: mappings), versions)
        }
        try expectEqual(route([[4, 5], [2, 3]], through: versions), "1-2=3-4=5")
        try expectEqual(route([[4, 2], [3, 4]], through: versions), "1-3=4=2-5")
        try expectEqual(route([[3, 4], [2, 3]], through: Array(versions.reversed())), "1-2=3=4-5")
        try expectEqual(route([[3, 4]], through: [versions[3]]), "none")
        try expectEqual(route([[2, 3], [2, 3]], through: versions), "none")
    }

    @Test("why a mapping model isn't used")
    func unused() throws {
        let folder = try TemporaryFolder()
        let versions = try growingVersions(in: folder)
        let empty = MigrationRoute.KnownMapping(NSMappingModel())
        let mappings = try mappings([[3, 4], [3, 4], [1, 2], [4, 1]], versions) + [empty]
        let search = try MigrationRouteSearch(
            from: versions[2].model(), to: versions[4].model(), through: [versions[0]] + versions[2...], mappings)
        let route = search.route()
        try expectEqual(text(route, versions), "3=4-5")
        expectEqual(
            search.unused(by: route).map(\.reason),
            [
                "is for the same step as a mapping model",
                """
                begins with version “Music 1” of Music.xcdatamodeld, and ends with no version that is known here \
                (the store’s version differs in Song)
                """,
                """
                leads from version “Music 4” of Music.xcdatamodeld to version “Music 1” of Music.xcdatamodeld, which \
                is no part of the way
                """,
                "has no entity mapping",
            ])
    }
}
