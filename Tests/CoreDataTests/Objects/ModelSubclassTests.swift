import CoreData
import Testing

private final class AuditedModel: NSManagedObjectModel {
    private(set) var reads = 0

    override var entitiesByName: [String: NSEntityDescription] {
        reads += 1
        return super.entitiesByName
    }
}

private final class LimitedRequest: NSFetchRequest<NSManagedObject> {
    override var fetchLimit: Int {
        get { super.fetchLimit }
        set { super.fetchLimit = min(newValue, 10) }
    }
}

private final class RequiredRelationship: NSRelationshipDescription {
    override var minCount: Int {
        get { super.minCount }
        set { super.minCount = max(newValue, 1) }
    }
}

@Suite("Subclasses of models, entities and requests")
struct ModelSubclassTests {
    @Test("members of Apple's classes can be overridden")
    func overriding() throws {
        let model = AuditedModel()
        model.entities = [entity("Book", [attribute("name", .stringAttributeType)])]
        #expect((model as NSManagedObjectModel).entitiesByName["Book"] != nil)
        expectEqual(model.reads, 1)
        let request = LimitedRequest(entityName: "Book")
        (request as NSFetchRequest<NSManagedObject>).fetchLimit = 100
        expectEqual(request.fetchLimit, 10)
        let relationship = RequiredRelationship()
        (relationship as NSRelationshipDescription).minCount = 0
        expectEqual(relationship.minCount, 1)
    }

    @Test("the framework's classes have Apple's names, which an entity and a mapping may name")
    func frameworkClasses() throws {
        expectEqual(NSStringFromClass(NSManagedObject.self), "NSManagedObject")
        expectEqual(NSStringFromClass(NSEntityMigrationPolicy.self), "NSEntityMigrationPolicy")
        let book = entity("Book", [attribute("name", .stringAttributeType)])
        book.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
        try withStack(.sqlite, model: model([book])) { stack in
            stack.context.make("Book", "Emma")
            try stack.context.save()
            let newModel = model([
                entity("Book", [attribute("name", .stringAttributeType), attribute("note", .stringAttributeType)])
            ])
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: stack.model, destinationModel: newModel)
            for mapping in mapping.entityMappings {
                mapping.entityMigrationPolicyClassName = NSStringFromClass(NSEntityMigrationPolicy.self)
            }
            let url = stack.folder.file("new.sqlite")
            try NSMigrationManager(sourceModel: stack.model, destinationModel: newModel).migrateStore(
                from: try requireValue(stack.store.url), sourceType: NSSQLiteStoreType, options: nil, with: mapping,
                toDestinationURL: url, destinationType: NSSQLiteStoreType, destinationOptions: nil)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: newModel)
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try on(context) { try expectEqual(context.names("Book"), ["Emma"]) }
        }
    }

    @Test("a context executes a request of a subclass")
    func fetching() throws {
        try withStack(.memory) { stack in
            for number in 0..<12 { stack.context.make("Book", "\(number)") }
            try stack.context.save()
            let request = LimitedRequest(entityName: "Book")
            request.fetchLimit = 100
            try expectEqual(stack.context.fetch(request).count, 10)
        }
    }
}
