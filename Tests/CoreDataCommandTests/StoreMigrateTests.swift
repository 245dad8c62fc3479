import CoreData
import TestSupport
import Testing

/// A command that migrates a copy, checks it, and puts it in its place.
@Suite("coredata store migrate")
struct StoreMigrateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func entity(_ attributes: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
            <entity name="Car" syncable="YES">\(attributes)</entity>
        </model>
        """
    }

    /// Version 1: the price is a text; 2: without a price; 3: a number; 4: besides, a number without default value.
    private func bundle() throws -> String {
        let plate = #"<attribute name="plate" attributeType="String"/>"#
        let versions = [
            plate + #"<attribute name="price" optional="YES" attributeType="String"/>"#, plate,
            plate + #"<attribute name="price" optional="YES" attributeType="Integer 64"/>"#,
            plate + #"<attribute name="wheels" attributeType="Integer 64"/>"#,
        ]
        for (index, text) in versions.enumerated() {
            _ = try folder.write(
                Self.entity(text), to: "Cars.xcdatamodeld/Cars \(index + 1).xcdatamodel/contents")
        }
        _ = try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict><key>_XCCurrentVersionName</key><string>Cars 3.xcdatamodel</string></dict>
            </plist>
            """, to: "Cars.xcdatamodeld/.xccurrentversion")
        return folder.path("Cars.xcdatamodeld")
    }

    private func makeStore(_ type: NSPersistentStore.StoreType) throws -> String {
        let model = try requireValue(
            NSManagedObjectModel(contentsOf: folder.file("Cars.xcdatamodeld/Cars 1.xcdatamodel")))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = folder.file("cars.store")
        let store = try coordinator.addPersistentStore(type: type, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for number in 1...3 {
                let car = NSEntityDescription.insertNewObject(forEntityName: "Car", into: context)
                car.setValuesForKeys(["plate": "\(number)", "price": "cheap"])
            }
            try context.save()
        }
        try coordinator.remove(store)
        return url.path
    }

    private func version(_ path: String, _ type: NSPersistentStore.StoreType) throws -> Int? {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: type, at: URL(fileURLWithPath: path))
        return (1...4).first { number in
            NSManagedObjectModel(contentsOf: folder.file("Cars.xcdatamodeld/Cars \(number).xcdatamodel"))?
                .isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) == true
        }
    }

    @Test("The plan alone changes nothing")
    func dryRun() async throws {
        let bundle = try bundle()
        let store = try makeStore(.sqlite)
        let run = try await CommandRun("store", "migrate", store, "--model", bundle, "--dry-run")
        expectEqual(run.status, 0)
        expectEqual(
            run.lines,
            [
                "\(store): The store was made by version “Cars 1” of Cars.xcdatamodeld.",
                "1. to version “Cars 2” of Cars.xcdatamodeld: lightweight; 1 entity changed",
                "2. to the model Cars.xcdatamodeld: lightweight; 1 entity changed",
                // The version between has no price.
                "The migration deletes what the new model doesn't have:", "  Car.price: 3 values",
            ])
        try expectEqual(version(store, .sqlite), 1)
    }

    @Test("The store is replaced by the checked copy", arguments: ["SQLite", "XML", "Binary"])
    func inPlace(_ type: String) async throws {
        let type = NSPersistentStore.StoreType(rawValue: type)
        let bundle = try bundle()
        let store = try makeStore(type)
        let refused = try await CommandRun("store", "migrate", store, "--model", bundle)
        expectEqual(refused.status, 1)
        expectContains(refused.errors, "The migration would delete 3 values, see above.")
        try expectEqual(version(store, type), 1)
        let run = try await CommandRun("store", "migrate", store, "--model", bundle, "--allow-loss")
        expectEqual(run.status, 0)
        // Other tests put models that can't be read beside the program for a moment.
        expectEqual(run.errors.split(separator: "\n").filter { !$0.contains("/Test_") }, [])
        expectEqual(run.lines.suffix(2), ["  Car  3", "\(store) is migrated."])
        try expectEqual(version(store, type), 3)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        expectEqual(names, ["Cars.xcdatamodeld", "cars.store"])
    }

    @Test("With --output the store stays as it is")
    func output() async throws {
        let bundle = try bundle()
        let store = try makeStore(.sqlite)
        let result = folder.path("new.store")
        let arguments = ["store", "migrate", store, "--model", bundle, "--output", result, "--allow-loss"]
        let run = try await CommandRun(arguments: arguments)
        expectEqual(run.status, 0)
        try expectEqual(version(store, .sqlite), 1)
        try expectEqual(version(result, .sqlite), 3)
        let again = try await CommandRun(arguments: arguments)
        expectEqual(again.status, 1)
        expectContains(again.errors, "--force")
        try await expectEqual(CommandRun(arguments: arguments + ["--force"]).status, 0)
    }

    @Test("A store of the model's version needs nothing")
    func nothingToDo() async throws {
        let bundle = try bundle()
        let store = try makeStore(.sqlite)
        let run = try await CommandRun("store", "migrate", store, "--model", bundle + "/Cars 1.xcdatamodel")
        expectEqual(run.status, 0)
        expectEqual(run.lines, ["\(store) has the version of the model. There is nothing to do."])
        // --output has a file in any case.
        let result = folder.path("same.store")
        let copy = try await CommandRun(
            "store", "migrate", store, "--model", bundle + "/Cars 1.xcdatamodel", "--output", result)
        expectEqual(copy.status, 0)
        expectEqual(copy.lines, ["\(store) has the version of the model. \(result) is a copy of it."])
        try expectEqual(version(result, .sqlite), 1)
    }

    @Test("Without a way the error says why, and the store stays as it is")
    func impossible() async throws {
        let bundle = try bundle()
        let store = try makeStore(.sqlite)
        let run = try await CommandRun("store", "migrate", store, "--model", bundle + "/Cars 4.xcdatamodel")
        expectEqual(run.status, 1)
        expectContains(run.errors, "Car.wheels")
        try expectEqual(version(store, .sqlite), 1)
    }
}
