import TestSupport
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// `SQLiteRowCollector`, through contexts whose statements no observer watches.
@Suite("Rows that one step of SQLite passes to a function")
struct RowCollectorTests {
    private static func makeStack(_ folder: TemporaryFolder, count: Int) throws -> NSManagedObjectContext {
        let entity = NSEntityDescription()
        entity.name = "Item"
        let number = NSAttributeDescription()
        (number.name, number.attributeType) = ("number", .integer64AttributeType)
        let text = NSAttributeDescription()
        (text.name, text.attributeType) = ("text", .stringAttributeType)
        let ratio = NSAttributeDescription()
        (ratio.name, ratio.attributeType) = ("ratio", .doubleAttributeType)
        entity.properties = [number, text, ratio]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            type: .sqlite, at: folder.url.appendingPathComponent("Items.sqlite"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for index in 0..<count {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValue(index % 3 == 0 ? nil : (count - index) % 97, forKey: "number")
                item.setValue(index % 4 == 0 ? nil : index % 4 == 1 ? "" : "text \(index) é", forKey: "text")
                item.setValue(index % 5 == 0 ? nil : Double(index) / 7, forKey: "ratio")
            }
            try context.save()
            context.reset()
        }
        return context
    }

    private static func request(_ predicate: String? = nil) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = predicate.map { NSPredicate(format: $0) }
        return request
    }

    @Test("all values arrive, nil ones and empty texts too, in several buffers")
    func values() throws {
        let folder = try TemporaryFolder()
        let context = try Self.makeStack(folder, count: 1000)
        try context.performAndWait {
            let request = Self.request()
            request.sortDescriptors = [NSSortDescriptor(key: "ratio", ascending: true)]
            let items = try context.fetch(request)
            expectEqual(items.count, 1000)
            for item in items {
                let index = Int(item.primaryKey) - 1
                #expect(item.value(forKey: "number") as? Int == (index % 3 == 0 ? nil : (1000 - index) % 97))
                let text = index % 4 == 0 ? nil : index % 4 == 1 ? "" : "text \(index) é"
                #expect(item.value(forKey: "text") as? String == text)
                #expect(item.value(forKey: "ratio") as? Double == (index % 5 == 0 ? nil : Double(index) / 7))
            }
        }
    }

    @Test(
        "rows come in the order of the request, with its limits",
        arguments: [("number", true), ("number", false), ("text", true), ("ratio", false)])
    func order(key: String, isAscending: Bool) throws {
        let folder = try TemporaryFolder()
        let context = try Self.makeStack(folder, count: 600)
        try context.performAndWait {
            let request = Self.request("number != 5")
            request.sortDescriptors = [NSSortDescriptor(key: key, ascending: isAscending)]
            let all = try context.fetch(request).map(\.objectID)
            // The statement of IDs is stepped row by row.
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
            (ids.predicate, ids.sortDescriptors) = (request.predicate, request.sortDescriptors)
            ids.resultType = .managedObjectIDResultType
            let found = try context.fetch(ids)
            expectEqual(found, all)
            request.fetchOffset = 7
            request.fetchLimit = 300
            let part = try context.fetch(request).map(\.objectID)
            expectEqual(part, Array(all[7..<307]))
        }
    }

    @Test("a fetch without a result has none")
    func none() throws {
        let folder = try TemporaryFolder()
        let context = try Self.makeStack(folder, count: 3)
        try context.performAndWait {
            let found = try context.fetch(Self.request("text == 'other'"))
            expectEmpty(found)
        }
    }

    @Test("a row that no undamaged file has ends the fetch with error 259, and the next fetch works")
    func damage() throws {
        let folder = try TemporaryFolder()
        let context = try Self.makeStack(folder, count: 400)
        let connection = try SQLiteConnection(
            path: folder.url.appendingPathComponent("Items.sqlite").path, mode: .readWrite)
        try connection.run("UPDATE ZITEM SET Z_PK = -5 WHERE Z_PK = 300")
        try context.performAndWait {
            let error = #expect(throws: NSError.self) { try context.fetch(Self.request()) }
            expectEqual(error?.code, NSFileReadCorruptFileError)
            let found = try context.fetch(Self.request("number == 1"))
            #expect(!found.isEmpty)
        }
    }

    @Test("a connection knows the encoding of its texts")
    func encoding() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("Texts.sqlite").path
        let connection = try SQLiteConnection(path: path, mode: .create)
        try connection.run("PRAGMA encoding = 'UTF-16le'")
        try connection.run("CREATE TABLE T (Z_PK INTEGER PRIMARY KEY)")
        let hasUTF8Texts = try connection.hasUTF8Texts
        expectFalse(hasUTF8Texts)
        let plain = try SQLiteConnection(
            path: folder.url.appendingPathComponent("Plain.sqlite").path, mode: .create)
        let isPlain = try plain.hasUTF8Texts
        expectTrue(isPlain)
    }
}
