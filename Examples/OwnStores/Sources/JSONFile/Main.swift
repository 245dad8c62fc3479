import CoreData
import Foundation
import OwnStores

/// A Core Data store that is a JSON file: what the program does, and what the file contains then.
@main
struct Main {
    static func main() throws {
        NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, forStoreType: JSONStore.storeType)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("JSONFile \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("library.json")
        let model = Library.model()

        let (coordinator, context) = try open(url, model)
        try context.performAndWait {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("Ursula K. Le Guin", forKey: "name")
            for (title, year) in [("The Dispossessed", 1974), ("The Lathe of Heaven", 1971)] {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue(title, forKey: "title")
                book.setValue(year, forKey: "year")
                book.setValue(author, forKey: "author")
                // Objects that are saved together are numbered in no certain order.
                try context.save()
            }
        }
        print("One author and two books are saved. The file:")
        try show(url)

        let other = try open(url, model).context
        try other.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "author.name BEGINSWITH 'Ursula' AND year < 1973")
            let books = try other.fetch(request)
            print(
                "Another coordinator fetches the books before 1973: \(books.map { $0.value(forKey: "title") ?? "" }).")
            books.forEach(other.delete)
            try other.save()
            print("It deletes them. The file has \(try Data(contentsOf: url).count) bytes.")
        }

        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            try context.fetch(request)[0].setValue("U. K. Le Guin", forKey: "name")
            do {
                try context.save()
                print("The first coordinator has overwritten the file: that is wrong.")
            } catch let error as NSError {
                print("The first coordinator read the file before. Its save: error \(error.code).")
            }
            context.rollback()
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        _ = try coordinator.addPersistentStore(ofType: JSONStore.storeType, configurationName: nil, at: url)
        try context.performAndWait {
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
            print("After the store was added again it sees \(count) book.")
        }
    }

    /// Prints the names and values in the file, without what differs from run to run.
    private static func show(_ url: URL) throws {
        let text = try String(contentsOf: url, encoding: .utf8)
        for line in text.split(separator: "\n") where !line.contains("identifier") { print("    \(line)") }
    }

    private static func open(_ url: URL, _ model: NSManagedObjectModel) throws -> (
        coordinator: NSPersistentStoreCoordinator, context: NSManagedObjectContext
    ) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: JSONStore.storeType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (coordinator, context)
    }
}
