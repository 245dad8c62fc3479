import CoreData
import CoreDataTestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Two versions of a program, whose models have version identifiers, and one store: a deployment in which old instances
/// start again.
extension PostgreSQLMigrationTests {
    /// A program's model, with the version identifier that tells it.
    private static func version(_ identifier: String, _ model: NSManagedObjectModel) -> NSManagedObjectModel {
        model.versionIdentifiers = [identifier]
        return model
    }

    private static var one: NSManagedObjectModel { version("1", first()) }
    /// Older programs go on.
    private static var compatible: NSManagedObjectModel { version("2", added()) }
    /// Older programs can't go on.
    private static var incompatible: NSManagedObjectModel { version("2", renamed()) }

    /// The contents of the catalog and of the rows, as text.
    private func contents() throws -> [String] {
        try rows("SELECT z_plist::text FROM $.z_metadata")
            + rows("SELECT z_hashes FROM $.z_modelcache ORDER BY z_number")
            + rows("SELECT s::text FROM $.zsong s ORDER BY z_pk")
    }

    @Test("After a compatible migration older programs go on, and may start again")
    func compatibleVersions() throws {
        let old = try open(Self.one)
        try make("Song", ["name": "a"], in: old)
        let new = try open(Self.compatible)
        try make("Song", ["name": "b", "stars": 5], in: new)
        try make("Song", ["name": "c"], in: old)
        let restarted = try open(Self.one)
        try make("Song", ["name": "d"], in: restarted)
        try expectEqual(values("Song", "stars", in: new), ["3", "5", "3", "3"])
        try expectEqual(values("Song", "name", in: open(Self.compatible)), ["a", "b", "c", "d"])
    }

    @Test("An old program that starts after an incompatible migration gets 134100 and changes nothing")
    func incompatibleVersions() throws {
        let old = try open(Self.one)
        try make("Song", ["name": "a"], in: old)
        let new = try open(Self.incompatible)
        expectEqual(code { try make("Song", ["name": "c"], in: old) }, NSPersistentStoreIncompatibleVersionHashError)
        let before = try contents()
        let error = try requireError { _ = try open(Self.one) }
        expectEqual(error.code, NSPersistentStoreIncompatibleVersionHashError)
        expectEqual(error.localizedFailureReason?.contains("A newer version of the program"), true)
        expectEqual(error.localizedRecoverySuggestion?.contains("NSMigratePersistentStoresToFormerVersionOption"), true)
        try expectEqual(contents(), before)
        try database.use(new) { context in
            let song = try requireValue(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song")).first)
            #expect(song.value(forKey: "title") as? String == "a")
            song.setValue("b", forKey: "title")
            try context.save()
        }
    }

    @Test("A version before a compatible and an incompatible migration is a former one")
    func chain() throws {
        try make("Song", ["name": "a"], in: open(Self.one))
        _ = try open(Self.compatible)
        let renamed = Self.version("3", Self.renamed())
        _ = try open(renamed)
        let before = try contents()
        for former in [Self.one, Self.compatible] {
            expectEqual(code { _ = try open(former) }, NSPersistentStoreIncompatibleVersionHashError)
        }
        try expectEqual(contents(), before)
    }

    @Test("The metadata that a program sets don\u{2019}t remove the former versions")
    func metadataOfPrograms() throws {
        _ = try open(Self.one)
        let new = try open(Self.incompatible)
        new.setMetadata(["of the program": "yes"], for: new.persistentStores[0])
        try database.use(new) { context in
            context.make("Song")
            try context.save()
        }
        expectEqual(code { _ = try open(Self.one) }, NSPersistentStoreIncompatibleVersionHashError)
        try NSPersistentStoreCoordinator.setMetadata(
            ["of the program": "no"], type: .postgreSQL, at: database.url())
        expectEqual(code { _ = try open(Self.one) }, NSPersistentStoreIncompatibleVersionHashError)
        _ = try open(Self.incompatible)
    }

    @Test("A copy of a store keeps the former versions")
    func copiesOfStores() throws {
        _ = try open(Self.one)
        let new = try open(Self.incompatible)
        try new.backUpPersistentStore(requireValue(new.persistentStores.first), to: database.url("backup"))
        let error = try requireError {
            _ = try database.coordinator(at: database.url("backup"), options: Self.options(), model: Self.one)
        }
        expectEqual(error.code, NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("An option asks for the way back, and the newer version can migrate again")
    func wayBack() throws {
        try make("Song", ["name": "a"], in: open(Self.one))
        let new = try open(Self.incompatible)
        let back = try open(Self.one, [NSMigratePersistentStoresToFormerVersionOption: NSNumber(value: true)])
        try expectEqual(values("Song", "name", in: back), ["a"])
        expectEqual(code { try make("Song", [:], in: new) }, NSPersistentStoreIncompatibleVersionHashError)
        try expectEqual(values("Song", "name", in: open(Self.one)), ["a"])
        _ = try open(Self.incompatible)
        expectEqual(code { _ = try open(Self.one) }, NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("A model without versions is changed in place, and back")
    func inPlace() throws {
        try make("Song", ["name": "a"], in: open(Self.first()))
        _ = try open(Self.renamed())
        try expectEqual(values("Song", "name", in: open(Self.first())).count, 1)
    }
}
