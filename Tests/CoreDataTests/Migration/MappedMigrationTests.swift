import CoreData
import Testing

/// Divides "name" of a song into artist and title, and makes an artist for each name.
final class ArtistPolicy: NSEntityMigrationPolicy {
    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        manager.userInfo = ["artists": NSMutableDictionary()]
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let songs = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        let parts = (sInstance.value(forKey: "name") as? String ?? "").components(separatedBy: " - ")
        guard parts.count == 2, let artists = manager.userInfo?["artists"] as? NSMutableDictionary else { return }
        songs[0].setValue(parts[1], forKey: "name")
        let artist =
            artists[parts[0]] as? NSManagedObject
            ?? NSEntityDescription.insertNewObject(forEntityName: "Artist", into: manager.destinationContext)
        artist.setValue(parts[0], forKey: "name")
        artists[parts[0]] = artist
        songs[0].setValue(artist, forKey: "artist")
    }
}

/// Writes down which methods are called.
final class RecordingPolicy: NSEntityMigrationPolicy {
    private func record(_ text: String, _ mapping: NSEntityMapping, _ manager: NSMigrationManager) {
        (manager.userInfo?["calls"] as? NSMutableArray)?.add("\(text) \(mapping.name!)")
        #expect(manager.currentEntityMapping === mapping)
    }
    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        record("begin", mapping, manager)
    }
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        record("create", mapping, manager)
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        record("endInstanceCreation", mapping, manager)
    }
    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        record("relate", mapping, manager)
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }
    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        record("endRelationshipCreation", mapping, manager)
    }
    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        record("validate", mapping, manager)
    }
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        record("end", mapping, manager)
    }
}

private struct Refusal: Error {}

final class FailingPolicy: NSEntityMigrationPolicy {
    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        throw Refusal()
    }
}

final class CancellingPolicy: NSEntityMigrationPolicy {
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        manager.cancelMigrationWithError(Refusal())
    }
}

/// Looks each song up in both directions at the end.
final class LookUpPolicy: NSEntityMigrationPolicy {
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
        for song in try manager.sourceContext.fetch(request) {
            let made = manager.destinationInstances(
                forEntityMappingName: mapping.name, sourceInstances: [song])
            expectEqual(made.map { $0.text("name") }, [song.text("name")])
            let back = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: made)
            expectEqual(back, [song])
        }
        let all = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
        expectEqual(all.count, 2500)
    }
}

