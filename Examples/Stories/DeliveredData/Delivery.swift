import CoreData

/// The part that happens elsewhere: a file of postcodes is made with its own model alone.
enum Delivery {
    static func model(_ name: String) throws -> NSManagedObjectModel {
        try StoryModels("DeliveredData").model(name)
    }

    /// Makes the file of an edition.
    ///
    /// - Parameters:
    ///   - url: the URL of the file.
    ///   - version: the name of the model. The code of a postcode had another name in the first one.
    ///   - postcodes: the postcodes of each county.
    static func make(at url: URL, version: String, _ postcodes: [String: [String]]) throws {
        let model = try model(version)
        let code = model.entitiesByName["Postcode"]?.attributesByName["code"] == nil ? "postcode" : "code"
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for (name, codes) in postcodes {
                let county = NSEntityDescription.insertNewObject(forEntityName: "County", into: context)
                county.setValue(name, forKey: "name")
                for text in codes {
                    let postcode = NSEntityDescription.insertNewObject(forEntityName: "Postcode", into: context)
                    postcode.setValuesForKeys([code: text, "county": county])
                }
            }
            try context.save()
        }
        try coordinator.remove(store)
    }
}
