import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Migrations of a store that several programs use. The suite "Lightweight migration" tests what becomes of the data.
@Suite("PostgreSQL migration", .enabled(if: TestServer.isPresent))
struct PostgreSQLMigrationTests {
    let database: TestDatabase

    init() throws { database = try TestDatabase() }

    // MARK: Models

    static func name() -> NSAttributeDescription { attribute("name", .stringAttributeType) }

    /// A song by an artist.
    static func first(
        adding: (NSEntityDescription, NSEntityDescription) -> [NSEntityDescription] = { _, _ in [] }
    )
        -> NSManagedObjectModel
    {
        let artist = entity("Band", [name()])
        let song = entity("Song", [name(), attribute("minutes", .integer16AttributeType)])
        let (by, songs) = (toOne("band", artist), toMany("songs", song))
        pair(by, songs)
        song.properties.append(by)
        artist.properties.append(songs)
        return model([artist, song] + adding(artist, song))
    }

    /// The same with an attribute, an entity that is first by name, and relationships to it.
    static func added() -> NSManagedObjectModel {
        first { band, song in
            song.properties.append(
                attribute("stars", .integer16AttributeType, optional: false, defaultValue: NSNumber(value: 3)))
            let award = entity("Award", [name()])
            let (winner, awards) = (toOne("winner", band), toMany("awards", award))
            pair(winner, awards)
            let (listed, lists) = (toMany("songs", song), toMany("awards", award))
            pair(listed, lists)
            band.properties.append(awards)
            song.properties.append(lists)
            award.properties += [winner, listed]
            return [award]
        }
    }

    /// The first model with another name for the attribute of a song.
    static func renamed() -> NSManagedObjectModel {
        first { _, song in
            let name = song.propertiesByName["name"]
            name?.name = "title"
            name?.renamingIdentifier = "name"
            return []
        }
    }

    // MARK: Stores

