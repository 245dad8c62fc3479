import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Schemas with a unique prefix on the test server. They are dropped with this object.
final class TestDatabase {
    private let prefix = "t" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "").prefix(16)
    let folder: TemporaryFolder
    private let coordinators = Coordinators()

    private final class Coordinators { var all: [NSPersistentStoreCoordinator] = [] }

    init() throws {
        _ = NSPostgreSQLStoreType
        folder = try TemporaryFolder()
    }

    deinit {
        for coordinator in coordinators.all {
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
        }
        guard let connection = try? TestServer.connect() else { return }
        defer { connection.close() }
        let found = try? connection.execute(
            "SELECT nspname::text FROM pg_namespace WHERE starts_with(nspname, '\(prefix)')")
        for name in found.map({ $0.map { $0.text(0) } }) ?? [] {
            try? connection.executeScript("DROP SCHEMA \"\(name)\" CASCADE")
        }
    }

    func schema(_ name: String) -> String { "\(prefix)_\(name)" }

    func url(_ name: String = "store", _ items: String = "") -> URL {
        let url = PostgreSQLServer.url(schema: schema(name))
        return items.isEmpty ? url : URL(string: url.absoluteString + "&" + items) ?? url
    }

    /// A coordinator with a store.
    func coordinator(
        _ type: String = NSPostgreSQLStoreType, at url: URL, options: [AnyHashable: Any]? = nil,
        model: NSManagedObjectModel = LibraryModel.make()
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        coordinators.all.append(coordinator)
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        return coordinator
    }

    /// Runs a block with a new context of a coordinator.
    func use<Result>(
        _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    /// Saves an author with books, their chapters in order, and tags.
    func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
        try use(coordinator) { context in
            func insert(_ entity: String, _ name: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValue(name, forKey: "name")
                return object
            }
            let author = insert("Author", "Ada")
            author.setValue(NSNumber(value: 36), forKey: "age")
            let tags = [insert("Tag", "red"), insert("Tag", "blue")]
            for name in ["One", "Two"] {
                let book = insert(name == "Two" ? "Novel" : "Book", name)
                book.setValue(author, forKey: "author")
                book.setValue(NSNumber(value: 12.5), forKey: "price")
                book.setValue(NSSet(array: tags), forKey: "tags")
                let chapters = ["c", "a", "b"].map { insert("Chapter", name + $0) }
                book.setValue(NSOrderedSet(array: chapters), forKey: "chapters")
            }
            try context.save()
            // A second version of a row.
            author.setValue("poetry", forKey: "genre")
            try context.save()
        }
    }

    /// The objects of `fill(_:)` as text.
    func contents(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        try use(coordinator) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request).map { book in
                let author = book.value(forKey: "author") as? NSManagedObject
                let names = { (value: Any?) in
                    ((value as? NSOrderedSet)?.array ?? []).compactMap {
                        ($0 as? NSManagedObject)?.value(forKey: "name")
                    }
                }
                let tags = (book.value(forKey: "tags") as? NSSet)?.allObjects ?? []
                let tagNames = tags.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }.sorted()
                return [
                    book.entity.name ?? "", "\(book.value(forKey: "name") ?? "")",
                    "\(book.value(forKey: "price") ?? "")",
                    "\(author?.value(forKey: "name") ?? "") \(author?.value(forKey: "genre") ?? "")",
                    "\(names(book.value(forKey: "chapters")))", "\(tagNames)",
                ].joined(separator: "|")
            }
        }
    }

    static let expected = [
        #"Book|One|12.5|Ada poetry|["Onec", "Onea", "Oneb"]|["blue", "red"]"#,
        #"Novel|Two|12.5|Ada poetry|["Twoc", "Twoa", "Twob"]|["blue", "red"]"#,
    ]

    /// Whether a schema exists.
    func hasSchema(_ name: String = "store") throws -> Bool {
        let connection = try TestServer.connect()
        defer { connection.close() }
        return try connection.execute("SELECT to_regnamespace('\(schema(name))') IS NOT NULL")[0].bool(0)
    }

    func execute(_ text: String) throws {
        let connection = try TestServer.connect()
        defer { connection.close() }
        try connection.executeScript(text)
    }
}

/// The error that a block throws.
func requireError(_ body: () throws -> Void) throws -> NSError {
    let error = thrownError(body)
    return try requireValue(error)
}
