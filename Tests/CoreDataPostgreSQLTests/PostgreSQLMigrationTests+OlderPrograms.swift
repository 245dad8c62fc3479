import CoreData
import CoreDataTestSupport
import Testing

@testable import CoreDataPostgreSQL

/// What programs with an older model read and write after a migration of derived attributes, and after one that leaves
/// parts for them.
extension PostgreSQLMigrationTests {
    /// The first one with the number of a band's songs and their minutes, and with the stars of a song.
    private static func counting(adding: Bool = false) -> NSManagedObjectModel {
        first { band, song in
            for (name, expression) in [("songCount", "songs.@count"), ("minutes", "songs.minutes.@sum")] {
                let derived = NSDerivedAttributeDescription()
                derived.name = name
                derived.attributeType = .integer64AttributeType
                derived.derivationExpression = NSExpression(format: expression)
                derived.isOptional = true
                band.properties.append(derived)
            }
            if adding { song.properties.append(attribute("stars", .integer16AttributeType)) }
            return []
        }
    }

    /// The first one without the minutes of a song.
    private static func reduced() -> NSManagedObjectModel {
        first { _, song in
            song.properties.removeAll { $0.name == "minutes" }
            return []
        }
    }

    // MARK: Derived attributes

    @Test("With derived attributes, too, programs with the older model go on after a migration that only adds")
    func derivedAttributes() throws {
        let old = try open(Self.counting())
        func setMinutes(_ minutes: Int) throws {
            try database.use(old) { context in
                let song = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song")).first)
                song.setValue(minutes, forKey: "minutes")
                try context.save()
            }
        }
        func makeSong(in band: (NSManagedObjectContext) throws -> NSManagedObject?) throws {
            try database.use(old) { context in
                let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
                song.setValue(try #require(try band(context)), forKey: "band")
                try context.save()
            }
        }
        try makeSong { NSEntityDescription.insertNewObject(forEntityName: "Band", into: $0) }
        try setMinutes(2)
        let new = try open(Self.counting(adding: true))
        try setMinutes(3)
        // Triggers have changed the band: before the migration, and after it by the older program.
        for coordinator in [old, new] {
            try database.use(coordinator) { context in
                let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
                let transactions = (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction]
                let changes = (transactions ?? []).flatMap { $0.changes ?? [] }
                    .filter { $0.changeType == .update && $0.changedObjectID.entity.name == "Band" }
                let names = changes.map { ($0.updatedProperties ?? []).map(\.name).sorted() }
                #expect(names == [["minutes", "songCount"], ["minutes", "songCount"]])
            }
        }
        try makeSong { try $0.fetch(NSFetchRequest<NSManagedObject>(entityName: "Band")).first }
        for coordinator in [old, new] {
            try #expect(values("Band", "songCount", in: coordinator) == ["2"])
            try #expect(values("Band", "minutes", in: coordinator) == ["3"])
        }
    }

    @Test("A migration writes the triggers again that an earlier version of this module has made")
    func earlierTriggers() throws {
        let old = try open(Self.counting())
        let functions = try rows(
            "SELECT oid::regproc::text FROM pg_proc WHERE pronamespace = to_regnamespace('$') AND proname ~ '^z_da_'")
        #expect(!functions.isEmpty)
        for function in functions {
            try database.execute(
                "CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
        }
        try old.remove(old.persistentStores[0])
        try database.use(try open(Self.counting(adding: true))) { context in
            let band = NSEntityDescription.insertNewObject(forEntityName: "Band", into: context)
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
            song.setValue(band, forKey: "band")
            try context.save()
            #expect(band.value(forKey: "songCount") as? Int == 1)
        }
    }

    // MARK: Deferred cleanup

    @Test("With deferred cleanup older programs go on until the cleanup begins")
    func deferred() throws {
        let old = try open(Self.first())
        try make("Song", ["name": "a", "minutes": 1], in: old)
        let new = try open(
            Self.reduced(), [NSPersistentStoreDeferredLightweightMigrationOptionKey: NSNumber(value: true)])
        try make("Song", ["name": "b", "minutes": 2], in: old)
        try #expect(values("Song", "minutes", in: old) == ["1", "2"])
        try #expect(values("Song", "name", in: new) == ["a", "b"])
        try new.finishDeferredLightweightMigration()
        #expect(code { try make("Song", ["name": "c"], in: old) } == NSPersistentStoreIncompatibleVersionHashError)
        let columns = try rows(
            """
            SELECT column_name::text FROM information_schema.columns \
            WHERE table_schema = '\(database.schema("store"))' AND table_name = 'zsong' ORDER BY 1
            """)
        #expect(columns == ["z_ent", "z_opt", "z_pk", "zband", "zname"])
        let metadata = new.metadata(for: new.persistentStores[0])
        #expect(metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] == nil)
    }
}
