import CoreData
import Testing

@Suite("Fetched properties")
struct FetchedPropertyTests {
    /// Artists find their songs by name; the longest ones by a number in the property's user info.
    private func makeModel(configurations: Bool = false) -> NSManagedObjectModel {
        let song = entity(
            "Song",
            [
                attribute("name", .stringAttributeType), attribute("artist", .stringAttributeType),
                attribute("length", .integer32AttributeType),
            ])
        let songs = fetched("songs", "artist == $FETCH_SOURCE.name")
        let long = fetched("long", "artist == $FETCH_SOURCE.name AND length >= $FETCHED_PROPERTY.userInfo.limit")
        long.userInfo = ["limit": 20]
        let peers = fetched(
            "peers", "SELF != $FETCH_SOURCE AND name BEGINSWITH $FETCH_SOURCE.label.initial", entity: "Artist")
        let label = entity("Label", [attribute("initial", .stringAttributeType)])
        let artist = entity("Artist", [attribute("name", .stringAttributeType), songs, long, peers])
        let ofLabel = toOne("label", label)
        let artists = toMany("artists", artist)
        pair(ofLabel, artists)
        artist.properties.append(ofLabel)
        label.properties.append(artists)
        let model = model([song, artist, label])
        if configurations {
            model.setEntities([song], forConfigurationName: "Songs")
            model.setEntities([artist, label], forConfigurationName: "Artists")
        }
        return model
    }

    private func fetched(_ name: String, _ format: String, entity: String = "Song") -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        property.name = name
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        property.fetchRequest = request
        return property
    }

    private func names(_ object: NSManagedObject, _ key: String) -> [String]? {
        (object.value(forKey: key) as? [NSManagedObject])?.map { $0.text("name") ?? "" }
    }

    private func fill(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        let label = context.make("Label", nil, ["initial": "A"])
        let anna = context.make("Artist", "Anna", ["label": label])
        context.make("Artist", "Ada", ["label": label])
        context.make("Artist", "Bob")
        for (index, name) in ["a", "b", "c"].enumerated() {
            context.make("Song", name, ["artist": "Anna", "length": 10 * (index + 1)])
        }
        context.make("Song", "d", ["artist": "Bob"])
        try context.save()
        return anna
    }

    @Test("user info that changes while the program runs is read by the next fetch", arguments: StoreKind.allCases)
    func changedUserInfo(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let anna = try fill(stack.context)
            try stack.context.save()
            let before = try requireValue(names(anna, "long"))
            anna.entity.propertiesByName["long"]?.userInfo = ["limit": 1_000_000]
            stack.context.refresh(anna, mergeChanges: true)
            #expect(!before.isEmpty)
            expectEqual(names(anna, "long"), [])
        }
    }

    @Test(
        "the owner and the property stand in the predicate, with key paths behind them; results are sorted",
        arguments: StoreKind.allCases)
    func variables(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let anna = try fill(stack.context)
            expectEqual(names(anna, "songs"), ["c", "b", "a"])
            expectEqual(names(anna, "long"), ["c", "b"])
            expectEqual(names(anna, "peers"), ["Ada"])
            try inFreshContext(stack) { context in
                try expectEqual(names(context.one("Artist", "Bob"), "songs"), ["d"])
                try expectEqual(names(context.one("Artist", "Bob"), "peers"), [])
            }
        }
    }

    @Test("the value is stored until the object is refreshed", arguments: StoreKind.allCases)
    func kept(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let anna = try fill(stack.context)
            expectEqual(names(anna, "songs")?.count, 3)
            let new = stack.context.make("Song", "e", ["artist": "Anna"])
            expectEqual(names(anna, "songs")?.count, 3)
            stack.context.refresh(anna, mergeChanges: true)
            expectEqual(names(anna, "songs"), ["e", "c", "b", "a"])
            stack.context.delete(new)
            anna.setValue("Bob", forKey: "name")
            stack.context.refresh(anna, mergeChanges: true)
            expectEqual(names(anna, "songs"), ["d"])
            stack.context.refresh(anna, mergeChanges: false)
            expectEqual(names(anna, "songs"), ["c", "b", "a"])
        }
    }

    @Test("an unsaved owner finds by its present values")
    func unsaved() throws {
        try withStack(.sqlite, model: makeModel()) { stack in
            _ = try fill(stack.context)
            let new = stack.context.make("Artist", "Bob")
            expectEqual(names(new, "songs"), ["d"])
            expectEqual(names(new, "peers"), [])
            new.setValue("Anna", forKey: "name")
            stack.context.refresh(new, mergeChanges: true)
            expectEqual(names(new, "songs"), ["c", "b", "a"])
        }
    }

    @Test("the objects may be in another store")
    func acrossStores() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel(configurations: true))
        for name in ["Songs", "Artists"] {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: name, at: folder.file("\(name).sqlite"), options: nil)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            let anna = try fill(context)
            expectEqual(names(anna, "long"), ["c", "b"])
            context.reset()
            try expectEqual(names(context.one("Artist", "Anna"), "songs"), ["c", "b", "a"])
        }
    }
}
