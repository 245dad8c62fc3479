import CoreData
import TestSupport
import Testing

@testable import CoreDataModel

/// Five versions of a model, between any two of which a mapping model can be inferred: version n has the attributes
/// `a1` to `an`. Stores and mapping models of these versions.
struct GrowingCars {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for number in 1...5 {
            let attributes = (1...number).map {
                #"<attribute name="a\#($0)" optional="YES" attributeType="Integer 64"/>"#
            }
            try folder.write(
                """
                <?xml version="1.0" encoding="UTF-8"?><model><entity name="Car" syncable="YES">\(attributes.joined())\
                </entity></model>
                """, to: "Cars.xcdatamodeld/Cars \(number).xcdatamodel/contents")
        }
        try folder.write(
            """
            <plist version="1.0"><dict>\
            <key>_XCCurrentVersionName</key><string>Cars 5.xcdatamodel</string></dict></plist>
            """, to: "Cars.xcdatamodeld/.xccurrentversion")
    }

    var bundle: String { folder.path("Cars.xcdatamodeld") }

    func path(ofVersion number: Int) -> String { "\(bundle)/Cars \(number).xcdatamodel" }

    func model(_ number: Int) throws -> NSManagedObjectModel {
        try requireValue(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path(ofVersion: number))))
    }

    /// Makes a store with one car whose `a1` is 7.
    func makeStore(_ number: Int, type: NSPersistentStore.StoreType = .sqlite) throws -> String {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model(number))
        let url = folder.file("cars.store")
        let store = try coordinator.addPersistentStore(type: type, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Car", into: context).setValue(7, forKey: "a1")
            try context.save()
        }
        try coordinator.remove(store)
        return url.path
    }

    /// Writes a mapping model between two versions that computes one attribute.
    func writeMapping(
        _ name: String, from source: Int, to destination: Int, _ attribute: String, _ expression: String,
        policy: String? = nil
    ) throws -> String {
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: model(source), destinationModel: model(destination))
        let entities: [NSEntityMapping] = mapping.entityMappings
        for entity in entities {
            entity.entityMigrationPolicyClassName = policy
            let attributes: [NSPropertyMapping] = entity.attributeMappings ?? []
            attributes.first { $0.name == attribute }?.valueExpression = NSExpression(format: expression)
        }
        let url = folder.file(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try MappingModelFile.data(of: mapping).write(to: url)
        return url.path
    }

    /// The version of a store.
    func version(_ store: String, type: NSPersistentStore.StoreType = .sqlite) throws -> Int? {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: type, at: URL(fileURLWithPath: store))
        return try (1...5).first {
            try model($0).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }
    }

    /// The values of the car in a SQLite store, by attribute.
    func values(_ store: String) async throws -> String {
        let run = try await CommandRun("store", "fetch", store, "--entity", "Car", "--format", "csv")
        return run.lines.last?.trimmingCharacters(in: .newlines) ?? ""
    }
}
