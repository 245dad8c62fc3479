import CoreData
import Testing

/// A character may be one Unicode scalar (composed) or several (decomposed). Swift's strings are equal then; texts in
/// stores and predicates aren't, on Apple's platforms too.
@Suite("Texts whose characters are composed in different ways")
struct TextFormTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    private static func bytes(_ objects: [NSManagedObject]) -> [Int] {
        objects.compactMap { $0.text("name")?.utf8.count }.sorted()
    }

    private static func request(_ predicate: NSPredicate) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.predicate = predicate
        return request
    }

    /// A stack with one tag of each form, saved.
    private static func withTags(_ kind: StoreKind, _ body: (NSManagedObjectContext) throws -> Void) throws {
        try withStack(kind) { stack in
            stack.context.make("Tag", composed)
            stack.context.make("Tag", decomposed)
            try stack.context.save()
            try body(stack.context)
        }
    }

    @Test("setting the other form is a change, and is saved", arguments: StoreKind.everyKind)
    func changing(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        try on(stack.context) {
            let tag = stack.context.make("Tag", Self.composed)
            try stack.context.save()
            tag.setValue(Self.decomposed, forKey: "name")
            expectEqual(tag.changedValues().keys.sorted(), ["name"])
            try stack.context.save()
        }
        try inFreshContext(stack) { try expectEqual(Self.bytes($0.all("Tag")), [6]) }
    }

    @Test("a format with one form finds that one, after the same format with the other", arguments: StoreKind.everyKind)
    func formats(_ kind: StoreKind) throws {
        try Self.withTags(kind) { context in
            for (text, count) in [(Self.composed, 5), (Self.decomposed, 6)] {
                let predicate = NSPredicate(format: "name == '\(text)'")
                try expectEqual(Self.bytes(context.fetch(Self.request(predicate))), [count])
                let tags = try context.all("Tag")
                expectEqual(Self.bytes(tags.filter { predicate.evaluate(with: $0) }), [count])
            }
        }
    }

    @Test(
        "a pattern with one form matches that one, after the same pattern with the other",
        arguments: StoreKind.allCases)
    func patterns(_ kind: StoreKind) throws {
        try Self.withTags(kind) { context in
            for (text, count) in [(Self.composed, 5), (Self.decomposed, 6)] {
                let predicate = NSPredicate(format: "name MATCHES %@", text)
                try expectEqual(Self.bytes(context.fetch(Self.request(predicate))), [count])
                let tags = try context.all("Tag")
                expectEqual(Self.bytes(tags.filter { predicate.evaluate(with: $0) }), [count])
            }
        }
    }

    @Test(
        "both forms in one predicate find both, however often it is used", arguments: StoreKind.everyKind,
        ["name == %@ OR name == %@", "name IN {%@, %@}"])
    func bothForms(_ kind: StoreKind, _ format: String) throws {
        try Self.withTags(kind) { context in
            for _ in 0..<4 {
                let predicate = NSPredicate(format: format, Self.composed, Self.decomposed)
                try expectEqual(Self.bytes(context.fetch(Self.request(predicate))), [5, 6])
            }
        }
    }

    @Test(
        "each form is a group and a distinct value of its own",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func dictionaries(_ kind: StoreKind) throws {
        try Self.withTags(kind) { context in
            let groups = dictionaryRequest("Tag", ["name", column("n", "count:(name)")], group: ["name"])
            try expectEqual(context.texts(groups).map { $0.utf8.count }.sorted(), [14, 15])
            let names = dictionaryRequest("Tag", ["name"])
            names.returnsDistinctResults = true
            try expectEqual(context.texts(names).map { $0.utf8.count }.sorted(), [10, 11])
        }
    }

    @Test("each form is a section of its own", arguments: StoreKind.allCases)
    func sections(_ kind: StoreKind) throws {
        try Self.withTags(kind) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.sortDescriptors = [up("name")]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "name", cacheName: nil)
            try controller.performFetch()
            expectEqual(controller.sections?.map(\.numberOfObjects), [1, 1])
        }
    }

    @Test("a uniqueness constraint allows both forms", arguments: StoreKind.everyKind)
    func uniqueness(_ kind: StoreKind) throws {
        let tag = entity("Tag", [attribute("name", .stringAttributeType)])
        tag.uniquenessConstraints = [["name"]]
        let stack = try TestStack(kind, model: model([tag]))
        try on(stack.context) {
            for text in [Self.composed, Self.decomposed] { stack.context.make("Tag", text) }
            try stack.context.save()
        }
        try inFreshContext(stack) { try expectEqual(Self.bytes($0.all("Tag")), [5, 6]) }
    }

    @Test("a merge keeps the other form that a save brings", arguments: StoreKind.allCases)
    func merging(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let id = try stack.context.performAndWait {
            let tag = stack.context.make("Tag", Self.composed)
            try stack.context.save()
            return tag.objectID
        }
        let other = stack.newContext()
        try on(other) {
            other.automaticallyMergesChangesFromParent = true
            try expectEqual(Self.bytes([other.existingObject(with: id)]), [5])
        }
        try on(stack.context) {
            try stack.context.existingObject(with: id).setValue(Self.decomposed, forKey: "name")
            try stack.context.save()
        }
        try on(other) { try expectEqual(Self.bytes([other.existingObject(with: id)]), [6]) }
    }
}
