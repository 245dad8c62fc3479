import CoreData
import Testing

/// A class with the fetch request that Xcode generates.
final class Recording: NSManagedObject {
    @nonobjc class func fetchRequest() -> NSFetchRequest<Recording> {
        NSFetchRequest<Recording>(entityName: "Recording")
    }

    var title: String? { value(forKey: "title") as? String }
}

@Suite("Fetch requests of generated classes")
struct GeneratedFetchRequestTests {
    @Test("are preferred to the framework's untyped request", arguments: StoreKind.allCases)
    func typed(_ kind: StoreKind) throws {
        let recording = entity("Recording", [attribute("title", .stringAttributeType)])
        recording.managedObjectClassName = NSStringFromClass(Recording.self)
        try withStack(kind, model: model([recording])) { stack in
            stack.context.make("Recording", nil, ["title": "A"])
            let request = Recording.fetchRequest()
            request.predicate = NSPredicate(format: "title == 'A'")
            let found = try stack.context.fetch(request)
            expectEqual(found.map(\.title), ["A"])
            try expectEqual(stack.context.fetch(Recording.fetchRequest()).first?.title, "A")
            // The framework's own request is there for code that asks for its type.
            let untyped: NSFetchRequest<any NSFetchRequestResult> = Recording.fetchRequest()
            try expectEqual(stack.context.count(for: untyped), 1)
        }
    }
}

/// A class that no model names.
private final class Unmodelled: NSManagedObject {}

@Suite("Classes without an entity")
struct ClassWithoutEntityTests {
    @Test("have an entity without a name")
    func entity() {
        expectEqual(Unmodelled.entity().name, nil)
        let request: NSFetchRequest<any NSFetchRequestResult> = Unmodelled.fetchRequest()
        expectEqual(request.entityName, "Unmodelled")
    }
}
