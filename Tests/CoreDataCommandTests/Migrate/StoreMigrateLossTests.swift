import CoreData
import TestSupport
import Testing

/// Migrations that delete objects or values.
@Suite("coredata store migrate and losses")
struct StoreMigrateLossTests {
    private let cars: GrowingCars

    init() throws { cars = try GrowingCars() }

    /// The sample store and a changed version of its model.
    private func sample(_ changes: [(String, String)]) throws -> (store: String, model: String) {
        let store = try SampleModel.makeStore(in: cars.folder)
        var text = SampleModel.source
        for (old, new) in changes {
            expectContains(text, old)
            text = text.replacingOccurrences(of: old, with: new)
        }
        try cars.folder.write(text, to: "New.xcdatamodel/contents")
        return (store, cars.folder.path("New.xcdatamodel"))
    }

    @Test(
        "The model of another store deletes everything: refused, with the counts",
        arguments: ["SQLite", "XML", "Binary"])
    func foreignModel(_ type: String) async throws {
        let type = NSPersistentStore.StoreType(rawValue: type)
        let store = try cars.makeStore(5, type: type)
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        try cars.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?><model><entity name="Book">\
            <attribute name="title" optional="YES" attributeType="String"/></entity></model>
            """, to: "Books.xcdatamodel/contents")
        let arguments = [
            "store", "migrate", store, "--model", cars.folder.path("Books.xcdatamodel"), "--through", cars.bundle,
        ]
        let run = try await CommandRun(arguments: arguments)
        expectEqual(run.status, 1)
        expectEqual(
            run.lines.suffix(2), ["The migration deletes what the new model doesn't have:", "  Car: 1 object"])
        expectContains(
            run.errors,
            """
            The migration would delete 1 object, see above. The model has no entity of the store: it is probably \
            the model of another store. The store stays as it is. To delete them, add --allow-loss.
            """)
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: store)), before)
        let allowed = try await CommandRun(arguments: arguments + ["--allow-loss"])
        expectEqual(allowed.status, 0)
        expectContains(allowed.lines, "  Book  0")
    }

    @Test("Removed attributes, relationships and entities are counted where the store has values")
    func counts() async throws {
        let sample = try sample([
            (#"<attribute name="maker" optional="YES" attributeType="String"/>"#, ""),
            // No car has a model.
            (#"<attribute name="model" optional="YES" attributeType="String"/>"#, ""),
            (
                #"""
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" \#
                destinationEntity="Person" inverseName="cars" inverseEntity="Person"/>
                """#, ""
            ),
            (
                #"""
                <relationship name="cars" optional="YES" toMany="YES" deletionRule="Nullify" \#
                destinationEntity="Car" inverseName="owner" inverseEntity="Car"/>
                """#, ""
            ),
            (#"<entity name="SportCar" representedClassName="SportCar" parentEntity="Car" syncable="YES"/>"#, ""),
            (#"parentEntity="SportCar""#, #"parentEntity="Car""#),
        ])
        let run = try await CommandRun("store", "migrate", sample.store, "--model", sample.model, "--dry-run")
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        let expected = [
            "The migration deletes what the new model doesn't have:", "  SportCar: 1 object", "  Car.maker: 3 values",
            "  Car.owner: 3 links",
        ]
        expectEqual(run.lines.suffix(4), expected)
        let doctor = try await CommandRun("store", "doctor", sample.store, "--model", sample.model)
        expectContains(doctor.output, expected.joined(separator: "\n"))
        let json = try await CommandRun(
            "store", "doctor", sample.store, "--model", sample.model, "--format", "json")
        let report = try requireValue(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let losses = try requireValue((report["migration"] as? [String: Any])?["losses"] as? [[String: Any]])
        expectEqual(losses.map { $0["kind"] as? String }, ["objects", "values", "links"])
        expectEqual(losses.map { $0["count"] as? Int }, [1, 3, 3])
    }

    @Test("What has no values is removed without a question")
    func nothingLost() async throws {
        let sample = try sample([(#"<attribute name="model" optional="YES" attributeType="String"/>"#, "")])
        let run = try await CommandRun("store", "migrate", sample.store, "--model", sample.model)
        expectEqual(run.status, 0)
        #expect(!run.output.contains("deletes"))
    }

    @Test("Which values a mapping model uses can't be told from it")
    func mappingModel() async throws {
        let store = try cars.makeStore(3)
        let mapping = try cars.writeMapping("31.cdm", from: 3, to: 1, "a1", "1")
        let run = try await CommandRun(
            "store", "migrate", store, "--model", cars.path(ofVersion: 1), "--through", cars.bundle, "--mapping",
            mapping, "--dry-run")
        expectEqual(run.status, 0)
        #expect(!run.output.contains("deletes"))
    }

    @Test("A renamed attribute and a renamed entity lose nothing")
    func renamed() async throws {
        let store = try cars.makeStore(1)
        try cars.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?><model><entity name="Vehicle" elementID="Car">\
            <attribute name="number" optional="YES" attributeType="Integer 64" elementID="a1"/></entity></model>
            """, to: "Renamed.xcdatamodel/contents")
        let run = try await CommandRun("store", "migrate", store, "--model", cars.folder.path("Renamed.xcdatamodel"))
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        #expect(!run.output.contains("deletes"))
    }
}
