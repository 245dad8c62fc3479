import CoreData
import CoreDataTestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Programs with an older model, after a migration of derived attributes and after one that leaves parts for them.
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
                let song = try requireValue(
                    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song")).first)
                song.setValue(minutes, forKey: "minutes")
                try context.save()
            }
        }
        func makeSong(in band: (NSManagedObjectContext) throws -> NSManagedObject?) throws {
            try database.use(old) { context in
                let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
                let owner: NSManagedObject = try requireValue(try band(context))
                song.setValue(owner, forKey: "band")
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
                let changes: [NSPersistentHistoryChange] = (transactions ?? []).flatMap { $0.changes ?? [] }
                let updates = changes.filter { $0.changeType == .update && $0.changedObjectID.entity.name == "Band" }
                let names: [[String]] = updates.map { ($0.updatedProperties ?? []).map(\.name).sorted() }
                expectEqual(names, [["minutes", "songCount"], ["minutes", "songCount"]])
            }
        }
        try makeSong { try $0.fetch(NSFetchRequest<NSManagedObject>(entityName: "Band")).first }
        for coordinator in [old, new] {
            try expectEqual(values("Band", "songCount", in: coordinator), ["2"])
            try expectEqual(values("Band", "minutes", in: coordinator), ["3"])
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

    // MARK: Subentities

    @Test("Programs with the older model go on if an entity is added, though a subentity has properties of its own")
    func subentities() throws {
        func model(adding: Bool) -> NSManagedObjectModel {
            let (person, student) = (
                entity("Person", [Self.name()]), entity("Student", [attribute("school", .stringAttributeType)])
            )
            let band = entity("Band", [Self.name()])
            student.properties.append(toOne("band", band))
            person.subentities = [student]
            if adding { student.properties.append(attribute("year", .integer16AttributeType)) }
            return CoreDataTestSupport.model([person, student, band] + (adding ? [entity("Pet", [Self.name()])] : []))
        }
        let old = try open(model(adding: false))
        try make("Student", ["name": "a", "school": "x"], in: old)
        try make("Person", ["name": "b"], in: old)
        let new = try open(model(adding: true))
        try make("Student", ["name": "c", "school": "y"], in: old)
        try make("Student", ["name": "d", "school": "z", "year": 2], in: new)
        for coordinator in [old, new] {
            try expectEqual(values("Student", "school", in: coordinator), ["x", "y", "z"])
            try expectEqual(values("Person", "name", in: coordinator), ["a", "b", "c", "d"])
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
        try expectEqual(values("Song", "minutes", in: old), ["1", "2"])
        try expectEqual(values("Song", "name", in: new), ["a", "b"])
        try new.finishDeferredLightweightMigration()
        expectEqual(code { try make("Song", ["name": "c"], in: old) }, NSPersistentStoreIncompatibleVersionHashError)
        let columns = try rows(
            """
            SELECT column_name::text FROM information_schema.columns \
            WHERE table_schema = '\(database.schema("store"))' AND table_name = 'zsong' ORDER BY 1
            """)
        expectEqual(columns, ["z_ent", "z_opt", "z_pk", "zband", "zname"])
        let metadata = new.metadata(for: new.persistentStores[0])
        #expect(metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] == nil)
    }

    /// The first one with fans, who like many bands and have a favourite one, and with a required number of stars.
    private static func full() -> NSManagedObjectModel {
        first { band, song in
            song.properties.append(
                attribute("stars", .integer16AttributeType, optional: false, defaultValue: NSNumber(value: 3)))
            let fan = entity("Fan", [name()])
            let (likes, fans) = (toMany("likes", band), toMany("fans", fan))
            pair(likes, fans)
            band.properties += [fans, toMany("first", fan)]
            fan.properties += [likes, toOne("favourite", band)]
            return [fan]
        }
    }

    /// The same entities without relationships.
    private static func plain(fans: Bool = true, adding: Bool = false) -> NSManagedObjectModel {
        let song = entity("Song", [name(), attribute("minutes", .integer16AttributeType)])
        let band = entity("Band", [name()] + (adding ? [attribute("year", .integer16AttributeType)] : []))
        return model([band, song] + (fans ? [entity("Fan", [name()])] : []))
    }

    private static var isDeferred: [AnyHashable: Any] {
        [NSPersistentStoreDeferredLightweightMigrationOptionKey: NSNumber(value: true)]
    }

    @Test(
        "What a new program deletes leaves the relationships that only older programs know", arguments: [true, false])
    func leftRelationships(fans: Bool) throws {
        let old = try open(Self.full())
        try database.use(old) { context in
            let (band, song) = (context.make("Band", "a"), context.make("Song", "b"))
            let fan = context.make("Fan", "c", ["favourite": band, "likes": NSSet(object: band)])
            song.setValue(band, forKey: "band")
            band.setValue(NSSet(object: fan), forKey: "first")
            try context.save()
        }
        let new = try open(Self.plain(fans: fans), Self.isDeferred)
        try database.use(new) { context in
            for band in try context.all("Band") { context.delete(band) }
            context.make("Song", "d")
            try context.save()
        }
        try database.use(open(Self.full())) { context in
            let fan = try context.one("Fan", "c")
            #expect(fan.object("favourite") == nil && fan.objects("likes").isEmpty)
            let songs = [try context.one("Song", "b"), try context.one("Song", "d")]
            #expect(songs.allSatisfy { $0.object("band") == nil })
            // The server has given the new program's row the default value.
            expectEqual(songs.map { $0.number("stars") }, [3, 3])
            for song in songs { song.setValue("e", forKey: "name") }
            try context.save()
        }
        try expectEmpty(PostgreSQLStoreCheck.defects(at: database.url(), model: Self.full()))
        try new.finishDeferredLightweightMigration()
        try expectEmpty(
            rows(
                """
                SELECT proname::text FROM pg_proc WHERE pronamespace = to_regnamespace('$') \
                AND starts_with(proname, 'z_nd_')
                """
            ))
        try make("Band", ["name": "f"], in: new)
        try database.use(new) { context in
            for band in try context.all("Band") { context.delete(band) }
            try context.save()
        }
    }

    @Test("A relationship that one migration adds and the next one leaves for older programs is followed in both")
    func addedAndLeft() throws {
        let first = try open(Self.plain())
        try database.use(open(Self.full())) { context in
            context.make("Fan", "c", ["favourite": context.make("Band", "a")])
            try context.save()
        }
        let third = try open(Self.plain(adding: true), Self.isDeferred)
        for coordinator in [first, third] {
            try database.use(coordinator) { context in
                for band in try context.all("Band") { context.delete(band) }
                try context.save()
            }
            try database.use(open(Self.full())) { context in
                let fan = try context.one("Fan", "c")
                expectEqual(fan.object("favourite"), nil)
                fan.setValue(context.make("Band", "b"), forKey: "favourite")
                try context.save()
            }
        }
        try expectEmpty(PostgreSQLStoreCheck.defects(at: database.url(), model: Self.full()))
    }

    @Test("Older programs can't do without a required attribute, but for its default value", arguments: [true, false])
    func leftAttribute(hasDefault: Bool) throws {
        func model() -> NSManagedObjectModel {
            Self.first { _, song in
                song.properties.append(
                    attribute(
                        "stars", .integer16AttributeType, optional: false,
                        defaultValue: hasDefault ? NSNumber(value: 3) : nil))
                return []
            }
        }
        let old = try open(model())
        try make("Song", ["name": "a", "stars": 1], in: old)
        let new = try open(Self.first(), Self.isDeferred)
        try make("Song", ["name": "b"], in: new)
        let found = code { try make("Song", ["name": "c", "stars": 1], in: old) }
        expectEqual(found, (hasDefault ? 0 : NSPersistentStoreIncompatibleVersionHashError))
    }
}
