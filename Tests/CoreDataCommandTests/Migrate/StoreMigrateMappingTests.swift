import CoreData
import TestSupport
import Testing

/// Mapping models on the way of a migration.
@Suite("coredata store migrate with mapping models")
struct StoreMigrateMappingTests {
    private let cars: GrowingCars

    init() throws { cars = try GrowingCars() }

    private func mappings(in folder: String = "") throws -> [String] {
        [
            try cars.writeMapping("\(folder)34.cdm", from: 3, to: 4, "a4", "$source.a1 * 10"),
            try cars.writeMapping("\(folder)45.cdm", from: 4, to: 5, "a5", "$source.a4 + 1"),
        ]
    }

    @Test("Named mapping models are used where one inferred step would do")
    func named() async throws {
        let store = try cars.makeStore(3)
        let mappings = try mappings()
        let run = try await CommandRun(
            "store", "migrate", store, "--model", cars.bundle, "--mapping", mappings[0], "--mapping", mappings[1])
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        expectEqual(
            run.lines.prefix(3),
            [
                "\(store): The store was made by version “Cars 3” of Cars.xcdatamodeld.",
                "1. to version “Cars 4” of Cars.xcdatamodeld: mapping model 34.cdm; 1 entity changed",
                "2. to the model Cars.xcdatamodeld: mapping model 45.cdm; 1 entity changed",
            ])
        try await expectTrue(cars.values(store).hasSuffix("7,,,70,71"))
    }

    @Test("Mapping models in a folder come before inference, too")
    func folder() async throws {
        let store = try cars.makeStore(1)
        _ = try mappings(in: "Mappings/")
        let run = try await CommandRun(
            "store", "migrate", store, "--model", cars.bundle, "--through", cars.folder.path("Mappings"))
        expectEqual(run.status, 0)
        #expect(run.lines.contains { $0.hasPrefix("1. to version “Cars 3” of Cars.xcdatamodeld: lightweight") })
        try await expectTrue(cars.values(store).hasSuffix("7,,,70,71"))
    }

    @Test("A named mapping model for other versions is refused, with what it leads to", arguments: [true, false])
    func otherVersions(isDryRun: Bool) async throws {
        let store = try cars.makeStore(4)
        let mapping = try cars.writeMapping("12.cdm", from: 1, to: 2, "a2", "5")
        let run = try await CommandRun(
            arguments: ["store", "migrate", store, "--model", cars.path(ofVersion: 5), "--mapping", mapping]
                + (isDryRun ? ["--dry-run"] : []))
        expectEqual(run.status, 1)
        expectContains(
            run.errors, "The mapping model 12.cdm isn’t used: it begins with no version that is known here")
        try expectEqual(cars.version(store), 4)
    }

    @Test("A mapping model that leads back to an older version is passed only when it is named")
    func otherWay() async throws {
        let store = try cars.makeStore(4)
        _ = try cars.writeMapping("Mappings/43.cdm", from: 4, to: 3, "a3", "5")
        let run = try await CommandRun(
            "store", "migrate", store, "--model", cars.bundle, "--through", cars.folder.path("Mappings"))
        expectEqual(run.status, 0)
        expectContains(
            run.lines,
            """
            The mapping model 43.cdm isn’t used: it leads from the store’s version to version “Cars 3” of \
            Cars.xcdatamodeld, which is no part of the way.
            """)
    }

    @Test("Of two named mapping models for one step neither is chosen")
    func ambiguous() async throws {
        let store = try cars.makeStore(4)
        let first = try cars.writeMapping("first.cdm", from: 4, to: 5, "a5", "1")
        let second = try cars.writeMapping("second.cdm", from: 4, to: 5, "a5", "2")
        let run = try await CommandRun(
            "store", "migrate", store, "--model", cars.bundle, "--mapping", first, "--mapping", second)
        expectEqual(run.status, 1)
        expectContains(run.errors, "The mapping model second.cdm isn’t used: it is for the same step as first.cdm.")
        try expectEqual(cars.version(store), 4)
    }

    @Test("A mapping model with a policy of a program is refused, before anything is copied", arguments: [true, false])
    func policy(isDryRun: Bool) async throws {
        let store = try cars.makeStore(4)
        let mapping = try cars.writeMapping("45.cdm", from: 4, to: 5, "a5", "1", policy: "Shop.CarPolicy")
        let run = try await CommandRun(
            arguments: ["store", "migrate", store, "--model", cars.bundle, "--mapping", mapping]
                + (isDryRun ? ["--dry-run"] : []))
        expectEqual(run.status, 1)
        expectContains(run.output, "mapping model 45.cdm, with the program's Shop.CarPolicy")
        expectContains(run.errors, "needs the class Shop.CarPolicy, which belongs to a program.")
        try expectEqual(cars.version(store), 4)
    }

    @Test("doctor shows the mapping model of each step, and those that aren't used", arguments: ["text", "json"])
    func doctor(format: String) async throws {
        let store = try cars.makeStore(4)
        _ = try mappings(in: "Mappings/")
        let run = try await CommandRun(
            "store", "doctor", store, "--models", cars.bundle, cars.folder.path("Mappings"), "--format", format)
        expectEqual(run.status, 0)
        guard format == "json" else {
            expectContains(run.lines, "  1. to version “Cars 5” of Cars.xcdatamodeld: mapping model 45.cdm")
            #expect(run.lines.contains { $0.hasPrefix("The mapping model 34.cdm isn’t used: it leads from ") })
            return
        }
        let report = try requireValue(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let migration = try requireValue(report["migration"] as? [String: Any])
        let unused = try requireValue(migration["unusedMappingModels"] as? [[String: Any]])
        expectEqual(unused.count, 1)
        expectEqual((unused.first?["path"] as? String)?.hasSuffix("34.cdm"), true)
    }
}
