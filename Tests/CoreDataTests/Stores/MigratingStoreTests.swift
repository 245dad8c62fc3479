import CoreData
import Testing

@Suite("Copying a store into one of another kind")
struct MigratingStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Kinds: Sendable, CustomTestStringConvertible {
        let source: StoreKind
        let target: StoreKind
        var testDescription: String { "\(source) to \(target)" }
    }

    static let all: [Kinds] = [StoreKind.sqlite, .memory, .binary, .xml, .custom].flatMap { source in
        [StoreKind.sqlite, .memory, .binary, .xml, .custom].map { Kinds(source: source, target: $0) }
    }

    /// The kinds between which objects keep their keys.
    static let keeping = all.filter {
        $0.source != .custom && $0.target != .custom
            && ([.binary, .xml].contains($0.source) || ![.binary, .xml].contains($0.target))
    }

    private func open(
        _ kind: StoreKind, _ name: String = "old.store", model: NSManagedObjectModel = LibraryModel.make()
    ) throws -> NSManagedObjectContext {
        if kind == .custom { DictionaryStore.register() }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: folder.file(name))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func migrate(_ context: NSManagedObjectContext, to kind: StoreKind, _ name: String = "new.store") throws
        -> NSPersistentStore
    {
        if kind == .custom { DictionaryStore.register() }
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        return try coordinator.migratePersistentStore(
            coordinator.persistentStores[0], to: folder.file(name), withType: kind.type)
    }

    /// Objects with every kind of relationship.
    private func fill(_ context: NSManagedObjectContext) throws {
        let jane = context.make("Author", "Jane", ["genre": "novels", "age": 41])
        let ada = context.make("Reader", "Ada", ["card": 7, "mentor": jane])
        let tags = ["love", "money"].map { context.make("Tag", $0) }
        let emma = context.make("Novel", "Emma", ["author": jane, "mood": "light", "tags": NSSet(array: tags)])
        let atlas = context.make("Book", "Atlas", ["pages": 5, "tags": NSSet(object: tags[1])])
        emma.setValue(context.make("Cover", "red"), forKey: "cover")
        let chapters = ["three", "one", "two"].map { context.make("Chapter", $0) }
        emma.setValue(NSOrderedSet(array: chapters), forKey: "chapters")
        ada.setValue(NSSet(array: [jane]), forKey: "friends")
        ada.setValue(emma, forKey: "favourite")
        ada.setValue(NSSet(array: [emma, atlas]), forKey: "wishes")
        let shelf = context.make("Shelf", "top")
        shelf.setValue(NSOrderedSet(array: [atlas, emma]), forKey: "items")
        context.make("Shelf", "low").setValue(NSOrderedSet(array: [emma, atlas]), forKey: "items")
        try context.save()
    }

    /// All objects of a context's store with their values and the names of their destinations.
    private func contents(_ context: NSManagedObjectContext) throws -> [String] {
        context.reset()
        let entities = try requireValue(context.persistentStoreCoordinator).managedObjectModel.entities
        var lines: [String] = []
        for entity in entities where entity.superentity == nil {
            for object in try context.all(entity.name ?? "") {
                var line = object.entity.name ?? ""
                for (key, property) in object.entity.propertiesByName.sorted(by: { $0.key < $1.key })
                where !property.isTransient {
                    if let relationship = property as? NSRelationshipDescription {
                        let names =
                            relationship.isToMany ? object.names(key) : [object.object(key)?.text("name") ?? "-"]
                        line += " \(key)=\(names.joined(separator: ","))"
                    } else {
                        line += " \(key)=\(object.value(forKey: key).map { "\($0)" } ?? "nil")"
                    }
                }
                lines.append(line)
            }
        }
        return lines.sorted()
    }

    @Test("every object comes with its values, its relationships and their order", arguments: all)
    func graph(_ kinds: Kinds) throws {
        let context = try open(kinds.source)
        try on(context) {
            try fill(context)
            let before = try contents(context)
            let store = try migrate(context, to: kinds.target)
            expectEqual(store.type, kinds.target.type)
            expectEqual(context.persistentStoreCoordinator?.persistentStores, [store])
            try expectEqual(contents(context), before)
            context.make("Tag", "later")
            try context.save()
        }
        guard kinds.target.hasFile else { return }
        let fresh = try open(kinds.target, "new.store")
        try on(fresh) { try expectEqual(contents(fresh).count, 13) }
        if kinds.source.hasFile {
            let old = try open(kinds.source)
            try on(old) { try expectEqual(contents(old).count, 12) }
        }
    }

    @Test("values of every attribute type come over", arguments: all)
    func values(_ kinds: Kinds) throws {
        let context = try open(kinds.source, model: AlbumModel.make())
        try on(context) {
            let values: [String: Any] = [
                "short": -3, "int": 70_000, "long": Int64.max, "flag": true, "real": 0.1, "single": Float(1.5),
                "exact": NSDecimalNumber(string: "12.345"), "text": "Grüße\u{0}", "data": Data([1, 2]),
                "date": Date(timeIntervalSinceReferenceDate: 1.25), "uuid": UUID(),
                "link": try requireValue(URL(string: "https://example.org/?a=b")), "list": ["a", "b"] as NSArray,
                "photo": Data(repeating: 9, count: 300_000),
            ]
            let scrap = context.make("Scrap")
            for (key, value) in values { scrap.setValue(value, forKey: key) }
            try context.save()
            let before = scrap.dictionaryWithValues(forKeys: Array(values.keys) + ["upper"])
            _ = try migrate(context, to: kinds.target)
            context.reset()
            let copy = try context.all("Scrap")[0]
            expectEqual(
                NSDictionary(dictionary: copy.dictionaryWithValues(forKeys: Array(values.keys) + ["upper"])),
                NSDictionary(dictionary: before))
        }
    }

    @Test("contexts go on with their objects and unsaved changes", arguments: keeping)
    func contexts(_ kinds: Kinds) throws {
        let context = try open(kinds.source)
        try on(context) {
            try fill(context)
            let emma = try context.one("Book", "Emma")
            let id = emma.objectID
            emma.setValue(9, forKey: "pages")
            try context.save()
            emma.setValue(10, forKey: "pages")
            let fault = try context.one("Tag", "love")
            context.refresh(fault, mergeChanges: false)
            let store = try migrate(context, to: kinds.target)
            #expect(id.persistentStore === store)
            expectEqual(id.uriRepresentation().host, store.identifier)
            expectEqual(fault.text("name"), "love")
            try context.save()
            context.reset()
            try expectEqual(context.existingObject(with: id).number("pages"), 10)
            try expectEqual(context.one("Book", "Emma").objectID, id)
        }
    }

    @Test("new objects don't get the keys of copied ones", arguments: keeping)
    func keys(_ kinds: Kinds) throws {
        let context = try open(kinds.source)
        try on(context) {
            try fill(context)
            _ = try migrate(context, to: kinds.target)
            let tag = context.make("Tag", "new")
            let author = context.make("Author", "new")
            try context.save()
            try expectEqual(context.all("Tag").count, 3)
            try expectEqual(context.all("Person").count, 3)
            #expect(tag.objectID != (try context.one("Tag", "love").objectID))
            #expect(author.objectID != (try context.one("Author", "Jane").objectID))
        }
    }

    @Test(
        "an existing store keeps its objects and gets the others besides",
        arguments: all.filter { $0.target.hasFile && $0.target != .custom })
    func existing(_ kinds: Kinds) throws {
        let other = try open(kinds.target, "new.store")
        try on(other) {
            let author = other.make("Author", "Mary")
            other.make("Book", "Frankenstein", ["author": author])
            try other.save()
        }
        for store in try requireValue(other.persistentStoreCoordinator).persistentStores {
            try other.persistentStoreCoordinator?.remove(store)
        }
        let context = try open(kinds.source)
        try on(context) {
            try fill(context)
            let before = try contents(context)
            _ = try migrate(context, to: kinds.target)
            let after = try contents(context)
            expectEqual(after.count, before.count + 2)
            expectTrue(Set(before).isSubset(of: after))
            try expectEqual(context.one("Book", "Frankenstein").object("author")?.text("name"), "Mary")
        }
    }

    @Test("the new store has another UUID, and the program's metadata", arguments: all)
    func metadata(_ kinds: Kinds) throws {
        let context = try open(kinds.source)
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try on(context) {
            let old = coordinator.persistentStores[0]
            let uuid = old.identifier
            coordinator.setMetadata(coordinator.metadata(for: old).merging(["note": "mine"]) { $1 }, for: old)
            context.make("Tag", "love")
            try context.save()
            let store = try migrate(context, to: kinds.target)
            #expect(store.identifier != uuid)
            guard kinds.target != .custom else { return }
            #expect(coordinator.metadata(for: store)["note"] as? String == "mine")
            #expect(coordinator.metadata(for: store)[NSStoreTypeKey] as? String == kinds.target.type)
        }
    }

    @Test("notifications tell of the old store, then of both")
    func notifications() throws {
        let context = try open(.sqlite)
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        let old = coordinator.persistentStores[0]
        let sequence = Recorder()
        let center = NotificationCenter.default
        let tokens = [
            center.addObserver(
                forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: old, queue: nil
            ) { _ in sequence.add("will remove") },
            center.addObserver(
                forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
            ) { note in
                let stores = [
                    NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey, NSUUIDChangedPersistentStoresKey,
                ]
                .map { (note.userInfo?[$0] as? [NSPersistentStore])?.map { $0 === old ? "old" : "new" } ?? [] }
                sequence.add("\(stores)")
            },
        ]
        defer { for token in tokens { center.removeObserver(token) } }
        _ = try migrate(context, to: .xml)
        expectEqual(sequence.lines, ["will remove", "[[\"new\"], [\"old\"], [\"old\", \"new\"]]"])
        expectEqual(old.persistentStoreCoordinator, nil)
    }

    private final class Recorder: @unchecked Sendable {
        private let lock = NSLock()
        private var storage: [String] = []
        var lines: [String] { lock.withLock { storage } }
        func add(_ line: String) { lock.withLock { storage.append(line) } }
    }

    @Test("a copy that fails leaves the coordinator as it was, and no file", arguments: [StoreKind.sqlite, .xml])
    func failure(_ kind: StoreKind) throws {
        let context = try open(.memory)
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try on(context) {
            try fill(context)
            let error = thrownError { _ = try migrate(context, to: kind, "missing/new.store") }
            expectEqual(error?.code, 4)
            expectEqual(coordinator.persistentStores.map(\.type), [NSInMemoryStoreType])
            try expectEqual(context.all("Tag").count, 2)
        }
        try expectEmpty(folder.contents)
    }

    @Test("a store of another coordinator, an unknown type and a URL in use are refused")
    func refusals() throws {
        let context = try open(.sqlite)
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        let store = coordinator.persistentStores[0]
        let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
        func code(_ coordinator: NSPersistentStoreCoordinator, _ name: String, _ type: String) -> Int? {
            thrownError {
                _ = try coordinator.migratePersistentStore(store, to: folder.file(name), withType: type)
            }?.code
        }
        expectEqual(code(other, "new.store", NSSQLiteStoreType), 134070)
        expectEqual(code(coordinator, "new.store", "Unknown"), 134000)
        expectEqual(code(coordinator, "old.store", NSSQLiteStoreType), 134080)
        expectEqual(coordinator.persistentStores, [store])
    }

    // MARK: setURL(_:for:)

    @Test("a SQLite store that gets another URL reads and writes that file")
    func moveSQLite() throws {
        let other = try open(.sqlite, "new.store")
        try on(other) {
            other.make("Tag", "new")
            try other.save()
        }
        let context = try open(.sqlite)
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try on(context) {
            context.make("Tag", "old")
            try context.save()
            expectTrue(coordinator.setURL(folder.file("new.store"), for: coordinator.persistentStores[0]))
            expectEqual(coordinator.url(for: coordinator.persistentStores[0]), folder.file("new.store"))
            context.reset()
            try expectEqual(context.names("Tag"), ["new"])
            context.make("Tag", "newer")
            try context.save()
        }
        try on(other) { try expectEqual(other.names("Tag"), ["new", "newer"]) }
    }

    @Test("a SQLite store doesn't move to a missing file or to a store of another model")
    func moveNowhere() throws {
        _ = try open(.sqlite, "albums.store", model: AlbumModel.make())
        let context = try open(.sqlite)
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        for name in ["missing.store", "albums.store"] {
            expectFalse(coordinator.setURL(folder.file(name), for: coordinator.persistentStores[0]))
        }
        try on(context) {
            context.make("Tag", "old")
            try context.save()
        }
        try #expect(!folder.contents.contains("missing.store"))
        expectEqual(coordinator.url(for: coordinator.persistentStores[0]), folder.file("old.store"))
    }

    @Test(
        "a binary or XML store writes all its objects to its new URL at the next save",
        arguments: [StoreKind.binary, .xml])
    func moveFile(_ kind: StoreKind) throws {
        let context = try open(kind)
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try on(context) {
            context.make("Tag", "old")
            try context.save()
            expectTrue(coordinator.setURL(folder.file("new.store"), for: coordinator.persistentStores[0]))
            try #expect(!folder.contents.contains("new.store"))
            context.make("Tag", "new")
            try context.save()
        }
        let moved = try open(kind, "new.store")
        try on(moved) { try expectEqual(moved.names("Tag"), ["new", "old"]) }
        let old = try open(kind)
        try on(old) { try expectEqual(old.names("Tag"), ["old"]) }
    }

    @Test("a store doesn't get the URL of another store, nor a store of another coordinator any")
    func moveRefused() throws {
        let context = try open(.xml)
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        let second = try coordinator.addPersistentStore(
            ofType: NSBinaryStoreType, configurationName: nil, at: folder.file("second.store"))
        expectFalse(coordinator.setURL(folder.file("old.store"), for: second))
        let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
        expectFalse(other.setURL(folder.file("new.store"), for: second))
    }
}
