import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

/// SQLite stores with the cached model and the metadata of another store.
@Suite("Cached models and metadata of another store")
struct CacheDisagreementTests {
    /// How a model differs from the model of the tables.
    enum Change: String, CaseIterable, Sendable {
        case none, otherNames, newAttribute, missingAttribute, otherType, toOne, movedToRoot, movedDown, renamed
        case exchanged, newEntity, abstract
    }

    /// How a coordinator opens the file.
    enum Opening: CaseIterable, Sendable {
        case plain, migrating, ignoringVersions

        var options: [AnyHashable: Any] {
            switch self {
            case .plain: [:]
            case .migrating:
                [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
            case .ignoringVersions: [NSIgnorePersistentStoreVersioningOption: true]
            }
        }
    }

    struct Case: Sendable {
        let cache: Change
        let metadata: Change
        let target: Change
        let opening: Opening

        static var all: [Case] {
            var cases: [Case] = []
            for donor in Change.allCases {
                for (cache, metadata) in [(donor, .none), (.none, donor), (donor, donor)] as [(Change, Change)] {
                    for target in [.none, .newAttribute, donor] as [Change] {
                        for opening in Opening.allCases {
                            cases.append(Case(cache: cache, metadata: metadata, target: target, opening: opening))
                        }
                    }
                }
            }
            return cases
        }
    }

    private static func make(_ change: Change) -> NSManagedObjectModel {
        let isOther = change == .otherNames
        let pet = entity(isOther ? "Planet" : "Pet", [attribute("name", .stringAttributeType)])
        let dog = entity(isOther ? "Moon" : "Dog")
        let cat = entity(isOther ? "Star" : change == .renamed ? "Tiger" : "Cat")
        let owner = entity(isOther ? "Galaxy" : "Owner", [attribute("name", .stringAttributeType)])
        pet.properties.append(
            attribute("age", change == .otherType ? .stringAttributeType : .integer32AttributeType))
        if change == .newAttribute { pet.properties.append(attribute("colour", .stringAttributeType)) }
        let trick = attribute("trick", .stringAttributeType)
        let lives = attribute("lives", .integer16AttributeType)
        dog.properties = change == .missingAttribute ? [] : [change == .exchanged ? lives : trick]
        cat.properties = [change == .exchanged ? trick : lives]
        pet.isAbstract = change == .abstract
        switch change {
        case .movedToRoot:
            cat.properties += [attribute("name", .stringAttributeType), attribute("age", .integer32AttributeType)]
            pet.subentities = [dog]
        case .movedDown:
            dog.subentities = [cat]
            pet.subentities = [dog]
        default: pet.subentities = [dog, cat]
        }
        let pets = change == .toOne ? toOne("pets", pet) : toMany("pets", pet)
        let of = toOne("owner", owner)
        pair(pets, of)
        let favourite = toOne("favourite", cat)
        owner.properties += [pets, favourite]
        pet.properties.append(of)
        return model(
            [pet, dog, cat, owner]
                + (change == .newEntity
                    ? [entity("Ant", [trick.copy()].compactMap { $0 as? NSPropertyDescription })] : []))
    }

    private static func store(_ model: NSManagedObjectModel, at url: URL, _ options: [AnyHashable: Any] = [:]) throws
        -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func close(_ context: NSManagedObjectContext, at url: URL) throws {
        context.performAndWait { context.reset() }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
        // The file alone has everything then.
        try SQLiteFile(creating: url).run("PRAGMA journal_mode = DELETE")
    }

    /// Gives a file the cached model and the metadata of others.
    private static func give(_ url: URL, cacheOf cache: URL, metadataOf metadata: URL) throws {
        let file = try SQLiteFile(creating: url)
        try file.run("ATTACH '\(cache.path)' AS cache")
        try file.run("ATTACH '\(metadata.path)' AS metadata")
        try file.run("UPDATE main.Z_MODELCACHE SET Z_CONTENT = (SELECT Z_CONTENT FROM cache.Z_MODELCACHE)")
        try file.run("UPDATE main.Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM metadata.Z_METADATA)")
    }

    @Test("A store that disagrees with its cached model or metadata is refused unchanged, or is read as it is")
    func disagreement() throws {
        let folder = try TemporaryFolder()
        var donors: [Change: URL] = [:]
        for change in Change.allCases {
            let url = folder.file("\(change).sqlite")
            let context = try Self.store(Self.make(change), at: url)
            if change == .none { try on(context) { try Self.fill(context) } }
            try Self.close(context, at: url)
            donors[change] = url
        }
        let own = try requireValue(donors[.none])
        let context = try Self.store(Self.make(.none), at: own)
        var expected: [String: [String: String]] = [:]
        try on(context) { expected = try GraphCheck(context).contents }
        try Self.close(context, at: own)
        for one in Case.all.sampled(60) {
            let url = folder.file("altered.sqlite")
            try FileManager.default.copyItem(at: own, to: url)
            try Self.give(url, cacheOf: requireValue(donors[one.cache]), metadataOf: requireValue(donors[one.metadata]))
            do {
                let context = try Self.store(Self.make(one.target), at: url, one.opening.options)
                try on(context) { try expectGraph(context, one, expected) }
                try Self.close(context, at: url)
            } catch let error as NSError {
                expectEqual(error.domain, NSCocoaErrorDomain, "\(one): \(error)")
                try Self.give(url, cacheOf: own, metadataOf: own)
                let context = try Self.store(Self.make(.none), at: url)
                try on(context) { try expectEqual(GraphCheck(context).contents, expected, "\(one)") }
                try Self.close(context, at: url)
            }
            for name in try folder.contents where name.contains("altered") {
                try FileManager.default.removeItem(at: folder.file(name))
            }
        }
    }

    private func expectGraph(
        _ context: NSManagedObjectContext, _ one: Case, _ expected: [String: [String: String]]
    ) throws {
        let check = try GraphCheck(context)
        for problem in check.problems { Issue.record("\(one): \(problem)") }
        // A model without the entities of some rows can't show them.
        let hasEntities = ![.otherNames, .renamed, .abstract, .movedToRoot].contains(one.target)
        if hasEntities {
            let names = check.contents.values.compactMap { $0["name"] }.sorted()
            let all = expected.values.compactMap { $0["name"] }.sorted()
            expectEqual(names, all, "\(one)")
        }
        // By metadata and cached model the values of an exchanged attribute are none of these entities.
        if one.target == .none, one.metadata != .exchanged {
            expectEqual(check.contents.values.map(\.description).count, expected.count, "\(one)")
            let values = check.contents.values.compactMap { $0["trick"] }.sorted()
            expectEqual(values, expected.values.compactMap { $0["trick"] }.sorted(), "\(one)")
        }
        let entity = try requireValue(
            context.persistentStoreCoordinator?.managedObjectModel.entities.first { !$0.isAbstract })
        context.make(entity.name ?? "")
        try context.save()
    }

    private static func fill(_ context: NSManagedObjectContext) throws {
        let owner = context.make("Owner", "Ann")
        let rex = context.make("Dog", "Rex", ["trick": "sits", "age": 3])
        let tom = context.make("Cat", "Tom", ["lives": 9, "age": 2])
        let pat = context.make("Pet", "Pat", ["age": 1])
        owner.setValue(NSSet(array: [rex, tom, pat]), forKey: "pets")
        owner.setValue(tom, forKey: "favourite")
        try context.save()
    }
}
