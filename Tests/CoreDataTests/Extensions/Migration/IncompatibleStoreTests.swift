import CoreData
import Testing

/// The errors about a store that the model can't open.
@Suite("Errors of stores of other models")
struct IncompatibleStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("Music.sqlite") }

    private static func song(_ attributes: [NSPropertyDescription]) -> NSManagedObjectModel {
        model([entity("Song", [attribute("name", .stringAttributeType)] + attributes)])
    }

    /// Writes a model of two versions, the second one current: `stars` is required then, without a default value.
    private func writeVersions() throws -> URL {
        func text(_ attributes: String) -> String {
            """
            <?xml version="1.0" encoding="UTF-8"?><model><entity name="Song">\
            <attribute name="name" optional="YES" attributeType="String"/>\(attributes)</entity>\
            <entity name="Label"><attribute name="name" optional="YES" attributeType="String"/></entity></model>
            """
        }
        try folder.write(text(""), to: "Music.xcdatamodeld/Music.xcdatamodel/contents")
        try folder.write(
            text("<attribute name=\"stars\" attributeType=\"Integer 16\"/>"),
            to: "Music.xcdatamodeld/Music 2.xcdatamodel/contents")
        try folder.write(
            """
            <plist version="1.0"><dict>\
            <key>_XCCurrentVersionName</key><string>Music 2.xcdatamodel</string></dict></plist>
            """, to: "Music.xcdatamodeld/.xccurrentversion")
        return folder.file("Music.xcdatamodeld")
    }

    private func open(_ model: NSManagedObjectModel, _ options: [String: Bool] = [:], type: String = NSSQLiteStoreType)
        throws
    {
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options.mapValues { $0 as NSNumber })
        try coordinator.remove(store)
    }

    private func failure(
        _ model: NSManagedObjectModel, _ options: [String: Bool] = [:], type: String = NSSQLiteStoreType
    ) throws -> NSError {
        try requireValue(thrownError { try open(model, options, type: type) })
    }

    private let migrates = [NSMigratePersistentStoresAutomaticallyOption: true]

    // MARK: Lost objects

    private static func person() -> NSManagedObjectModel {
        model([entity("Person", [attribute("name", .stringAttributeType)])])
    }

    @Test("134100 tells that the migration would delete all objects: the model is that of another store")
    func otherModel() throws {
        try open(Self.song([]))
        let text = try failure(Self.person()).localizedDescription
        expectContains(text, "it is probably the model of another store. A migration would delete all objects.")
    }

    @Test("134100 names the entities whose objects a migration would delete")
    func removedEntity() throws {
        let label = entity("Label", [attribute("name", .stringAttributeType)])
        try open(model([entity("Song", [attribute("name", .stringAttributeType)]), label]))
        let text = try failure(Self.song([])).localizedDescription
        expectContains(text, "A migration would delete all objects of Label: check that this is the model")
    }

    @Test("a migration that deletes objects says so in the log, with how many of which")
    func warning() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let tests = try IncompatibleStoreTests()
            let old = Self.song([])
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
            let store = try coordinator.addPersistentStore(type: .sqlite, at: tests.url)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                for _ in 0..<3 { _ = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context) }
                try context.save()
            }
            try coordinator.remove(store)
            try tests.open(
                Self.person(), tests.migrates.merging([NSInferMappingModelAutomaticallyOption: true]) { $1 })
        }
        let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
        expectContains(text, "deletes the objects of entities that the new model doesn't have: Song (3).", "\(text)")
    }

    // MARK: 134100

    @Test("134100 names the properties that differ, and the options that migrate the store")
    func inferable() throws {
        try open(Self.song([]))
        let error = try failure(Self.song([attribute("note", .stringAttributeType)]))
        expectEqual(error.code, NSPersistentStoreIncompatibleVersionHashError)
        expectEqual(
            error.localizedDescription,
            """
            The store “Music.sqlite” couldn’t be opened. The model used to open the store is incompatible with the \
            one used to create the store. What differs: Song.note: attribute added (String, optional). The model \
            that made the store is in it. The change can be inferred: set \
            NSMigratePersistentStoresAutomaticallyOption and NSInferMappingModelAutomaticallyOption.
            """)
        #expect(
            error.userInfo["reason"] as? String
                == "The model used to open the store is incompatible with the one used to create the store")
        #expect(error.userInfo["differences"] as? [String] == ["Song.note: attribute added (String, optional)"])
        #expect(error.userInfo["entities"] as? [String] == ["Song"])
        #expect(error.userInfo["metadata"] is [String: Any])
    }

    @Test("134100 says why the change can't be inferred, with entity and property")
    func notInferable() throws {
        try open(Self.song([]))
        let error = try failure(Self.song([attribute("stars", .integer16AttributeType, optional: false)]))
        expectEqual(
            error.localizedRecoverySuggestion,
            """
            The change can’t be inferred. Song.stars: Validation error missing attribute values on mandatory \
            destination attribute. It is a new attribute without a default value; give it one, or make it \
            optional. Otherwise a mapping model, or a version in between, bridges the gap.
            """)
    }

    @Test("134100 names the version that made the store")
    func sourceVersion() throws {
        let bundle = try writeVersions()
        let first = bundle.appendingPathComponent("Music.xcdatamodel")
        try open(try requireValue(NSManagedObjectModel(contentsOf: first)))
        let error = try failure(try requireValue(NSManagedObjectModel(contentsOf: bundle)))
        expectEqual(
            error.localizedFailureReason?.hasSuffix(
                "The store was made by version “Music” of Music.xcdatamodeld."), true)
        #expect(error.userInfo["sourceVersion"] as? String == "Music")
    }

    @Test("134100 names the version that is nearest to a store of an unknown version")
    func nearestVersion() throws {
        let bundle = try writeVersions()
        let other = try requireValue(
            NSManagedObjectModel(contentsOf: bundle.appendingPathComponent("Music.xcdatamodel")))
        other.entitiesByName["Song"]?.properties.append(attribute("year", .integer16AttributeType))
        try open(other)
        let error = try failure(try requireValue(NSManagedObjectModel(contentsOf: bundle)))
        expectEqual(
            error.localizedFailureReason?.hasSuffix(
                """
                The model that made the store is in it. It is no known version. The nearest is version “Music 2” of \
                Music.xcdatamodeld; they differ in Song.
                """), true)
        #expect(error.userInfo["nearestVersion"] as? String == "Music 2")
    }

    @Test("134100 of an older program says that the store is newer")
    func newerStore() throws {
        let bundle = try writeVersions()
        try open(try requireValue(NSManagedObjectModel(contentsOf: bundle)))
        let error = try failure(
            try requireValue(NSManagedObjectModel(contentsOf: bundle.appendingPathComponent("Music.xcdatamodel"))))
        #expect(error.userInfo["sourceVersion"] as? String == "Music 2")
        expectEqual(
            error.localizedRecoverySuggestion,
            """
            The store is of the current version, and the model is an older one: open the store with the current \
            version. A migration back would lose what the older version doesn’t have.
            """)
    }

    @Test("134100 of a read-only store says that a copy must be migrated")
    func readOnly() throws {
        try open(Self.song([]))
        let error = try failure(
            Self.song([attribute("note", .stringAttributeType)]),
            [NSReadOnlyPersistentStoreOption: true, NSMigratePersistentStoresAutomaticallyOption: true])
        expectEqual(
            error.localizedRecoverySuggestion?.hasPrefix(
                "A read-only store isn’t migrated: copy it, and open the copy."), true)
    }

    @Test("134100 of a file without a model in it names the entities", arguments: [NSBinaryStoreType, "XML"])
    func entitiesOnly(type: String) throws {
        let artist = entity("Artist", [attribute("name", .stringAttributeType)])
        try open(Self.song([]), type: type)
        let newer = Self.song([attribute("note", .stringAttributeType)])
        newer.entities.append(artist)
        let error = try failure(newer, type: type)
        expectEqual(error.code, NSPersistentStoreIncompatibleVersionHashError)
        expectEqual(
            error.localizedFailureReason?.contains(
                "Entities that differ: Song. Entities only in the model: Artist."), true)
        expectEqual(error.localizedRecoverySuggestion?.contains("add that version to the model’s .xcdatamodeld"), true)
    }

    @Test("a long list of differences is cut in the text, and complete in userInfo")
    func manyDifferences() throws {
        try open(Self.song([]))
        let error = try failure(Self.song((10..<30).map { attribute("a\($0)", .stringAttributeType) }))
        expectContains(error.localizedDescription, "; and 10 more.")
        expectEqual((error.userInfo["differences"] as? [String])?.count, 20)
    }

    // MARK: Migration

    @Test("134130 names the nearest version and the entities that differ")
    func missingSource() throws {
        let bundle = try writeVersions()
        let other = try requireValue(
            NSManagedObjectModel(contentsOf: bundle.appendingPathComponent("Music.xcdatamodel")))
        other.entitiesByName["Song"]?.properties.append(attribute("year", .integer16AttributeType))
        try open(other)
        try SQLiteFile(creating: url).run("DELETE FROM Z_MODELCACHE")
        let error = try failure(try requireValue(NSManagedObjectModel(contentsOf: bundle)), migrates)
        expectEqual(error.code, NSMigrationMissingSourceModelError)
        expectEqual(
            error.localizedDescription,
            """
            The store “Music.sqlite” couldn’t be opened. Can't find model for source store. No known version made \
            the store. The nearest is version “Music 2” of Music.xcdatamodeld; they differ in Song. Entities that \
            differ: Song. Open the store with the model that made it. To migrate it, add that version to the \
            model’s .xcdatamodeld, so that the program has it.
            """)
        #expect(error.userInfo["reason"] as? String == "Can't find model for source store")
    }

    @Test("134140 says that the change can be inferred, or why it can't", arguments: [true, false])
    func missingMapping(isInferable: Bool) throws {
        try open(Self.song([]))
        let newer = Self.song([attribute("note", .stringAttributeType, optional: isInferable)])
        let error = try failure(newer, migrates)
        expectEqual(error.code, NSMigrationMissingMappingModelError)
        #expect(error.userInfo["reason"] as? String == "Can't find mapping model for migration")
        #expect(error.userInfo["sourceModel"] is NSManagedObjectModel)
        let start =
            isInferable
            ? "The change can be inferred: set NSInferMappingModelAutomaticallyOption."
            : "The change can’t be inferred. Song.note: Validation error missing attribute values"
        expectEqual(error.localizedRecoverySuggestion?.hasPrefix(start), true)
    }

    @Test("134110 names the relationship that becomes required and that an object lacks; nothing is migrated")
    func requiredRelationship() throws {
        func music(optional: Bool) -> NSManagedObjectModel {
            let (song, label) = (entity("Song"), entity("Label"))
            let (owner, songs) = (toOne("label", label, optional: optional), toMany("songs", song))
            pair(owner, songs)
            song.properties = [attribute("name", .stringAttributeType), owner]
            label.properties = [attribute("name", .stringAttributeType), songs]
            return model([song, label])
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: music(optional: true))
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            context.make("Song", "Blue")
            try context.save()
        }
        try coordinator.remove(store)
        let error = try failure(
            music(optional: false), migrates.merging([NSInferMappingModelAutomaticallyOption: true]) { $1 })
        expectEqual(error.code, NSMigrationError)
        #expect(error.userInfo["entity"] as? String == "Song")
        #expect(error.userInfo["relationship"] as? String == "label")
        expectEqual(
            error.localizedFailureReason,
            "The object Song/p1 has no object of the relationship label, which the new model requires.")
        try open(music(optional: true))
    }

    @Test(
        "134110 names a new required relationship of an entity that has objects; without objects it is migrated",
        arguments: [1, 0], [true, false])
    func newRequiredRelationship(_ count: Int, _ isToOne: Bool) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.song([]))
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            for _ in 0..<count { context.make("Song") }
            try context.save()
        }
        try coordinator.remove(store)
        let label = entity("Label", [attribute("name", .stringAttributeType)])
        let new = Self.song([])
        let relationship =
            isToOne ? toOne("label", label, optional: false) : toMany("label", label, minCount: 1, optional: false)
        new.entities = new.entities + [label]
        new.entitiesByName["Song"]?.properties.append(relationship)
        let options = migrates.merging([NSInferMappingModelAutomaticallyOption: true]) { $1 }
        if count == 0 { return try open(new, options) }
        let error = try failure(new, options)
        expectEqual(error.code, NSMigrationError)
        #expect(error.userInfo["entity"] as? String == "Song")
        #expect(error.userInfo["relationship"] as? String == "label")
        expectEqual(
            error.localizedFailureReason,
            "The object Song/p1 has no object of the relationship label, which the new model requires.")
        try open(Self.song([]))
    }

    @Test("134020 names the entity and the property whose column is missing")
    func missingColumn() throws {
        try open(Self.song([attribute("note", .stringAttributeType)]))
        try SQLiteFile(creating: url).run("ALTER TABLE ZSONG DROP COLUMN ZNOTE")
        let error = try failure(Self.song([attribute("note", .stringAttributeType)]))
        expectEqual(error.code, NSPersistentStoreIncompatibleSchemaError)
        expectEqual(
            error.localizedFailureReason,
            "Its table ZSONG has no column ZNOTE, which the model requires for Song.note.")
    }

    // MARK: The log

    @Test("MigrationDebug logs the plan and the time of each step")
    func log() async throws {
        try open(Self.song([]))
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [path = url.path as String] in
            setenv("com.apple.CoreData.MigrationDebug", "1", 1)
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: Self.song([attribute("note", .stringAttributeType)]))
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
                options: LightweightMigrationTests.options)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectContains(text, "table ZSONG: stays, with 1 new column")
        expectContains(text, "indexes and triggers: done in ")
        expectContains(text, "Music.sqlite: lightweight migration: done in ")
    }
}
