import CoreData

/// Delivered data beside the user's own: two models, two stores, one coordinator.
///
/// The file of postcodes is made elsewhere, with its own model alone, and delivered read-only. A file of an older
/// version is migrated on arrival. The user's ratings are in a separate store. Configurations of the merged model
/// assign the entities to the stores.
struct DeliveredData {
    static func run(in folder: URL) throws {
        let first = folder.appendingPathComponent("PostCodes-1.sqlite")
        let second = folder.appendingPathComponent("PostCodes-2.sqlite")
        try Delivery.make(at: first, version: "PostCodes0", ["Kent": ["CT1", "ME14"], "Essex": ["CM1"]])
        try Delivery.make(
            at: second, version: "PostCodes", ["Kent": ["CT1", "ME14"], "Essex": ["CM1", "SS0"], "Devon": ["EX1"]])

        // The coordinator reads a copy, which a later edition can replace.
        let postcodes = folder.appendingPathComponent("PostCodes.sqlite")
        let model = try mergedModel()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.replacePersistentStore(at: postcodes, withPersistentStoreFrom: first, type: .sqlite)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "UserConf", at: folder.appendingPathComponent("User.sqlite"),
            options: nil)
        try addDelivered(postcodes, to: coordinator)
        for store in coordinator.persistentStores {
            let entities = model.entities(forConfigurationName: store.configurationName) ?? []
            print(
                """
                \(name(of: store)) has \(entities.compactMap(\.name).sorted().joined(separator: " and "))\
                \(store.isReadOnly ? ", read-only" : "")
                """)
        }

        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            try rate(context)
            try refuse(context, coordinator)
        }

        print("A new edition arrives")
        try coordinator.replacePersistentStore(at: postcodes, withPersistentStoreFrom: second, type: .sqlite)
        try addDelivered(postcodes, to: coordinator)
        try context.performAndWait {
            context.reset()
            try list(context)
        }
    }

    /// The two models as one. The merged model has the configurations of both.
    static func mergedModel() throws -> NSManagedObjectModel {
        let models = try ["Ratings", "PostCodes"].map(Delivery.model)
        guard let model = NSManagedObjectModel(byMerging: models) else {
            throw CocoaError(.persistentStoreIncompatibleSchema)
        }
        // A relationship can't lead into another store. A fetched property can.
        let property = NSFetchedPropertyDescription()
        property.name = "delivered"
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = model.entitiesByName["Postcode"]
        request.predicate = NSPredicate(format: "code == $FETCH_SOURCE.postcode")
        property.fetchRequest = request
        model.entitiesByName["Rating"]?.properties.append(property)
        return model
    }

    static func addDelivered(_ url: URL, to coordinator: NSPersistentStoreCoordinator) throws {
        let model = coordinator.managedObjectModel
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        if !model.isConfiguration(withName: "PostCodesConf", compatibleWithStoreMetadata: metadata) {
            // Without a configuration the file gets the tables of the whole model.
            print("The edition is of an older version: it is migrated")
            let migrating = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try migrating.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
                ])
            try migrating.remove(store)
        }
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "PostCodesConf", at: url,
            options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
    }

    // MARK: Steps

    static func rate(_ context: NSManagedObjectContext) throws {
        for (code, value) in [("CT1", 4), ("CM1", 2), ("SS0", 5)] {
            let rating = NSEntityDescription.insertNewObject(forEntityName: "Rating", into: context)
            rating.setValuesForKeys(["postcode": code, "rating": value])
        }
        try context.save()
        try list(context)
    }

    /// The ratings with the counties of their postcodes, which are in the other store.
    static func list(_ context: NSManagedObjectContext) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Rating")
        request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: false)]
        for rating in try context.fetch(request) {
            let postcode = (rating.value(forKey: "delivered") as? [NSManagedObject])?.first
            let county = postcode?.value(forKeyPath: "county.name") as? String
            print(
                """
                  \(rating.value(forKey: "postcode") ?? "") is rated \(rating.value(forKey: "rating") ?? ""): \
                \(county.map { "in \($0)" } ?? "not among the delivered postcodes")
                """)
        }
    }

    /// Changes that can't be saved, with the errors.
    static func refuse(_ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
        let postcode = NSEntityDescription.insertNewObject(forEntityName: "Postcode", into: context)
        postcode.setValue("EX1", forKey: "code")
        explain("A new postcode", context)
        let counties = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "County"))
        // A store in memory takes new postcodes, but none of them may refer to a county in the file.
        let memory = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: "PostCodesConf", at: nil, options: nil)
        context.assign(postcode, to: memory)
        postcode.setValue(counties.first, forKey: "county")
        explain("A postcode in memory with a county in the file", context)
        postcode.setValue(nil, forKey: "county")
        explain("The postcode in memory without a county", context)
        try coordinator.remove(memory)
        context.reset()
    }

    static func explain(_ what: String, _ context: NSManagedObjectContext) {
        do {
            try context.save()
            print("\(what) is saved")
        } catch {
            let error = error as NSError
            print("\(what) isn\u{2019}t saved (\(error.code)): \(error.localizedDescription)")
        }
    }

    static func name(of store: NSPersistentStore) -> String { store.url?.lastPathComponent ?? "" }
}
