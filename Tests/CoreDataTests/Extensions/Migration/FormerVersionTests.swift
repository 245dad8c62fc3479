import CoreData
import Testing

/// A program that is older than its store: an old instance that starts again, a device with last year's app.
@Suite("Former versions of a store")
struct FormerVersionTests {
    let folder = try! TemporaryFolder()

    private static var automatic: [AnyHashable: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    /// - Parameter identifier: the version identifier of the model; nil for a model without versions.
    private static func make(_ version: Int, identifier: String? = nil) -> NSManagedObjectModel {
        let song = entity("Song", [attribute("title", .stringAttributeType)])
        var entities = [song]
        if version > 1 { song.properties.append(attribute("rating", .integer64AttributeType)) }
        if version > 2 { entities.append(entity("Artist", [attribute("name", .stringAttributeType)])) }
        let made = model(entities)
        if let identifier { made.versionIdentifiers = [identifier] }
        return made
    }

    private func open(
        _ model: NSManagedObjectModel, _ kind: StoreKind = .sqlite, options: [AnyHashable: Any] = automatic,
        _ body: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: kind.url("Music.store", in: folder), options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            try body(context)
            if context.hasChanges { try context.save() }
        }
        try coordinator.remove(store)
    }

    private func makeStore(_ identifiers: [String?]) throws {
        try open(Self.make(1, identifier: identifiers[0])) { $0.make("Song").setValue("One", forKey: "title") }
        try open(Self.make(2, identifier: identifiers[1])) { context in
            for song in try context.all("Song") { song.setValue(5, forKey: "rating") }
        }
        try open(Self.make(3, identifier: identifiers[2])) { $0.make("Artist", "Ann") }
    }

    private func expectNewest(_ identifier: String?) throws {
        try open(Self.make(3, identifier: identifier)) { context in
            let (artists, ratings) = (try context.names("Artist"), try context.all("Song").map { $0.number("rating") })
            expectEqual(artists, ["Ann"])
            expectEqual(ratings, [5])
        }
    }

    @Test("A program with a former version gets 134100, and the store stays as it is", arguments: [1, 2])
    func refused(version: Int) throws {
        try makeStore(["1", "2", "3"])
        let error = thrownError { try open(Self.make(version, identifier: "\(version)")) }
        expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
        expectEqual(error?.localizedFailureReason?.contains("A newer version of the program"), true)
        try expectNewest("3")
    }

    @Test("The metadata that a program sets don't remove the former versions")
    func metadata() throws {
        try makeStore(["1", "2", "3"])
        try open(Self.make(3, identifier: "3")) { context in
            let coordinator = try requireValue(context.persistentStoreCoordinator)
            coordinator.setMetadata(["of the program": "yes"], for: coordinator.persistentStores[0])
            try context.save()
        }
        let error = thrownError { try open(Self.make(1, identifier: "1")) }
        expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
        try expectNewest("3")
        let stored = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: StoreKind.sqlite.url("Music.store", in: folder))
        #expect(stored["of the program"] as? String == "yes")
    }

    @Test("An option asks for the way back, and the newer version can migrate again")
    func option() throws {
        try makeStore(["1", "2", "3"])
        var options = Self.automatic
        options[NSMigratePersistentStoresToFormerVersionOption] = true
        try open(Self.make(1, identifier: "1"), options: options) { context in
            let songs = try context.all("Song").map { $0.text("title") }
            expectEqual(songs, ["One"])
        }
        // The store is one of version 1 now, whose former versions are none.
        try open(Self.make(2, identifier: "2"))
        try open(Self.make(3, identifier: "3"))
        let error = thrownError { try open(Self.make(1, identifier: "1")) }
        expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("A model without versions is changed in place, and back")
    func inPlace() throws {
        try makeStore([nil, nil, nil])
        try open(Self.make(1)) { context in
            let songs = try context.all("Song").map { $0.text("title") }
            expectEqual(songs, ["One"])
        }
    }

    @Test("A model whose version identifier stays the same is changed in place, and back")
    func sameIdentifier() throws {
        try makeStore(["1.0.0", "1.0.0", "1.0.0"])
        try open(Self.make(1, identifier: "1.0.0")) { context in
            let songs = try context.all("Song").map { $0.text("title") }
            expectEqual(songs, ["One"])
        }
    }

    @Test("A program that has the versions of a bundle is newer than one with the first of them alone")
    func bundle() throws {
        let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
        let song = "<entity name=\"Song\" syncable=\"YES\">\(title)</entity>"
        let artist = """
            <entity name="Artist" syncable="YES"><attribute name="name" optional="YES" attributeType="String"/></entity>
            """
        func load(_ path: String, _ entities: String) throws -> NSManagedObjectModel {
            _ = try folder.write(
                """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
                    \(entities)
                </model>
                """, to: "\(path)/contents")
            return try requireValue(NSManagedObjectModel(contentsOf: folder.file(path)))
        }
        _ = try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict><key>_XCCurrentVersionName</key><string>Music 2.xcdatamodel</string></dict>
            </plist>
            """, to: "Music.xcdatamodeld/.xccurrentversion")
        let models = [
            try load("Music.xcdatamodeld/Music.xcdatamodel", song),
            try load("Music.xcdatamodeld/Music 2.xcdatamodel", song + artist),
        ]
        try open(models[0]) { $0.make("Song").setValue("One", forKey: "title") }
        try open(models[1]) { $0.make("Artist", "Ann") }
        // The older program has one version, in a separate file.
        let older = try load("Older/Music.xcdatamodel", song)
        let error = thrownError { try open(older) }
        expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
        // A program that has the version of the store may go back.
        try open(models[0]) { context in
            let songs = try context.all("Song").map { $0.text("title") }
            expectEqual(songs, ["One"])
        }
    }
}
