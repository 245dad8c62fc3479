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
