import CoreData
import Testing

/// A class whose initializer sets values, as one that overrides the designated initializer may.
final class EagerObject: NSManagedObject {
    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        setValue("a text of more than fifteen bytes", forKey: "name")
        _ = objectID
    }
}

// On Apple's platforms the initializer is not required, and the override needs the word `override`.
@Suite("Overridden initializers")
struct InitializerTests {
    @Test("what an overridden initializer sets doesn't hide what the store has", arguments: StoreKind.allCases)
    func eagerInitializer(_ kind: StoreKind) throws {
        let eager = entity(
            "Eager", [attribute("name", .stringAttributeType), attribute("data", .binaryDataAttributeType)])
        eager.managedObjectClassName = NSStringFromClass(EagerObject.self)
        try withStack(kind, model: model([eager])) { stack in
            let object = stack.context.make("Eager")
            object.setValue("another text of more than fifteen bytes", forKey: "name")
            object.setValue(Data([1, 2, 3]), forKey: "data")
            try stack.context.save()
            let id = object.objectID
            for asFaults in [true, false] {
                try inFreshContext(stack) { context in
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Eager")
                    request.returnsObjectsAsFaults = asFaults
                    let found = try context.fetch(request)[0]
                    #expect(found is EagerObject)
                    expectEqual(found.objectID, id)
                    expectFalse(found.hasChanges)
                    expectEqual(found.isFault, asFaults)
                    expectEqual(found.text("name"), "another text of more than fifteen bytes")
                    #expect(found.value(forKey: "data") as? Data == Data([1, 2, 3]))
                }
            }
            try on(stack.newContext()) {
                let context = stack.newContext()
                try on(context) {
                    expectEqual(context.object(with: id).text("name"), "another text of more than fifteen bytes")
                }
            }
        }
    }
}
