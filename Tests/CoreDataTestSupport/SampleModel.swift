import CoreData
import TestSupport

/// A source model with published version hashes, and a store made from a model in code.
package enum SampleModel {
    package static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift" \
        userDefinedModelVersionIdentifier="first">
            <entity name="Car" representedClassName="Car" syncable="YES">
                <attribute name="color" optional="YES" attributeType="Transformable" \
        valueTransformerName="ColorTransformer" customClassName="Color"/>
                <attribute name="currentDrivingSpeed" optional="YES" transient="YES" attributeType="Integer 64" \
        defaultValueString="0" usesScalarValueType="YES"/>
                <attribute name="maker" optional="YES" attributeType="String"/>
                <attribute name="markedForDeletionAsOf" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
                <attribute name="model" optional="YES" attributeType="String"/>
                <attribute name="numberPlate" attributeType="String"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Person" inverseName="cars" inverseEntity="Person"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="numberPlate"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="ExpensiveSportCar" representedClassName="ExpensiveSportCar" parentEntity="SportCar" \
        syncable="YES">
                <attribute name="isLimitedEdition" optional="YES" attributeType="Boolean" defaultValueString="NO" \
        usesScalarValueType="YES"/>
            </entity>
            <entity name="Person" representedClassName="Person" syncable="YES">
                <attribute name="firstName" optional="YES" attributeType="String"/>
                <attribute name="id" attributeType="UUID" usesScalarValueType="NO" preserveAfterDeletion="YES"/>
                <attribute name="isDriving" transient="YES" attributeType="Boolean" defaultValueString="NO" \
        usesScalarValueType="YES"/>
                <attribute name="lastName" optional="YES" attributeType="String"/>
                <attribute name="updatedAt" attributeType="Date" usesScalarValueType="NO"/>
                <relationship name="cars" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Car" \
        inverseName="owner" inverseEntity="Car"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="firstName"/>
                        <constraint value="lastName"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="SportCar" representedClassName="SportCar" parentEntity="Car" syncable="YES"/>
        </model>
        """

    package static let hashes = [
        "Car 9e555529072158220d1bacd2f80a3dad4919f74a32aa8be9ee22a6a7b4126c8f",
        "ExpensiveSportCar 3dc7e32b1be45b5a4c795ac9af3e1d10aa7222d3c69ae805bbeb4408bdeba480",
        "Person 164268551b45108ae763aa2ba61ff32d32d32323850987c3e21607c8da44b72b",
        "SportCar 514ec1907a568299f9fb6851106516136f0755f45fa53a823a0e4d44013d5313",
    ]

    /// Writes the source model into the folder, and returns its path.
    package static func write(to folder: TemporaryFolder) throws -> String {
        let bundle = folder.url.appendingPathComponent("Cars.xcdatamodel")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        try Data(source.utf8).write(to: bundle.appendingPathComponent("contents"))
        return bundle.path
    }

    /// Makes a store with two persons, three cars and a sports car, and returns its path.
    ///
    /// - Parameter carCount: how many more cars the first person has.
    package static func makeStore(in folder: TemporaryFolder, carCount: Int = 0) throws -> String {
        guard let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: try write(to: folder))) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        // The classes of the source model are not in this program.
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        for attribute in model.entities.flatMap({ $0.attributesByName.values }) where attribute.name == "color" {
            attribute.valueTransformerName = nil
        }
        let storeFolder = folder.url.appendingPathComponent("store")
        try FileManager.default.createDirectory(at: storeFolder, withIntermediateDirectories: true)
        let url = storeFolder.appendingPathComponent("Cars.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            fill(context, carCount: carCount)
            try context.save()
        }
        try coordinator.remove(store)
        return url.path
    }

    private static func fill(_ context: NSManagedObjectContext, carCount: Int) {
        func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let ada = insert("Person", ["firstName": "Ada", "lastName": "Lovelace", "id": UUID(), "updatedAt": date])
        _ = insert(
            "Person", ["firstName": "Grace", "lastName": "Hopper, \"Admiral\"", "id": UUID(), "updatedAt": date])
        for (index, maker) in ["Alfa", "Borgward", "Citroën"].enumerated() {
            _ = insert("Car", ["maker": maker, "numberPlate": "A \(index)", "owner": ada])
        }
        for index in 0..<carCount { _ = insert("Car", ["maker": "Fiat", "numberPlate": "F \(index)", "owner": ada]) }
        _ = insert("SportCar", ["maker": "Porsche", "numberPlate": "P 1"])
    }
}
