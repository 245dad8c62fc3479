import OpenCoreData
import Testing

/// Makes a Maker of each maker's name, once, and wires the cars to it: what the app's policy does.
final class MakerPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let name = sInstance.value(forKey: "maker") as? String,
            let car = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
                .first
        else { return }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Maker")
        request.predicate = NSPredicate(format: "name == %@", name)
        let known = try manager.destinationContext.fetch(request).first
        let maker =
            known ?? NSEntityDescription.insertNewObject(forEntityName: "Maker", into: manager.destinationContext)
        maker.setValue(name, forKey: "name")
        car.setValue(maker, forKey: "createdBy")
    }
}

/// The mapping model of a real app, from the second version of its model to the third.
@Suite("A real mapping model", .enabled(if: Corpus.isPresent, "the corpus is not at hand"))
struct RealMappingTests {
    private let folder = try! TemporaryFolder()

    private func mapping(_ file: String) throws -> NSMappingModel {
        let mapping = try requireValue(NSMappingModel(contentsOf: try Corpus.url("shop/\(file)")))
        // The app replaces the name of the class likewise.
        for entity: NSEntityMapping in mapping.entityMappings where entity.entityMigrationPolicyClassName != nil {
            entity.entityMigrationPolicyClassName = "MakerPolicy"
        }
        return mapping
    }

    private func context(_ path: String, _ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// The cars as texts: plate, entity, maker, owner.
    private func cars(_ context: NSManagedObjectContext, maker: String) throws -> [String] {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Car")
            return try context.fetch(request).map { car in
                let owner = car.value(forKey: "owner") as? NSManagedObject
                return [
                    car.value(forKey: "numberPlate"), car.entity.name, car.value(forKeyPath: maker),
                    car.value(forKey: "model"), car.value(forKey: "markedForDeletionAsOf"),
                    owner?.value(forKey: "firstName"), owner?.value(forKey: "lastName"),
                ].map { $0.map { "\($0)" } ?? "-" }.joined(separator: "|")
            }.sorted()
        }
    }

    @Test("It makes a store of the third version with all objects", arguments: ["V2toV3.cdm", "V2toV3.xcmappingmodel"])
    func thirdVersion(_ file: String) throws {
        let original = try Corpus.copyStore("shop/SampleModel_V2.sqlite", into: folder, as: "v2.sqlite")
        let old = try Corpus.model("shop/SampleModel.xcdatamodeld/SampleModel2.xcdatamodel")
        let new = try Corpus.model("shop/SampleModel.xcdatamodeld/SampleModel3.xcdatamodel")
        let result = folder.path("v3.sqlite")
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: URL(fileURLWithPath: original), type: .sqlite, mapping: mapping(file),
            to: URL(fileURLWithPath: result), type: .sqlite)
        let before = try context(original, old)
        let after = try context(result, new)
        let expected = try cars(before, maker: "maker")
        #expect(!expected.isEmpty)
        try expectEqual(cars(after, maker: "createdBy.name"), expected)
        try after.performAndWait {
            let owned = NSFetchRequest<NSManagedObject>(entityName: "Car")
            owned.predicate = NSPredicate(format: "owner != nil")
            for car in try after.fetch(owned) {
                // The mapping makes the owner a previous owner too.
                let owner = try requireValue(car.value(forKey: "owner") as? NSManagedObject)
                expectEqual((car.value(forKey: "previousOwners") as? Set<NSManagedObject>)?.contains(owner), true)
            }
            let makers = NSFetchRequest<NSManagedObject>(entityName: "Maker")
            let names = try after.fetch(makers).compactMap { $0.value(forKey: "name") as? String }
            expectEqual(names.count, Set(names).count)
            #expect(!names.isEmpty)
        }
    }
}
