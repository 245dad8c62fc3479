import CoreData
import Testing

@Suite("coredata store fetch --related-to")
struct RelatedObjectsTests {
    /// A store of a list whose relationship to its items has no inverse.
    private func makeStore(in folder: TemporaryFolder) throws -> String {
        let (list, item) = (NSEntityDescription(), NSEntityDescription())
        (list.name, item.name) = ("List", "Item")
        let items = NSRelationshipDescription()
        (items.name, items.destinationEntity, items.maxCount) = ("items", item, 0)
        let name = NSAttributeDescription()
        (name.name, name.attributeType) = ("name", .stringAttributeType)
        (list.properties, item.properties) = ([items], [name])
        let model = NSManagedObjectModel()
        model.entities = [list, item]
        let url = folder.file("Lists.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            object.setValue("a", forKey: "name")
            NSEntityDescription.insertNewObject(forEntityName: "List", into: context)
                .setValue(NSSet(object: object), forKey: "items")
            try context.save()
        }
        return url.path
    }

    @Test("an ID names the entity")
    func withoutEntity() async throws {
        let folder = try TemporaryFolder()
        let store = try makeStore(in: folder)
        let related = try await CommandRun("store", "fetch", store, "--related-to", "List/p1/items")
        expectEqual(related.errors, "")
        expectEqual(related.lines.last, "1 object")
        let one = try await CommandRun("store", "fetch", store, "--id", "Item/p1", "--format", "csv")
        expectEqual(one.errors, "")
        expectContains(one.output, "Item/p1,a")
        let wrong = try await CommandRun("store", "fetch", store, "--id", "Itm/p1")
        expectEqual(wrong.status, 1)
        expectContains(wrong.errors, "'Itm/p1' is no ID of an object of the store. Use Entity/p1.")
    }

    @Test("the members of a relationship without inverse are printed")
    func members() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            "store", "fetch", try makeStore(in: folder), "--entity", "Item", "--related-to", "List/p1/items")
        expectEqual(run.errors, "")
        expectEqual(run.lines.last, "1 object")
    }

    @Test("an owner that is missing is an error, not an owner without members")
    func missingOwner() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            "store", "fetch", try makeStore(in: folder), "--entity", "Item", "--related-to", "List/p99/items")
        #expect(run.status != 0)
        expectEqual(run.output, "")
    }
}