/// Stores that a migration manager makes from others with a mapping model.
@Suite("Migration with a mapping model")
struct MappedMigrationTests {
    static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var source: URL { folder.file("old.store") }
    private var destination: URL { folder.file("new.store") }
    /// The files of the new store, and hidden files.
    private var leftovers: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []).filter {
            $0.contains("new") || $0.hasPrefix(".")
        }
    }

    // MARK: Models and mappings

    /// Song with a name and a number; Album with many songs.
    private static func oldModel() -> NSManagedObjectModel {
        let song = entity(
            "Song", [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType)])
        let album = entity("Album", [attribute("name", .stringAttributeType)])
        let songs = toMany("songs", song)
        let owner = toOne("album", album)
        pair(songs, owner)
        album.properties.append(songs)
        song.properties.append(owner)
        return model([song, album])
    }

    /// Song has an artist; "number" is a text; the songs of an album are ordered.
    private static func newModel(artistIsRequired: Bool = false, numberType: NSAttributeType = .stringAttributeType)
        -> NSManagedObjectModel
    {
        let song = entity("Song", [attribute("name", .stringAttributeType), attribute("number", numberType)])
        let album = entity("Record", [attribute("title", .stringAttributeType)])
        let artist = entity("Artist", [attribute("name", .stringAttributeType)])
        let songs = toMany("songs", song, ordered: true)
        let owner = toOne("record", album)
        pair(songs, owner)
        album.properties.append(songs)
        let made = toMany("made", song)
        let by = toOne("artist", artist, optional: !artistIsRequired)
        pair(made, by)
        artist.properties.append(made)
        song.properties += [owner, by]
        return model([song, album, artist])
    }

    private static func mapping(
        _ source: String?, _ destination: String?, _ type: NSEntityMappingType, attributes: [(String, String)] = [],
        relationships: [(String, String)] = [], filter: String = "TRUEPREDICATE", policy: AnyClass? = nil
    ) -> NSEntityMapping {
        func property(_ name: String, _ format: String) -> NSPropertyMapping {
            let property = NSPropertyMapping()
            property.name = name
            property.valueExpression = NSExpression(format: format)
            return property
        }
        let mapping = NSEntityMapping()
        mapping.name = "\(source ?? "")To\(destination ?? "")"
        mapping.mappingType = type
        mapping.sourceEntityName = source
        mapping.destinationEntityName = destination
        mapping.attributeMappings = attributes.map(property)
        mapping.relationshipMappings = relationships.map(property)
        mapping.entityMigrationPolicyClassName = policy.map { NSStringFromClass($0) }
        if let source {
            mapping.sourceExpression = NSExpression(
                format: """
                    FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', '\(source)', \
                    "\(filter)"), FUNCTION($manager, 'valueForKeyPath:', 'sourceContext'), NO)
                    """)
        }
        return mapping
    }

    private static func songMapping(policy: AnyClass? = nil, filter: String = "TRUEPREDICATE") -> NSEntityMapping {
        mapping(
            "Song", "Song", policy == nil ? .transformEntityMappingType : .customEntityMappingType,
            attributes: [("name", "$source.name"), ("number", "FUNCTION($source.number, 'stringValue')")],
            relationships: [
                (
                    "record",
                    """
                    FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'AlbumToRecord', \
                    $source.album)
                    """
                )
            ], filter: filter, policy: policy)
    }

    private static func albumMapping(policy: AnyClass? = nil) -> NSEntityMapping {
        mapping("Album", "Record", .transformEntityMappingType, attributes: [("title", "$source.name")], policy: policy)
    }

    /// A mapping model with the version hashes of both models.
    private static func mappingModel(
        _ mappings: [NSEntityMapping], _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
    ) -> NSMappingModel {
        for mapping in mappings {
            mapping.sourceEntityVersionHash = mapping.sourceEntityName.flatMap { old.entityVersionHashesByName[$0] }
            mapping.destinationEntityVersionHash =
                mapping.destinationEntityName.flatMap { new.entityVersionHashesByName[$0] }
        }
        let model = NSMappingModel()
        model.entityMappings = mappings
        return model
    }

    // MARK: Stores

    private func open(_ model: NSManagedObjectModel, _ url: URL, _ type: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func makeSource(
        _ type: String = NSSQLiteStoreType, fill: (NSManagedObjectContext) throws -> Void
    ) throws {
        let context = try open(Self.oldModel(), source, type)
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try on(context) {
            try fill(context)
            coordinator.setMetadata(
                coordinator.metadata(for: coordinator.persistentStores[0]).merging(["mine": 7]) { $1 },
                for: coordinator.persistentStores[0])
            try context.save()
        }
        try coordinator.remove(coordinator.persistentStores[0])
    }

    private func migrate(
        _ mappings: [NSEntityMapping], type: String = NSSQLiteStoreType, to newType: String? = nil,
        model new: NSManagedObjectModel = newModel(), _ prepare: (NSMigrationManager) -> Void = { _ in }
    ) throws {
        let old = Self.oldModel()
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        prepare(manager)
        try manager.migrateStore(
            from: source, sourceType: type, options: nil, with: Self.mappingModel(mappings, old, new),
            toDestinationURL: destination, destinationType: newType ?? type, destinationOptions: nil)
        expectEqual(manager.migrationProgress, 1)
    }

    private func fillThreeSongs(_ context: NSManagedObjectContext) {
        let album = context.make("Album", "Blue")
        for (index, name) in ["Joni - Carey", "Joni - River", "Neil - Harvest"].enumerated() {
            context.make("Song", name, ["number": index, "album": album])
        }
    }

    // MARK: Tests

    @Test(
        "Attributes, relationships and objects that a policy adds, between all kinds of stores", arguments: types, types
    )
    func whole(_ type: String, _ newType: String) throws {
        try makeSource(type, fill: fillThreeSongs)
        try migrate([Self.songMapping(policy: ArtistPolicy.self), Self.albumMapping()], type: type, to: newType)
        let context = try open(Self.newModel(), destination, newType)
        try on(context) {
            try expectEqual(context.names("Song"), ["Carey", "Harvest", "River"])
            try expectEqual(context.names("Artist"), ["Joni", "Neil"])
            let record = try context.all("Record")[0]
            expectEqual(record.text("title"), "Blue")
            expectEqual(Set(record.ordered("songs").map { $0.text("number") }), ["0", "1", "2"])
            try expectEqual(context.one("Artist", "Joni").objects("made").count, 2)
        }
        // The old store stays as it is; the program's metadata are copied.
        try on(try open(Self.oldModel(), source, type)) {}
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: newType, at: destination, options: nil)
        #expect(metadata["mine"] as? Int == 7)
    }

    @Test("A mapping's filter selects the source objects")
    func filter() throws {
        try makeSource(fill: fillThreeSongs)
        try migrate([Self.songMapping(filter: "number > 0"), Self.albumMapping()])
        let context = try open(Self.newModel(), destination, NSSQLiteStoreType)
        try on(context) { try expectEqual(context.names("Song"), ["Joni - River", "Neil - Harvest"]) }
    }

    @Test("The methods of a policy are called in three passes over the mappings")
    func passes() throws {
        try makeSource { context in context.make("Song", "a", ["album": context.make("Album", "b")]) }
        let calls = NSMutableArray()
        try migrate([
            Self.songMapping(policy: RecordingPolicy.self), Self.albumMapping(policy: RecordingPolicy.self),
        ]) { $0.userInfo = ["calls": calls] }
        expectEqual(
            calls.compactMap { $0 as? String },
            [
                "begin SongToSong", "create SongToSong", "endInstanceCreation SongToSong",
                "begin AlbumToRecord", "create AlbumToRecord", "endInstanceCreation AlbumToRecord",
                "relate SongToSong", "endRelationshipCreation SongToSong",
                "relate AlbumToRecord", "endRelationshipCreation AlbumToRecord",
                "validate SongToSong", "validate AlbumToRecord",
                "end SongToSong", "end AlbumToRecord",
            ])
    }

    @Test("Objects can be looked up in both directions, after they were saved too")
    func associations() throws {
        try makeSource { context in
            for index in 0..<2500 { context.make("Song", "\(index)", ["number": index]) }
        }
        try migrate([Self.songMapping(policy: LookUpPolicy.self)])
    }

    @Test("Objects that break rules of the new model end the migration, and nothing is left")
    func invalid() throws {
        try makeSource(fill: fillThreeSongs)
        let error = thrownError {
            try migrate(
                [Self.songMapping(), Self.albumMapping()], model: Self.newModel(artistIsRequired: true))
        }
        expectEqual(error?.code, NSValidationMultipleErrorsError)
        expectEmpty(leftovers)
    }

    @Test("A required relationship that the second pass sets is valid")
    func requiredRelationship() throws {
        try makeSource(fill: fillThreeSongs)
        try migrate(
            [Self.songMapping(policy: ArtistPolicy.self), Self.albumMapping()],
            model: Self.newModel(artistIsRequired: true))
    }

    @Test("The error of a policy is thrown, and nothing is left")
    func failingPolicy() throws {
        try makeSource(fill: fillThreeSongs)
        #expect(throws: Refusal.self) { try migrate([Self.songMapping(policy: FailingPolicy.self)]) }
        expectEmpty(leftovers)
    }

    @Test("A cancelled migration throws the given error, and nothing is left")
    func cancelled() throws {
        try makeSource(fill: fillThreeSongs)
        #expect(throws: Refusal.self) { try migrate([Self.songMapping(policy: CancellingPolicy.self)]) }
        expectEmpty(leftovers)
    }

    @Test("The new store keeps the UUID of the old one, between all kinds of stores", arguments: types, types)
    func identifier(_ type: String, _ newType: String) throws {
        try makeSource(type, fill: fillThreeSongs)
        let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: source, options: nil)
        try migrate([Self.songMapping(), Self.albumMapping()], type: type, to: newType)
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: newType, at: destination, options: nil)
        #expect(after[NSStoreUUIDKey] as? String == before[NSStoreUUIDKey] as? String)
        let context = try open(Self.newModel(), destination, newType)
        try on(context) {
            let uri = try context.all("Record")[0].objectID.uriRepresentation()
            #expect(uri.host == before[NSStoreUUIDKey] as? String)
        }
    }

    @Test("A mapping model of another version is refused")
    func otherVersion() throws {
        try makeSource(fill: fillThreeSongs)
        let manager = NSMigrationManager(sourceModel: Self.oldModel(), destinationModel: Self.newModel())
        let other = Self.mappingModel([Self.songMapping()], Self.newModel(), Self.newModel())
        let error = thrownError {
            try manager.migrateStore(
                from: source, sourceType: NSSQLiteStoreType, options: nil, with: other, toDestinationURL: destination,
                destinationType: NSSQLiteStoreType, destinationOptions: nil)
        }
        expectEqual(error?.code, NSMigrationError)
    }

    @Test("A store that can't be opened is named with its role")
    func missingStore() throws {
        let error = thrownError { try migrate([Self.songMapping()]) }
        expectEqual(error?.code, NSMigrationManagerSourceStoreError)
        try makeSource(fill: fillThreeSongs)
        try Data("no store".utf8).write(to: destination)
        let second = thrownError { try migrate([Self.songMapping()]) }
        expectEqual(second?.code, NSMigrationManagerDestinationStoreError)
        #expect(second?.userInfo[NSUnderlyingErrorKey] != nil)
        try expectEqual(Data(contentsOf: destination), Data("no store".utf8))
    }

    @Test("Objects are added to a store that exists")
    func appending() throws {
        try makeSource(fill: fillThreeSongs)
        try migrate([Self.songMapping(), Self.albumMapping()])
        try migrate([Self.songMapping(), Self.albumMapping()])
        let context = try open(Self.newModel(), destination, NSSQLiteStoreType)
        try on(context) {
            try expectEqual(context.all("Song").count, 6)
            try expectEqual(context.all("Record").count, 2)
        }
    }

    @Test("Inferred mapping models are executed, by the store and by the manager", arguments: types, [true, false])
    func inferred(_ type: String, _ isStoreSpecific: Bool) throws {
        try makeSource(type, fill: fillThreeSongs)
        let new = Self.oldModel()
        let song = try requireValue(new.entitiesByName["Song"])
        let name = try requireValue(song.attributesByName["name"])
        name.name = "title"
        name.renamingIdentifier = "name"
        song.attributesByName["number"]?.attributeType = .doubleAttributeType
        song.properties.append(attribute("stars", .integer16AttributeType, optional: false, defaultValue: 3))
        let manager = NSMigrationManager(sourceModel: Self.oldModel(), destinationModel: new)
        manager.usesStoreSpecificMigrationManager = isStoreSpecific
        try manager.migrateStore(
            from: source, sourceType: type, options: nil,
            with: NSMappingModel.inferredMappingModel(forSourceModel: Self.oldModel(), destinationModel: new),
            toDestinationURL: destination, destinationType: type, destinationOptions: nil)
        let context = try open(new, destination, type)
        try on(context) {
            let album = try context.one("Album", "Blue")
            let songs = album.objects("songs").sorted { $0.text("title")! < $1.text("title")! }
            expectEqual(songs.map { $0.text("title") }, ["Joni - Carey", "Joni - River", "Neil - Harvest"])
            expectEqual(songs.map { $0.value(forKey: "number") as? Double }, [0, 1, 2])
            #expect(songs.allSatisfy { $0.number("stars") == 3 })
        }
    }

    @Test("Binary and XML stores are migrated when they are added", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func automatic(_ type: String) throws {
        try makeSource(type, fill: fillThreeSongs)
        let new = Self.oldModel()
        new.entitiesByName["Song"]?.properties.append(attribute("note", .stringAttributeType))
        // The old model isn't among the models of the test program.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: new)
        let error = thrownError {
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: source, options: LightweightMigrationTests.options)
        }
        expectEqual(error?.code, NSMigrationMissingSourceModelError)
        expectEmpty(leftovers)
    }
}
