import CoreData
import Foundation

@objc protocol BookListDelegate: AnyObject {
    @objc optional func bookListDidChange(_ list: BookList)
    func bookList(_ list: BookList, didMove title: String)
}

/// The data source of a table of books, with a section for each initial letter.
class BookList: NSObject, NSFetchedResultsControllerDelegate {
    weak var delegate: BookListDelegate?
    /// A delegate that gets the same calls.
    weak var next: NSFetchedResultsControllerDelegate?
    private(set) var log: [String] = []

    lazy var controller: NSFetchedResultsController<Book> = {
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(keyPath: \Book.title, ascending: true)
        ]
        request.fetchBatchSize = 20
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context,
            sectionNameKeyPath: #keyPath(Book.sectionTitle), cacheName: nil)
        controller.delegate = self
        return controller
    }()

    private let context: NSManagedObjectContext

    init(context: NSManagedObjectContext) {
        self.context = context
        super.init()
    }

    func load() throws { try controller.performFetch() }

    var titles: [String] {
        (controller.sections ?? []).flatMap { section in
            ["[\(section.name)]"] + (section.objects as? [Book] ?? []).map(\.title)
        }
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log.append("begin")
        next?.controllerWillChangeContent?(controller)
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard let book = anObject as? Book else { return }
        switch type {
        case .insert: log.append("insert \(book.title) at \(newIndexPath!.section).\(newIndexPath!.row)")
        case .delete: log.append("delete at \(indexPath!.section).\(indexPath!.row)")
        case .update: log.append("update \(book.title)")
        case .move:
            log.append("move \(book.title)")
            delegate?.bookList(self, didMove: book.title)
        @unknown default: break
        }
        next?.controller?(
            controller, didChange: anObject, at: indexPath, for: type, newIndexPath: newIndexPath)
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        log.append("\(type == .insert ? "insert" : "delete") section \(sectionInfo.name)")
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log.append("end")
        next?.controllerDidChangeContent?(controller)
        delegate?.bookListDidChange?(self)
    }
}

/// Receives what a list forwards.
final class ChangeCounter: NSObject, NSFetchedResultsControllerDelegate, BookListDelegate {
    private(set) var count = 0
    private(set) var moved: [String] = []

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { count += 1 }

    func bookList(_ list: BookList, didMove title: String) { moved.append(title) }
}
