import CoreData
import Testing

/// Stores of old frameworks, which have no table with their model.
@Suite("Migrating stores without a model in them")
struct OldStoreMigrationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("Music.sqlite") }

    /// Writes a model of two versions. The second one, which is current, has a note.
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
            text("<attribute name=\"note\" optional=\"YES\" attributeType=\"String\"/>"),
            to: "Music.xcdatamodeld/Music 2.xcdatamodel/contents")
        try folder.write(
            """
            <plist version="1.0"><dict>\
            <key>_XCCurrentVersionName</key><string>Music 2.xcdatamodel</string></dict></plist>
            """, to: "Music.xcdatamodeld/.xccurrentversion")
        return folder.file("Music.xcdatamodeld")
    }

    private func open(_ model: URL, _ options: [AnyHashable: Any] = [:]) throws -> NSManagedObjectContext {
        let model = try requireValue(NSManagedObjectModel(contentsOf: model))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func close(_ context: NSManagedObjectContext) throws {
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Makes a store of the first version, without the table that newer frameworks write.
    private func makeStore(_ bundle: URL) throws {
        let context = try open(bundle.appendingPathComponent("Music.xcdatamodel"))
        try on(context) {
            context.make("Song", "Blue")
            try context.save()
        }
        try close(context)
        try SQLiteFile(creating: url).run("DROP TABLE Z_MODELCACHE")
    }

    private func checkMigrated(_ bundle: URL) throws {
        let context = try open(bundle)
        try on(context) {
            let song = try context.one("Song", "Blue")
            song.setValue("new", forKey: "note")
            try context.save()
        }
        let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        expectEqual(
            cached.entityVersionHashesByName, NSManagedObjectModel(contentsOf: bundle)?.entityVersionHashesByName)
    }

    @Test("A coordinator finds the version in the bundle of its model, and the store gets the new model")
    func automatic() throws {
        let bundle = try writeVersions()
        try makeStore(bundle)
        try close(try open(bundle, LightweightMigrationTests.options))
        try checkMigrated(bundle)
    }

    @Test("A progressive migration does the same")
    func progressive() throws {
        let bundle = try writeVersions()
        try makeStore(bundle)
        let model = try requireValue(NSManagedObjectModel(contentsOf: bundle))
        try ProgressiveMigration(
            ofPersistentStoreAt: url, type: .sqlite, to: model,
            through: NSManagedObjectModel.versions(ofModelAt: bundle), bundles: []
        ).migrateStore(at: url, type: .sqlite)
        try checkMigrated(bundle)
    }

    @Test("A migrated store has the framework version of a new one")
    func frameworkVersion() throws {
        let bundle = try writeVersions()
        try makeStore(bundle)
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        let current = metadata["NSPersistenceFrameworkVersion"] as? NSNumber
        metadata["NSPersistenceFrameworkVersion"] = NSNumber(value: 519)
        try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: url)
        try close(try open(bundle, LightweightMigrationTests.options))
        let migrated = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(migrated["NSPersistenceFrameworkVersion"] as? NSNumber == current)
        #expect(migrated[NSStoreUUIDKey] as? String == metadata[NSStoreUUIDKey] as? String)
    }

    @Test("134130 of a store whose entities no configuration of its version has says so")
    func noConfiguration() throws {
        let bundle = try writeVersions()
        let song = NSManagedObjectModel()
        song.entities = [entity("Song", [attribute("name", .stringAttributeType)])]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: song)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        try coordinator.remove(store)
        try SQLiteFile(creating: url).run("DROP TABLE Z_MODELCACHE")
        let error = thrownError { _ = try open(bundle, LightweightMigrationTests.options) }
        expectEqual(error?.code, NSMigrationMissingSourceModelError)
        expectEqual(
            error?.localizedRecoverySuggestion,
            """
            No configuration of that model has the entities of the store and no others. Give the model such a \
            configuration.
            """)
    }
}
