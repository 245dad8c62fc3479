import OpenCoreData
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Values that a SQLite store has lost")
struct DamagedValueTests {
    let folder = try! TemporaryFolder()

    private var url: URL { folder.url.appendingPathComponent("Albums.sqlite") }

    private static func model() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        let cover = attribute("cover", .binaryDataAttributeType)
        cover.allowsExternalBinaryDataStorage = true
        let playing = attribute("isPlaying", .booleanAttributeType)
        playing.isTransient = true
        playing.isOptional = false
        playing.defaultValue = false
        let album = NSEntityDescription()
        album.name = "Album"
        album.properties = [
            attribute("artist", .stringAttributeType), cover, playing, attribute("title", .stringAttributeType),
            attribute("updated", .dateAttributeType), attribute("id", .UUIDAttributeType),
        ]
        let model = NSManagedObjectModel()
        model.entities = [album]
        return model
    }

    private func context() throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Saves one album with a large cover.
    private func fill() throws {
        let context = try context()
        try context.performAndWait {
            let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
            album.setValuesForKeys([
                "artist": "Miles Davis", "title": "Kind of Blue", "cover": Data(count: 200_000), "id": UUID(),
            ])
            try context.save()
        }
    }

    private func albums(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Album"))
    }

    private func column() throws -> Data? {
        try SQLiteConnection(path: url.path, mode: .readOnly).data("SELECT ZCOVER FROM ZALBUM")
    }

    @Test("A value whose external file is gone reads as nil, and the rest of the object can be used and saved")
    func lostFile() throws {
        try fill()
        let before = try requireValue(try column())
        try FileManager.default.removeItem(atPath: SQLiteExternalData(storePath: url.path).dataFolder)
        let context = try context()
        try context.performAndWait {
            let album = try requireValue(try albums(context).first)
            #expect(album.value(forKey: "cover") == nil)
            #expect(album.value(forKey: "title") as? String == "Kind of Blue")
            album.setValue("Sketches of Spain", forKey: "title")
            try context.save()
        }
        // The name of the file stays, for the day it is found again.
        try expectEqual(column(), before)
    }

    /// A file mark without a name, a name that is no UUID, an unknown mark, and a mark alone.
    static let damagedFrames = ["02ff", "02" + String(repeating: "2e", count: 36) + "00", "0701", "02"]

    private func damage(_ frame: String) throws {
        try fill()
        try SQLiteConnection(path: url.path, mode: .readWrite).run("UPDATE ZALBUM SET ZCOVER = x'\(frame)'")
    }

    @Test(
        "A damaged frame of external data reads as nil, and the rest of the object can be used and saved",
        arguments: damagedFrames)
    func damagedFrame(_ frame: String) throws {
        try damage(frame)
        let before = try requireValue(try column())
        let context = try context()
        try context.performAndWait {
            let album = try requireValue(try albums(context).first)
            #expect(album.value(forKey: "cover") == nil)
            #expect(album.value(forKey: "title") as? String == "Kind of Blue")
            album.setValue("Sketches of Spain", forKey: "title")
            try context.save()
            try expectEqual(column(), before)
            album.setValue(Data([1]), forKey: "cover")
            try context.save()
        }
        try expectEqual(column(), Data([1, 1]))
    }

    @Test("An object with a damaged frame of external data can be deleted", arguments: damagedFrames)
    func damagedFrameOfDeletedObject(_ frame: String) throws {
        try damage(frame)
        let context = try context()
        try context.performAndWait {
            context.delete(try requireValue(try albums(context).first))
            try context.save()
            try expectEmpty(albums(context))
        }
    }

    @Test("A damaged frame of external data is read by dictionary fetches, and changed by batch requests")
    func damagedFrameInOtherRequests() throws {
        try damage("02ff")
        let context = try context()
        try context.performAndWait {
            let request = NSFetchRequest<NSDictionary>(entityName: "Album")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["cover", "title"]
            try expectEqual(context.fetch(request), [["title": "Kind of Blue"]])
            let update = NSBatchUpdateRequest(entityName: "Album")
            update.propertiesToUpdate = ["cover": Data([5])]
            _ = try context.execute(update)
            try expectEqual(column(), Data([1, 5]))
        }
    }

    @Test("A damaged frame of external data is a problem of the store that its check finds", arguments: damagedFrames)
    func damagedFrameInCheck(_ frame: String) throws {
        try damage(frame)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let database = try requireValue(store as? SQLiteStore).database
        let problems = try database.valueProblems(requireValue(coordinator.layouts.byName["Album"]))
        expectEqual(problems.map(\.keyPath), ["cover"])
    }

    @Test(
        """
        A transient attribute of a fetched object begins with its default, so that a mandatory one doesn't hinder \
        a save
        """
    )
    func transientDefault() throws {
        try fill()
        let context = try context()
        try context.performAndWait {
            let album = try requireValue(try albums(context).first)
            expectEqual((album.value(forKey: "isPlaying") as? NSNumber)?.boolValue, false)
            album.setValue("Sketches of Spain", forKey: "title")
            try context.save()
            expectFalse(context.hasChanges)
        }
    }
}
