import CoreData
import Testing

@Suite("Story 3: user data beside delivered data")
struct DeliveredDataStory {
    private static func postcodes() -> NSManagedObjectModel {
        let county = entity("County", [attribute("name", .stringAttributeType)])
        let postcode = entity("Postcode", [attribute("code", .stringAttributeType)])
        let toCounty = toOne("county", county)
        let codes = toMany("postcodes", postcode)
        pair(toCounty, codes)
        county.properties.append(codes)
        postcode.properties.append(toCounty)
        let model = model([county, postcode])
        model.setEntities([county, postcode], forConfigurationName: "PostCodesConf")
        return model
    }

    private static func ratings() -> NSManagedObjectModel {
        let rating = entity(
            "Rating", [attribute("postcode", .stringAttributeType), attribute("rating", .integer16AttributeType)])
        let model = model([rating])
        model.setEntities([rating], forConfigurationName: "UserConf")
        return model
    }

    /// Makes the delivered file with its own model alone.
    private func deliver(_ url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.postcodes())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            let kent = context.make("County", "Kent")
            for code in ["CT1", "ME14"] {
                context.make("Postcode").setValuesForKeys(["code": code, "county": kent])
            }
            try context.save()
        }
        try coordinator.remove(store)
    }

    @Test("configurations of the merged model open the delivered file read-only beside the user's, without migration")
    func together() throws {
        let folder = try TemporaryFolder()
        let delivered = folder.file("PostCodes.sqlite")
        try deliver(delivered)
        let bytes = try Data(contentsOf: delivered)
        let model = try requireValue(NSManagedObjectModel(byMerging: [Self.ratings(), Self.postcodes()]))
        expectTrue(Set(model.configurations).isSuperset(of: ["PostCodesConf", "UserConf"]))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let user = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "UserConf", at: folder.file("User.sqlite"))
        let codes = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "PostCodesConf", at: delivered,
            options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            let rating = context.make("Rating")
            rating.setValuesForKeys(["postcode": "CT1", "rating": 4])
            try context.save()
            #expect(rating.objectID.persistentStore === user)
            let found = try context.all("Postcode", "code == %@", ["CT1"])
            try #require(found.count == 1)
            #expect(found[0].objectID.persistentStore === codes)
            expectEqual(found[0].object("county")?.text("name"), "Kent")
            let new = context.make("Postcode")
            let error = try requireValue(thrownError { try context.save() })
            expectEqual(error.code, CocoaError.Code.fileWriteNoPermission.rawValue)
            expectContains(error.localizedDescription, "Postcode", "\(error)")
            context.delete(new)
        }
        try expectEqual(Data(contentsOf: delivered), bytes)
        expectContains(try SQLiteFile(user.url ?? delivered).tables(), "ZRATING")
        #expect(try !SQLiteFile(user.url ?? delivered).tables().contains("ZPOSTCODE"))
    }
}