    static func options(_ more: [AnyHashable: Any] = [:]) -> [AnyHashable: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
            NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
            NSPersistentHistoryTrackingKey: NSNumber(value: true),
        ].merging(more) { $1 }
    }

    func open(_ model: NSManagedObjectModel, _ more: [AnyHashable: Any] = [:]) throws
        -> NSPersistentStoreCoordinator
    {
        try database.coordinator(at: database.url(), options: Self.options(more), model: model)
    }

    func make(_ entity: String, _ values: [String: Any], in coordinator: NSPersistentStoreCoordinator) throws {
        try database.use(coordinator) { context in
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValuesForKeys(values)
            try context.save()
        }
    }

    func values(_ entity: String, _ key: String, in coordinator: NSPersistentStoreCoordinator) throws
        -> [String]
    {
        try database.use(coordinator) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request).map { "\($0.value(forKey: key) ?? "nil")" }
        }
    }

    func code(_ body: () throws -> Void) -> Int {
        do {
            try body()
            return 0
        } catch {
            return (error as NSError).code
        }
    }

    func rows(_ text: String) throws -> [String] {
        let connection = try TestServer.connect()
        defer { connection.close() }
        let schema = "\"\(database.schema("store"))\""
        return try connection.execute(text.replacingOccurrences(of: "$", with: schema)).map { $0.text(0) }
    }

    // MARK: Older programs

    @Test("After a migration that only adds, programs with the older model go on")
    func olderProgram() throws {
        let old = try open(Self.first())
        try make("Song", ["name": "a", "minutes": 1], in: old)
        let new = try open(Self.added())
        try make("Song", ["name": "b", "stars": 5], in: new)
        try make("Song", ["name": "c", "minutes": 3], in: old)
        try expectEqual(values("Song", "name", in: old), ["a", "b", "c"])
        try expectEqual(values("Song", "stars", in: new), ["3", "5", "3"])
        // Another one begins with the older model.
        let older = try open(Self.first())
        try make("Song", ["name": "d"], in: older)
        try expectEqual(values("Song", "stars", in: new), ["3", "5", "3", "3"])
        try expectEqual(rows("SELECT COUNT(*)::text FROM $.z_modelcache"), ["2"])
    }

    @Test("What an older program deletes leaves the relationships that it doesn't know")
    func newRelationships() throws {
        let old = try open(Self.first())
        try make("Band", ["name": "a"], in: old)
        try make("Song", ["name": "b"], in: old)
        let new = try open(Self.added())
        try database.use(new) { context in
            let award = NSEntityDescription.insertNewObject(forEntityName: "Award", into: context)
            award.setValue("c", forKey: "name")
            let all = { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: $0)) }
            try award.setValue(all("Band")[0], forKey: "winner")
            try award.setValue(NSSet(array: all("Song")), forKey: "songs")
            try context.save()
        }
        try database.use(old) { context in
            for entity in ["Band", "Song"] {
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).forEach(context.delete)
            }
            try context.save()
        }
        let again = try open(Self.added())
        try database.use(again) { context in
            let award = try requireValue(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Award")).first)
            #expect(award.value(forKey: "winner") == nil)
            expectEqual((award.value(forKey: "songs") as? NSSet)?.count, 0)
        }
        let check = try PostgreSQLStoreCheck.defects(at: database.url(), model: Self.added())
        expectEmpty(check)
    }

    @Test("After a migration that changes what is there, programs with the older model can't save or read")
    func incompatible() throws {
        let old = try open(Self.first())
        try make("Song", ["name": "a", "minutes": 1], in: old)
        let reader = try open(Self.first())
        let new = try open(Self.renamed())
        expectEqual(code { try make("Song", ["name": "b"], in: old) }, NSPersistentStoreIncompatibleVersionHashError)
        expectEqual(code { _ = try values("Song", "name", in: reader) }, NSPersistentStoreIncompatibleVersionHashError)
        try database.use(new) { context in
            let songs = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song"))
            expectEqual(songs.map { $0.value(forKey: "title") as? String }, ["a"])
        }
        try old.remove(old.persistentStores[0])
        let without = [NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: false)]
        expectEqual(code { _ = try open(Self.first(), without) }, NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("A batch request of an older program is refused after a change of what is there")
    func incompatibleBatch() throws {
        let old = try open(Self.first())
        _ = try open(Self.renamed())
        let insertion = NSBatchInsertRequest(entityName: "Song", objects: [["name": "a"]])
        expectEqual(
            code { _ = try database.use(old) { try $0.execute(insertion) } },
            NSPersistentStoreIncompatibleVersionHashError)
        try expectEqual(rows("SELECT COUNT(*)::text FROM $.zsong"), ["0"])
    }

    @Test("An older program's metadata leave what identifies the newer model")
    func metadata() throws {
        let old = try open(Self.first())
        let new = try open(Self.added())
        let store = old.persistentStores[0]
        var metadata = old.metadata(for: store)
        metadata["note"] = "mine"
        old.setMetadata(metadata, for: store)
        try make("Song", ["name": "a"], in: old)
        let stored = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSPostgreSQLStoreType, at: database.url(), options: nil)
        #expect(stored["note"] as? String == "mine")
        expectTrue(new.managedObjectModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: stored))
    }

    // MARK: Numbers and history

    @Test("A new entity that is first by name leaves the rows of the others as they are")
    func permanentNumbers() throws {
        try make("Song", ["name": "a"], in: try open(Self.first()))
        let before = try rows("SELECT xmin::text || z_ent FROM $.zsong")
        let new = try open(Self.added())
        try expectEqual(rows("SELECT xmin::text || z_ent FROM $.zsong"), before)
        try make("Award", ["name": "b"], in: new)
        try expectEqual(rows("SELECT z_ent::text FROM $.zaward"), ["3"])
    }

    @Test("The history goes on, and names the properties of the newest model")
    func history() throws {
        let old = try open(Self.first())
        try database.use(old) { context in
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
            song.setValue("a", forKey: "name")
            try context.save()
            song.setValue("b", forKey: "name")
            try context.save()
        }
        let token = old.currentPersistentHistoryToken(fromStores: nil)
        let new = try open(Self.renamed())
        try database.use(new) { context in
            let song = try requireValue(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song")).first)
            song.setValue(NSNumber(value: 4), forKey: "minutes")
            try context.save()
            func updates(_ request: NSPersistentHistoryChangeRequest) throws -> [[String]] {
                let result = try context.execute(request) as? NSPersistentHistoryResult
                let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
                return transactions.flatMap { $0.changes ?? [] }
                    .map { ($0.updatedProperties ?? []).map(\.name).sorted() }
            }
            try expectEqual(updates(.fetchHistory(after: Date.distantPast)), [[], ["title"], ["minutes"]])
            try expectEqual(updates(.fetchHistory(after: token)), [["minutes"]])
        }
    }

    @Test("Names that are longer than the server's are distinct, also when only their ends differ")
    func longNames() throws {
        func long(_ end: String) -> String { String(repeating: "aVeryLongName", count: 6) + end }
        func versions(_ more: Bool) -> NSManagedObjectModel {
            let (one, two) = (entity(long("One")), entity(long("Two")))
            let (others, ordered) = (toMany(long("Others"), two), toMany(long("Ones"), one, ordered: true))
            pair(others, ordered)
            one.properties = [
                attribute("name", .stringAttributeType), attribute(long("A"), .stringAttributeType),
                attribute(long("B"), .stringAttributeType), others,
            ]
            two.properties = [attribute("name", .stringAttributeType), ordered]
            if more { one.properties.append(attribute(long("C"), .stringAttributeType)) }
            return model([one, two])
        }
        try database.use(try open(versions(false))) { context in
            let one = NSEntityDescription.insertNewObject(forEntityName: long("One"), into: context)
            one.setValuesForKeys(["name": "a", long("A"): "1", long("B"): "2"])
            let two = NSEntityDescription.insertNewObject(forEntityName: long("Two"), into: context)
            two.setValue(NSOrderedSet(object: one), forKey: long("Ones"))
            try context.save()
        }
        try database.use(try open(versions(true))) { context in
            let one = try requireValue(
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: long("One"))).first)
            #expect(one.value(forKey: long("A")) as? String == "1")
            #expect(one.value(forKey: long("B")) as? String == "2")
            expectEqual((one.value(forKey: long("Others")) as? NSSet)?.count, 1)
            #expect(one.value(forKey: long("C")) == nil)
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions(true))
        try coordinator.destroyPersistentStore(at: database.url(), type: .postgreSQL)
        try expectEmpty(rows("SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace('$')"))
    }

    // MARK: Several programs at once

    @Test("Of programs that open the store at once, one migrates")
    func atOnce() async throws {
        try make("Song", ["name": "a", "minutes": 1], in: try open(Self.first()))
        let url = database.url()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.renamed())
                    let store = try coordinator.addPersistentStore(
                        ofType: NSPostgreSQLStoreType, configurationName: nil, at: url, options: Self.options())
                    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                    context.persistentStoreCoordinator = coordinator
                    let count = try await context.perform {
                        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Song"))
                    }
                    try coordinator.remove(store)
                    return count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        expectEqual(counts, [1, 1, 1, 1, 1, 1])
        try expectEqual(rows("SELECT z_number::text FROM $.z_modelcache"), ["2"])
    }

    @Test("A snapshot that a program keeps has a migration wait, and fail after the time limit")
    func snapshot() throws {
        let old = try open(Self.first())
        try make("Song", ["name": "a"], in: old)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = old
        let count = { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Song")) }
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            try expectEqual(count(), 1)
        }
        let limit = [NSPersistentStoreTimeoutOption: NSNumber(value: 0.2)]
        expectEqual(code { _ = try open(Self.renamed(), limit) }, NSPersistentStoreTimeoutError)
        try context.performAndWait {
            try expectEqual(count(), 1)
            try context.setQueryGenerationFrom(nil)
        }
        // Without the limit, which the changes of the catalog may exceed.
        _ = try open(Self.renamed())
    }
}
