import CoreData
import Testing

/// Stores that are opened with another version of their model.
@Suite("Lightweight migration")
struct LightweightMigrationTests {
    private let folder: TemporaryFolder
    static var options: [AnyHashable: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
            NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
        ]
    }

    init() throws { folder = try TemporaryFolder() }

    private static let kind = StoreKind.tables
    private var url: URL { Self.kind.url("store.sqlite", in: folder) }

    /// Checks the file of a SQLite store.
    func onFile(_ body: (SQLiteFile) throws -> Void) throws {
        if Self.kind == .sqlite { try body(SQLiteFile(url)) }
    }

    private func open(_ model: NSManagedObjectModel, options: [AnyHashable: Any]? = options) throws
        -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: Self.kind.type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Makes a store of one model, and passes a context on it that was opened with another one.
    func migrate(
        _ old: NSManagedObjectModel, _ new: NSManagedObjectModel, filling: (NSManagedObjectContext) throws -> Void,
        checking: (NSManagedObjectContext) throws -> Void
    ) throws {
        let before = try open(old)
        try on(before) {
            try filling(before)
            try before.save()
        }
        for store in before.persistentStoreCoordinator?.persistentStores ?? [] {
            try before.persistentStoreCoordinator?.remove(store)
        }
        let after = try open(new)
        try on(after) { try checking(after) }
        try onFile { file in
            try expectEqual(file.rows("PRAGMA integrity_check")[0]["integrity_check"]?.text, "ok")
            let leftOver = try file.tables().filter { $0.contains("MIGRATED") }
            expectEmpty(leftOver)
        }
    }

    func renamed<Property: NSPropertyDescription>(_ property: Property, from name: String) -> Property {
        property.renamingIdentifier = name
        return property
    }

    private func code(_ body: () throws -> Void) -> Int? { thrownError(body)?.code }

    // MARK: Attributes

    @Test("an added attribute has its default value in all objects")
    func addedAttribute() throws {
        try migrate(
            model([entity("Song", [attribute("name", .stringAttributeType)])]),
            model([
                entity(
                    "Song",
                    [
                        attribute("name", .stringAttributeType), attribute("note", .stringAttributeType),
                        attribute("stars", .integer16AttributeType, optional: false, defaultValue: NSNumber(value: 3)),
                    ])
            ])
        ) {
            $0.make("Song", "Blue")
        } checking: { context in
            let song = try context.one("Song", "Blue")
            expectEqual(song.number("stars"), 3)
            expectEqual(song.text("note"), nil)
            song.setValue("new", forKey: "note")
            context.make("Song", "Green")
            try context.save()
        }
    }

    @Test("removed and renamed attributes")
    func renamedAttribute() throws {
        try migrate(
            model([
                entity("Song", [attribute("title", .stringAttributeType), attribute("old", .integer16AttributeType)])
            ]),
            model([entity("Song", [renamed(attribute("name", .stringAttributeType), from: "title")])])
        ) {
            $0.make("Song").setValuesForKeys(["title": "Blue", "old": 1])
        } checking: { context in
            try expectEqual(context.names("Song"), ["Blue"])
            try onFile { try #expect(!$0.columns(of: "ZSONG").contains("ZOLD")) }
        }
    }

    @Test("two attributes that exchange their names")
    func exchangedNames() throws {
        try migrate(
            model([entity("Song", [attribute("a", .stringAttributeType), attribute("b", .stringAttributeType)])]),
            model([
                entity(
                    "Song",
                    [
                        renamed(attribute("a", .stringAttributeType), from: "b"),
                        renamed(attribute("b", .stringAttributeType), from: "a"),
                        // Names of an earlier version alone don't make another version.
                        attribute("c", .stringAttributeType),
                    ])
            ])
        ) {
            $0.make("Song").setValuesForKeys(["a": "1", "b": "2"])
        } checking: { context in
            let song = try context.all("Song")[0]
            expectEqual(song.text("a"), "2")
            expectEqual(song.text("b"), "1")
        }
    }

    @Test("an optional attribute that becomes required gets its default value where it had none")
    func required() throws {
        try migrate(
            model([entity("Song", [attribute("name", .stringAttributeType), attribute("n", .integer16AttributeType)])]),
            model([
                entity(
                    "Song",
                    [
                        attribute("name", .stringAttributeType),
                        attribute("n", .integer16AttributeType, optional: false, defaultValue: NSNumber(value: 5)),
                    ])
            ])
        ) { context in
            context.make("Song", "a", ["n": 1])
            context.make("Song", "b")
        } checking: { context in
            try expectEqual(context.one("Song", "a").number("n"), 1)
            try expectEqual(context.one("Song", "b").number("n"), 5)
        }
    }

    @Test("numbers become numbers of another type")
    func numbers() throws {
        func make(_ types: [NSAttributeType]) -> NSManagedObjectModel {
            model([entity("N", types.enumerated().map { attribute("n\($0)", $1) })])
        }
        try migrate(
            make([
                .integer16AttributeType, .doubleAttributeType, .integer64AttributeType, .booleanAttributeType,
                .decimalAttributeType, .integer32AttributeType, .floatAttributeType,
            ]),
            make([
                .doubleAttributeType, .integer32AttributeType, .integer16AttributeType, .integer32AttributeType,
                .doubleAttributeType, .booleanAttributeType, .decimalAttributeType,
            ])
        ) { context in
            context.make("N").setValuesForKeys([
                "n0": 7, "n1": -2.75, "n2": 300, "n3": true, "n4": NSDecimalNumber(string: "1.25"), "n5": 9, "n6": 0.5,
            ])
        } checking: { context in
            let n = try context.all("N")[0]
            #expect(n.value(forKey: "n0") as? Double == 7)
            expectEqual(n.number("n1"), -2)
            expectEqual(n.number("n2"), 300)
            expectEqual(n.number("n3"), 1)
            #expect(n.value(forKey: "n4") as? Double == 1.25)
            #expect(n.value(forKey: "n5") as? Bool == true)
            #expect(n.value(forKey: "n6") as? NSDecimalNumber == NSDecimalNumber(string: "0.5"))
        }
    }

    @Test("a number that doesn't fit into its new type is an error that names it, and nothing is changed")
    func tooLarge() throws {
        let old = model([entity("N", [attribute("n", .integer64AttributeType)])])
        let context = try open(old)
        try on(context) {
            context.make("N").setValue(70_000, forKey: "n")
            try context.save()
        }
        try context.persistentStoreCoordinator?.remove(context.persistentStoreCoordinator!.persistentStores[0])
        let error = try requireValue(
            thrownError { _ = try open(model([entity("N", [attribute("n", .integer16AttributeType)])])) })
        expectEqual(error.code, 134110)
        #expect(error.userInfo["entity"] as? String == "N")
        #expect(error.userInfo["attribute"] as? String == "n")
        let again = try open(model([entity("N", [attribute("n", .integer64AttributeType)])]))
        try on(again) { try expectEqual(again.all("N")[0].number("n"), 70_000) }
    }

    @Test("external storage is switched on and off", arguments: [true, false])
    func externalStorage(_ isSwitchedOn: Bool) throws {
        func make(_ isExternal: Bool) -> NSManagedObjectModel {
            let image = attribute("image", .binaryDataAttributeType)
            image.allowsExternalBinaryDataStorage = isExternal
            return model([entity("Photo", [attribute("name", .stringAttributeType), image])])
        }
        let small = Data([1, 2, 3])
        let large = Data(repeating: 7, count: 300_000)
        try migrate(make(!isSwitchedOn), make(isSwitchedOn)) { context in
            context.make("Photo", "small", ["image": small])
            context.make("Photo", "large", ["image": large])
            context.make("Photo", "none")
        } checking: { context in
            try #expect(context.one("Photo", "small").value(forKey: "image") as? Data == small)
            try #expect(context.one("Photo", "large").value(forKey: "image") as? Data == large)
            try #expect(context.one("Photo", "none").value(forKey: "image") == nil)
        }
        let files = FileManager.default.subpaths(atPath: folder.file(".store_SUPPORT").path) ?? []
        expectEmpty(files.filter { UUID(uuidString: ($0 as NSString).lastPathComponent) != nil })
    }

    // MARK: Constraints

    @Test(
        "a new uniqueness constraint holds, and stops a migration of objects that violate it", arguments: [true, false])
    func constraint(_ isViolated: Bool) throws {
        func make(_ isUnique: Bool) -> NSManagedObjectModel {
            let song = entity("Song", [attribute("name", .stringAttributeType)])
            if isUnique { song.uniquenessConstraints = [["name"]] }
            return model([song])
        }
        let before = try open(make(false))
        try on(before) {
            before.make("Song", "a")
            before.make("Song", isViolated ? "a" : "b")
            try before.save()
        }
        try before.persistentStoreCoordinator?.remove(before.persistentStoreCoordinator!.persistentStores[0])
        if isViolated {
            let error = try requireValue(thrownError { _ = try open(make(true)) })
            expectEqual(error.code, 134111)
            #expect(error.userInfo["entity"] as? String == "Song")
            let again = try open(make(false))
            try on(again) { try expectEqual(again.all("Song").count, 2) }
        } else {
            let after = try open(make(true))
            try on(after) {
                after.make("Song", "a")
                expectEqual(thrownError { try after.save() }?.code, 133021)
            }
        }
    }

    // MARK: What stays

    @Test("IDs, the UUID, the program's metadata and new keys go on")
    func identity() throws {
        let old = bands(.toMany)
        let before = try open(old)
        let coordinator = try requireValue(before.persistentStoreCoordinator)
        let store = coordinator.persistentStores[0]
        var uri = URL(fileURLWithPath: "/")
        try on(before) {
            let band = before.make("Band", "Duo")
            before.make("Band", "gone")
            try before.save()
            before.delete(try before.one("Band", "gone"))
            coordinator.setMetadata(coordinator.metadata(for: store).merging(["note": "mine"]) { $1 }, for: store)
            try before.save()
            uri = band.objectID.uriRepresentation()
        }
        try coordinator.remove(store)
        let after = try open(bands(.ordered, added: ["Aaa"]))
        let new = try requireValue(after.persistentStoreCoordinator)
        expectEqual(new.persistentStores[0].identifier, store.identifier)
        #expect(new.metadata(for: new.persistentStores[0])["note"] as? String == "mine")
        try on(after) {
            let id = try requireValue(new.managedObjectID(forURIRepresentation: uri))
            try expectEqual(after.existingObject(with: id).text("name"), "Duo")
            let band = after.make("Band", "new")
            try after.save()
            // The keys of a server have gaps.
            let key = band.objectID.uriRepresentation().lastPathComponent
            #expect(Self.kind == .sqlite ? key == "p3" : (Int(key.dropFirst()) ?? 0) >= 3)
        }
    }

    @Test("the history is deleted, and its tokens expire", .enabled(if: kind == .sqlite))
    func history() throws {
        var options = Self.options
        options[NSPersistentHistoryTrackingKey] = NSNumber(value: true)
        let before = try open(bands(.toMany), options: options)
        let coordinator = try requireValue(before.persistentStoreCoordinator)
        try on(before) {
            for name in ["a", "b"] {
                before.make("Band", name)
                try before.save()
            }
        }
        let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
        try coordinator.remove(coordinator.persistentStores[0])
        let after = try open(bands(.ordered), options: options)
        try on(after) {
            after.make("Band", "c")
            try after.save()
            let all = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try requireValue(try after.execute(all) as? NSPersistentHistoryResult)
            expectEqual((result.result as? [NSPersistentHistoryTransaction])?.count, 1)
            let later = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            try #expect((after.execute(later) as? NSPersistentHistoryResult) != nil)
        }
    }

    // MARK: What is refused

    @Test("without the options a store of another model is refused as before")
    func withoutOptions() throws {
        _ = try open(bands(.toMany))
        expectEqual(code { _ = try open(bands(.ordered), options: nil) }, 134100)
        let only = [NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true)]
        expectEqual(code { _ = try open(bands(.ordered), options: only) }, 134140)
        var readOnly = Self.options
        readOnly[NSReadOnlyPersistentStoreOption] = NSNumber(value: true)
        expectEqual(code { _ = try open(bands(.ordered), options: readOnly) }, 134100)
        _ = try open(bands(.toMany), options: nil)
    }

    @Test("a change that can't be inferred says why, and leaves the file")
    func notInferred() throws {
        let before = try open(model([entity("Song", [attribute("name", .stringAttributeType)])]))
        try on(before) {
            before.make("Song", "Blue")
            try before.save()
        }
        try before.persistentStoreCoordinator?.remove(before.persistentStoreCoordinator!.persistentStores[0])
        let bytes = Self.kind == .sqlite ? try Data(contentsOf: url) : nil
        let error = try requireValue(
            thrownError {
                _ = try open(model([entity("Song", [attribute("name", .dateAttributeType, optional: false)])]))
            })
        expectEqual(error.code, 134190)
        #expect(error.userInfo["entity"] as? String == "Song")
        #expect(error.userInfo["attribute"] as? String == "name")
        guard Self.kind == .sqlite else { return }
        #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
        try expectEqual(Data(contentsOf: url), bytes)
    }

    @Test("a store whose model nobody has is refused", .enabled(if: kind == .sqlite))
    func unknownModel() throws {
        let before = try open(bands(.toMany))
        try before.persistentStoreCoordinator?.remove(before.persistentStoreCoordinator!.persistentStores[0])
        try SQLiteFile(creating: url).run("DELETE FROM Z_MODELCACHE")
        expectEqual(code { _ = try open(bands(.ordered)) }, 134130)
    }

    @Test("a container migrates by default, and doesn't if its description says so")
    func container() throws {
        _ = try open(bands(.toMany))
        func load(_ migrates: Bool) -> Int? {
            let container = NSPersistentContainer(name: "Bands", managedObjectModel: bands(.ordered))
            let description = NSPersistentStoreDescription(url: url)
            description.type = Self.kind.type
            expectTrue(description.shouldMigrateStoreAutomatically)
            expectTrue(description.shouldInferMappingModelAutomatically)
            description.shouldMigrateStoreAutomatically = migrates
            container.persistentStoreDescriptions = [description]
            var code: Int? = 0
            container.loadPersistentStores { code = ($1 as NSError?)?.code }
            return code
        }
        expectEqual(load(false), 134100)
        expectEqual(load(true), nil)
    }
}
