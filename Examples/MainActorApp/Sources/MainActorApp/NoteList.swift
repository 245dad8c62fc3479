import CoreData

/// A view model on the main actor.
class NoteList: NSObject, NSFetchedResultsControllerDelegate {
    let container: NSPersistentContainer
    private(set) var changes = 0
    private let controller: NSFetchedResultsController<Note>

    init(_ container: NSPersistentContainer) throws {
        self.container = container
        let request = Note.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.title, ascending: true)]
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: container.viewContext, sectionNameKeyPath: nil, cacheName: nil)
        super.init()
        controller.delegate = self
        try controller.performFetch()
    }

    var summaries: [String] { controller.fetchedObjects?.map(\.summary) ?? [] }

    func add(_ title: String, to name: String) throws {
        let context = container.viewContext
        let note = Note(context: context)
        note.title = title
        let folder = Folder(context: context)
        folder.name = name
        note.folder = folder
        try context.save()
    }

    func importNotes(_ titles: [String]) async throws -> Int {
        let context = container.newBackgroundContext()
        try await context.perform {
            for title in titles { Note(context: context).title = title }
            try context.save()
        }
        return try await container.performBackgroundTask { context in try context.count(for: Note.fetchRequest()) }
    }

    func rename(_ id: NSManagedObjectID, _ title: String) {
        container.performBackgroundTask { context in
            (try? context.existingObject(with: id) as? Note)?.title = title
            try? context.save()
        }
    }

    func countInBackground() throws -> Int {
        let context = container.newBackgroundContext()
        return try context.performAndWait { try context.count(for: Note.fetchRequest()) }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        changes += 1
    }
}
