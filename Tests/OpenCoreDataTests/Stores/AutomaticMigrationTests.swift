import OpenCoreData
import TestSupport
import Testing

@testable import CoreDataModel

final class HornPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        for car in manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]) {
            car.setValue("horn of \(sInstance.value(forKey: "plate") ?? "")", forKey: "horn")
        }
    }
}

/// Stores of an older version that are migrated when they are added, with models and mapping models in files.
@Suite("Automatic migration")
struct AutomaticMigrationTests {
    static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let plate = #"<attribute name="plate" attributeType="String"/>"#
        let horn = #"<attribute name="horn" optional="YES" attributeType="String"/>"#
        for (name, attributes) in [("Cars", plate), ("Cars 2", plate + horn)] {
            _ = try folder.write(
                """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
                    <entity name="Car" syncable="YES">\(attributes)</entity>
                </model>
                """, to: "Cars.xcdatamodeld/\(name).xcdatamodel/contents")
        }
        _ = try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict><key>_XCCurrentVersionName</key><string>Cars 2.xcdatamodel</string></dict>
            </plist>
            """, to: "Cars.xcdatamodeld/.xccurrentversion")
    }

    private func model(_ name: String) throws -> NSManagedObjectModel {
        try requireValue(NSManagedObjectModel(contentsOf: folder.file("Cars.xcdatamodeld/\(name).xcdatamodel")))
    }

    private var store: URL { folder.file("cars.store") }

    private func open(_ model: String, _ type: String, _ options: [String: Any] = [:]) throws -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try self.model(model))
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: store, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func makeStore(_ type: String) throws {
        let context = try open("Cars", type)
        try context.performAndWait {
            let car = NSEntityDescription.insertNewObject(forEntityName: "Car", into: context)
            car.setValue("M-1", forKey: "plate")
            try context.save()
        }
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
    }

    private func makeMappingModel() throws {
        let (old, new) = (try model("Cars"), try model("Cars 2"))
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        for entity: NSEntityMapping in mapping.entityMappings { entity.entityMigrationPolicyClassName = "HornPolicy" }
        try MappingModelFile.data(of: mapping).write(to: folder.file("Cars.cdm"))
    }

    private func horns(_ context: NSManagedObjectContext) throws -> [String?] {
        try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Car")).map {
                $0.value(forKey: "horn") as? String
            }
        }
    }

    private static let migrating = [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]

    @Test("The mapping model is inferred", arguments: types)
    func inferred(_ type: String) throws {
        try makeStore(type)
        try expectEqual(horns(open("Cars 2", type, Self.migrating)), [nil])
        try checkFolder()
    }

    @Test("A mapping model of the program takes precedence, with its policy", arguments: types)
    func mapped(_ type: String) throws {
        try makeStore(type)
        try makeMappingModel()
        try expectEqual(horns(open("Cars 2", type, Self.migrating)), ["horn of M-1"])
        try checkFolder()
        // The store is of the new version now.
        try expectEqual(horns(open("Cars 2", type)), ["horn of M-1"])
    }

    @Test("Two different mapping models that fit are an error that names both; equal ones are one", arguments: types)
    func ambiguous(_ type: String) throws {
        try makeStore(type)
        try makeMappingModel()
        try FileManager.default.copyItem(at: folder.file("Cars.cdm"), to: folder.file("Copy.cdm"))
        let mapping = try requireValue(NSMappingModel(contentsOf: folder.file("Cars.cdm")))
        for entity: NSEntityMapping in mapping.entityMappings { entity.entityMigrationPolicyClassName = nil }
        try MappingModelFile.data(of: mapping).write(to: folder.file("Other.cdm"))
        let error = thrownError { _ = try open("Cars 2", type, Self.migrating) }
        expectEqual(error?.code, NSMigrationError)
        for name in ["Cars.cdm", "Other.cdm"] { expectEqual(error?.localizedFailureReason?.contains(name), true) }
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == store.path)
        try FileManager.default.removeItem(at: folder.file("Other.cdm"))
        try expectEqual(horns(open("Cars 2", type, Self.migrating)), ["horn of M-1"])
    }

    @Test("Without inference and mapping model the error says what to set", arguments: types)
    func missingMapping(_ type: String) throws {
        try makeStore(type)
        let error = thrownError {
            _ = try open("Cars 2", type, [NSMigratePersistentStoresAutomaticallyOption: true])
        }
        expectEqual(error?.code, NSMigrationMissingMappingModelError)
        expectEqual(error?.localizedDescription.contains("NSInferMappingModelAutomaticallyOption"), true)
        _ = try open("Cars", type)
    }

    @Test("Coordinators that add the store at once migrate it once", arguments: types)
    func concurrent(_ type: String) throws {
        try makeStore(type)
        try makeMappingModel()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let error = thrownError {
                let context = try open("Cars 2", type, Self.migrating)
                try expectEqual(horns(context), ["horn of M-1"])
            }
            expectEqual(error, nil)
        }
        try checkFolder()
    }

    @Test("A policy that fails leaves the store as it was", arguments: types)
    func failing(_ type: String) throws {
        try makeStore(type)
        try makeMappingModel()
        let mapping = try requireValue(NSMappingModel(contentsOf: folder.file("Cars.cdm")))
        for entity: NSEntityMapping in mapping.entityMappings { entity.entityMigrationPolicyClassName = "NoPolicy" }
        try MappingModelFile.data(of: mapping).write(to: folder.file("Cars.cdm"))
        let error = thrownError { _ = try open("Cars 2", type, Self.migrating) }
        expectEqual(error?.code, NSEntityMigrationPolicyError)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == store.path)
        try checkFolder()
        _ = try open("Cars", type)
    }

    private func checkFolder() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.hasPrefix(".") || $0.contains("migrated") })
    }
}
