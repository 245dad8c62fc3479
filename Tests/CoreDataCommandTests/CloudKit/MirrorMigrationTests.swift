import CoreData
import Testing

@testable import CoreDataStores

@Suite("CloudKit's mirror of a store that is migrated")
struct MirrorMigrationTests {
    /// Migrates the store to a model that is changed.
    private func migrate(_ store: MirrorStore, _ change: (NSManagedObjectModel) -> Void) throws -> [String] {
        let model = MirrorStore.makeModel()
        change(model)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let opened = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store.folder.file("Notes.sqlite"),
            options: [
                NSPersistentHistoryTrackingKey: NSNumber(value: true),
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
            ])
        try coordinator.remove(opened)
        let connection = try SQLiteConnection(path: store.path, mode: .readOnly)
        let rows = try connection.uncachedStatement(
            """
            SELECT Z_NAME, ZENTITYPK, ZCKRECORDNAME FROM ANSCKRECORDMETADATA AS R \
            LEFT JOIN Z_PRIMARYKEY AS E ON E.Z_ENT = R.ZENTITYID ORDER BY R.Z_PK
            """)
        var found: [String] = []
        while try rows.step() { found.append((0..<3).map { rows.text(at: Int32($0)) ?? "-" }.joined(separator: " ")) }
        return found
    }

    private static func records(_ entities: String...) -> [String] {
        zip(entities, [1, 2, 1, 2].enumerated()).map { "\($0) \($1.element) \(MirrorStore.recordName($1.offset + 1))" }
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    @Test("A new entity at the beginning of the model moves the numbers, and the records follow")
    func added() async throws {
        let store = try MirrorStore()
        let found = try migrate(store) { $0.entities += [Self.entity("Album"), Self.entity("Note Z")] }
        expectEqual(found, Self.records("Folder", "SmartFolder", "Note", "Note"))
        let run = try await CommandRun("store", "doctor", store.path)
        expectEqual(run.status, 0, "\(run.output)")
        expectContains(run.lines, "CloudKit: a mirror with 4 records in 1 zone, no problems found")
        let connection = try SQLiteConnection(path: store.path, mode: .readOnly)
        expectEqual(try connection.integer("SELECT COUNT(*) FROM Z_PRIMARYKEY WHERE Z_NAME LIKE 'NSCK%'"), 8)
    }

    @Test("Entities that change places keep their records")
    func renamed() throws {
        let store = try MirrorStore()
        let found = try migrate(store) { model in
            for (old, new) in [("Folder", "Zettel"), ("Note", "Archive"), ("SmartFolder", "Zettel2")] {
                let entity = model.entitiesByName[old]
                entity?.name = new
                entity?.renamingIdentifier = old
            }
        }
        expectEqual(found, Self.records("Zettel", "Zettel2", "Archive", "Archive"))
    }

    @Test("The records of an entity that the new model doesn't have are removed")
    func removed() async throws {
        let store = try MirrorStore()
        try store.breakMirror(
            // A leftover of an older version, with the number that another entity gets.
            "INSERT INTO ANSCKRECORDMETADATA (Z_PK, ZENTITYID, ZENTITYPK, ZCKRECORDNAME) VALUES (9, 4, 1, 'old')",
            MirrorStore.layout[1], MirrorStore.layout[2])
        let found = try migrate(store) { model in
            model.entitiesByName["Folder"]?.subentities = []
            model.entities = model.entities.filter { $0.name != "SmartFolder" } + [Self.entity("A"), Self.entity("B")]
        }
        expectEqual(found, Self.records("Folder", "", "Note", "Note").filter { !$0.hasPrefix(" ") })
        expectEqual(try await CommandRun("store", "doctor", store.path).status, 0)
    }
}
