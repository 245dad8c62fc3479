import CoreData
import OwnStores

/// A Core Data store over HTTP: what the program does, and which requests the server gets for it.
@main
struct Main {
    static func main() async throws {
        let server = RecordServer()
        try await server.run { port in
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { return }
            RecordStore.register { RestService(url: $0) }
            try await use(url, server.log)
        }
    }

    private static func use(_ url: URL, _ log: RequestLog) async throws {
        func report(_ what: String) {
            print(what)
            for line in log.take() { print("    \(line)") }
        }
        let model = Library.model()
        let context = try newContext(url, model)
        try await context.perform {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("Ursula K. Le Guin", forKey: "name")
            for (title, year) in [("The Dispossessed", 1974), ("The Lathe of Heaven", 1971)] {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue(title, forKey: "title")
                book.setValue(year, forKey: "year")
                book.setValue(author, forKey: "author")
            }
            try context.save()
            report("One author and two books are saved.")
        }

        let other = try newContext(url, model)
        try await other.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "year < 1973")
            let books = try other.fetch(request)
            report("Another coordinator fetches the books before 1973: \(books.count).")
            let author = books[0].value(forKey: "author") as? NSManagedObject
            report("Its author is \(author?.value(forKey: "name") ?? "nobody").")
            author?.setValue("Le Guin", forKey: "name")
            try other.save()
            report("It changes the name.")
        }

        try await context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            let author = try context.fetch(request)[0]
            author.setValue("U. K. Le Guin", forKey: "name")
            do {
                try context.save()
                report("The first context has saved: that is wrong.")
            } catch let error as NSError {
                report("The first context changes it, too: error \(error.code).")
            }
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            report("With a merge policy it is saved.")
        }
    }

    private static func newContext(_ url: URL, _ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: RecordStore.storeType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}
