import CoreData
import CoreDataTestSupport
import Testing

@testable import CoreDataPostgreSQL

/// What programs with an older model read and write after a migration of derived attributes, and after one that leaves
/// parts for them.
extension PostgreSQLMigrationTests {
    /// The first one with the number of a band's songs, and with the stars of a song.
    private static func counting(adding: Bool = false) -> NSManagedObjectModel {
        first { band, song in
            let count = NSDerivedAttributeDescription()
            count.name = "songCount"
            count.attributeType = .integer64AttributeType
            count.derivationExpression = NSExpression(format: "songs.@count")
            count.isOptional = true
            band.properties.append(count)
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
        try make("Band", ["name": "a"], in: old)
        let new = try open(Self.counting(adding: true))
        try database.use(old) { context in
            let band = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Band")).first)
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
            song.setValue(band, forKey: "band")
            try context.save()
        }
        try #expect(values("Band", "songCount", in: new) == ["1"])
        try #expect(values("Band", "songCount", in: old) == ["1"])
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
