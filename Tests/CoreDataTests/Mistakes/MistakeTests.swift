import CoreData
import Testing

/// Mistakes of the programmer stop the program with a message that names what was wrong.
@Suite("Mistakes that stop the program")
struct MistakeTests {
    private static func expect(
        _ result: ExitTest.Result?, says parts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for part in parts { #expect(said.contains(part), "\(said.prefix(600))", sourceLocation: sourceLocation) }
    }

    @Test("reading an unknown key names entity, key and what there is")
    func unknownKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { _ = $0.context.make("Book", "A").value(forKey: "colour") }
        }
        Self.expect(result, says: "Book", "colour", "pages")
    }

    @Test("setting an unknown key names entity and key")
    func setUnknownKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { $0.context.make("Book", "A").setValue("red", forKey: "colour") }
        }
        Self.expect(result, says: "Book", "colour")
    }

    @Test("a value of a wrong type names entity, key and both types")
    func wrongType() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { $0.context.make("Book", "A").setValue("many", forKey: "pages") }
        }
        Self.expect(result, says: "Unacceptable type of value for attribute", "Book", "pages", "NSNumber", "String")
    }

    @Test("an object of a wrong entity in a relationship names both entities")
    func wrongDestination() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) {
                $0.context.make("Book", "A").setValue($0.context.make("Tag", "t"), forKey: "author")
            }
        }
        Self.expect(result, says: "Unacceptable type of value for to-one relationship", "author", "Author", "Tag")
    }

    @Test("a relationship between two contexts is refused")
    func otherContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { stack in
                let other = stack.newContext()
                stack.context.make("Book", "A").setValue(other.make("Author", "B"), forKey: "author")
            }
        }
        Self.expect(result, says: "different contexts", "author")
    }

    @Test("changing a frozen model says that it is in use")
    func frozenModel() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { $0.model.entitiesByName["Book"]?.name = "Tome" }
        }
        Self.expect(result, says: "immutable")
    }

    @Test("an unknown entity is named, with what there is")
    func unknownEntity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { _ = try $0.context.all("Bok") }
        }
        Self.expect(result, says: "Bok", "Book")
    }

    @Test("an abstract entity has no objects")
    func abstract() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { $0.context.make("Person", "A") }
        }
        Self.expect(result, says: "Person", "abstract")
    }

    @Test("an unknown configuration is named")
    func unknownConfiguration() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            _ = try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: "Cloud", at: nil, options: nil)
        }
        Self.expect(result, says: "Cloud")
    }

    @Test("a context without a queue performs no blocks")
    func confinement() async {
        let later = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            NSManagedObjectContext(concurrencyType: .confinementConcurrencyType).perform {}
        }
        Self.expect(later, says: "Can only use perform(_:) on an NSManagedObjectContext that was created with a queue.")
        let waiting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            NSManagedObjectContext(concurrencyType: .confinementConcurrencyType).performAndWait {}
        }
        Self.expect(waiting, says: "Can only use performAndWait(_:)")
        let suspended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await NSManagedObjectContext(concurrencyType: .confinementConcurrencyType).perform(schedule: .enqueued) {}
        }
        Self.expect(suspended, says: "Can only use perform(schedule:_:)")
    }
}
