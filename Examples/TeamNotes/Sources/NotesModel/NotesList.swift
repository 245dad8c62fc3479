import CoreData
import Observation

/// The view model of the list. It follows the context by a fetched results controller.
@Observable
public final class NotesList: NSObject, NSFetchedResultsControllerDelegate {
    public private(set) var notes: [Note] = []
    public private(set) var errorMessage: String?
    public var searchText = "" {
        didSet { if searchText != oldValue { fetch() } }
    }

    @ObservationIgnored private let context: NSManagedObjectContext
    @ObservationIgnored private var controller: NSFetchedResultsController<Note>?

    public init(_ context: NSManagedObjectContext) {
        self.context = context
        super.init()
        fetch()
    }

    private func fetch() {
        let controller = NSFetchedResultsController(
            fetchRequest: Note.listRequest(searchText: searchText), managedObjectContext: context,
            sectionNameKeyPath: nil, cacheName: nil)
        controller.delegate = self
        self.controller = controller
        attempt { try controller.performFetch() }
        notes = controller.fetchedObjects ?? []
    }

    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        notes = self.controller?.fetchedObjects ?? []
    }

    @discardableResult
    public func add(title: String, topics: [String] = []) -> Note {
        let note = Note(context: context)
        note.title = title
        note.topicNames = topics
        note.touch()
        save()
        return note
    }

    public func togglePin(_ note: Note) {
        note.isPinned.toggle()
        note.touch()
        save()
    }

    public func moveToTrash(_ note: Note) {
        note.isTrashed = true
        note.touch()
        save()
    }

    /// Saves the changes. What can't be saved is taken back, and the message says why.
    public func save() {
        attempt { if context.hasChanges { try context.save() } }
        if errorMessage != nil { context.rollback() }
    }

    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
            errorMessage = nil
        } catch {
            errorMessage = error.localizedDescription
        }
    }
}
