import CoreData
import Testing

/// A manager with its own property and initializer.
final class TaggedManager: NSMigrationManager, @unchecked Sendable {
    let tag: String

    init(tag: String, from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
        self.tag = tag
        super.init(sourceModel: source, destinationModel: destination)
    }
}

@Suite("Migration managers")
struct MigrationManagerTests {
    private static func book(_ attributes: [NSAttributeDescription]) -> NSManagedObjectModel {
        model([entity("Book", attributes)])
    }

    /// Calls a block with a context of a SQLite store, and closes the store.
    private func withStore(
        _ model: NSManagedObjectModel, _ url: URL, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) { try body(context) }
        try coordinator.remove(store)
    }

    @Test("Before a migration there is no entity mapping, so it has no properties")
    func currentEntityMapping() {
        let model = Self.book([attribute("title", .stringAttributeType)])
        let mapping = NSMigrationManager(sourceModel: model, destinationModel: model).currentEntityMapping
        let name: String? = mapping.name
        expectEqual(name, nil)
        expectEqual(mapping.sourceEntityName, nil)
        expectEqual(mapping.destinationEntityName, nil)
        #expect(mapping.attributeMappings?.isEmpty ?? true)
    }

    @Test("A subclass with an initializer of its own migrates")
    func ownInitializer() throws {
        let folder = try TemporaryFolder()
        let old = Self.book([attribute("title", .stringAttributeType)])
        let new = Self.book([attribute("title", .stringAttributeType), attribute("note", .stringAttributeType)])
        try withStore(old, folder.file("old.sqlite")) { context in
            context.make("Book").setValue("Emma", forKey: "title")
            try context.save()
        }
        let manager = TaggedManager(tag: "own", from: old, to: new)
        manager.usesStoreSpecificMigrationManager = false
        try manager.migrateStore(
            from: folder.file("old.sqlite"), sourceType: NSSQLiteStoreType, options: nil,
            with: NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new),
            toDestinationURL: folder.file("new.sqlite"), destinationType: NSSQLiteStoreType, destinationOptions: nil)
        expectEqual(manager.tag, "own")
        try withStore(new, folder.file("new.sqlite")) { context in
            try expectEqual(context.all("Book").map { $0.text("title") }, ["Emma"])
        }
    }

    @Test("A new required relationship is inferred, and the migration of objects fails with validation")
    func requiredRelationship() throws {
        let folder = try TemporaryFolder()
        let old = Self.book([attribute("title", .stringAttributeType)])
        let author = entity("Author", [attribute("name", .stringAttributeType)])
        let (by, books) = (toOne("author", author, optional: false), NSRelationshipDescription())
        let book = entity("Book", [attribute("title", .stringAttributeType), by])
        books.name = "books"
        books.destinationEntity = book
        books.maxCount = 0
        books.isOptional = true
        pair(by, books)
        author.properties.append(books)
        let new = model([book, author])
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        for (name, count) in [("empty", 0), ("full", 1)] {
            let source = folder.file("\(name).sqlite")
            try withStore(old, source) { context in
                for _ in 0..<count { context.make("Book") }
                try context.save()
            }
            let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
            manager.usesStoreSpecificMigrationManager = false
            let error = thrownError {
                try manager.migrateStore(
                    from: source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
                    toDestinationURL: folder.file("\(name)-new.sqlite"), destinationType: NSSQLiteStoreType,
                    destinationOptions: nil)
            }
            expectEqual(error?.code, (count == 0 ? nil : NSValidationMissingMandatoryPropertyError))
        }
    }
}
