import CoreData

/// Records the calls of a controller, and applies them to its own sections, as a table view does.
final class FetchedResultsRecorder: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var events: [String] = []
    /// The names of the objects before the change.
    private(set) var before: [String] = []
    private(set) var mirror: [[NSManagedObject]] = []
    private(set) var mirrorNames: [String] = []
    private(set) var problems: [String] = []
    /// Whether a call had another controller as its argument.
    private(set) var sawOther = false
    private let controller: NSFetchedResultsController<NSManagedObject>
    private var batch = Batch()

    private struct Batch {
        var deletedSections: [Int] = []
        var insertedSections: [(index: Int, name: String)] = []
        var deleted: [IndexPath] = []
        var inserted: [(path: IndexPath, object: NSManagedObject)] = []
        var updated: [(path: IndexPath, object: NSManagedObject)] = []
    }

    init(_ controller: NSFetchedResultsController<NSManagedObject>) {
        self.controller = controller
        super.init()
        controller.delegate = self
        reload()
    }

    func clear() { events = [] }

    func consumeEvents() -> [String] {
        defer { events = [] }
        return events
    }

    /// Copies the sections of the controller.
    func reload() {
        let sections = controller.sections ?? []
        mirror = sections.map { $0.objects as! [NSManagedObject] }
        mirrorNames = sections.map(\.name)
    }

    // MARK: Delegate

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        if controller !== self.controller { sawOther = true }
        before = (controller.fetchedObjects as? [NSManagedObject])?.map(Self.name) ?? []
        batch = Batch()
        events.append("will")
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        switch type {
        case .delete:
            batch.deletedSections.append(sectionIndex)
            if sectionInfo.numberOfObjects != 0 { problems.append("a deleted section has objects") }
            events.append("section -\(sectionIndex) \(sectionInfo.name)")
        case .insert:
            batch.insertedSections.append((sectionIndex, sectionInfo.name))
            events.append("section +\(sectionIndex) \(sectionInfo.name)")
        default:
            problems.append("a section was reported as \(type)")
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        let object = anObject as! NSManagedObject
        let name = Self.name(object)
        let old = indexPath.map { "\($0.section).\($0.row)" } ?? ""
        let new = newIndexPath.map { "\($0.section).\($0.row)" } ?? ""
        if let indexPath {
            let isThere =
                mirror.indices.contains(indexPath.section) && mirror[indexPath.section].indices.contains(indexPath.row)
                && mirror[indexPath.section][indexPath.row].objectID == object.objectID
            if !isThere { problems.append("\(name) was not at \(old)") }
        }
        switch (type, indexPath, newIndexPath) {
        case (.insert, nil, let path?):
            batch.inserted.append((path, object))
            events.append("+\(name) \(new)")
        case (.delete, let path?, nil):
            batch.deleted.append(path)
            events.append("-\(name) \(old)")
        case (.move, let from?, let to?):
            batch.deleted.append(from)
            batch.inserted.append((to, object))
            events.append("\(name) \(old)>\(new)")
        case (.update, .some, let path?):
            batch.updated.append((path, object))
            events.append("~\(name) \(old)" + (old == new ? "" : ">\(new)"))
        default:
            problems.append("\(name) was reported as \(type) from \(old) to \(new)")
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        events.append("did")
        for path in batch.deleted.sorted(by: >) { mirror[path.section].remove(at: path.row) }
        for index in batch.deletedSections.sorted(by: >) {
            if !mirror[index].isEmpty {
                problems.append("section \(mirrorNames[index]) was deleted with objects that were not reported")
            }
            mirror.remove(at: index)
            mirrorNames.remove(at: index)
        }
        for (index, name) in batch.insertedSections.sorted(by: { $0.index < $1.index }) {
            mirror.insert([], at: index)
            mirrorNames.insert(name, at: index)
        }
        for (path, object) in batch.inserted.sorted(by: { $0.path < $1.path }) {
            guard path.section < mirror.count, path.row <= mirror[path.section].count else {
                problems.append("\(Self.name(object)) was reported at \(path), beyond the end of the section")
                continue
            }
            mirror[path.section].insert(object, at: path.row)
        }
        for (path, object) in batch.updated {
            if mirror[path.section][path.row].objectID != object.objectID {
                problems.append("\(Self.name(object)) is not at \(path)")
            }
            mirror[path.section][path.row] = object
        }
    }

    private static func name(_ object: NSManagedObject) -> String {
        object.managedObjectContext == nil || object.isDeleted ? "x" : object.text("name") ?? "?"
    }
}

/// Books with genres, and attributes to sort and to divide them by.
enum ShopModel {
    static func make() -> NSManagedObjectModel {
        let genre = entity("Genre")
        let book = entity("Book")
        let novel = entity("Novel")
        book.subentities = [novel]
        let books = toMany("books", book)
        let bookGenre = toOne("genre", genre)
        pair(books, bookGenre)
        let mark = attribute("mark", .stringAttributeType)
        mark.isTransient = true
        genre.properties = [attribute("name", .stringAttributeType), attribute("rank", .integer32AttributeType), books]
        book.properties = [
            attribute("name", .stringAttributeType), attribute("kind", .stringAttributeType),
            attribute("pages", .integer32AttributeType),
            attribute("rating", .doubleAttributeType), attribute("isOut", .booleanAttributeType), mark, bookGenre,
        ]
        novel.properties = [attribute("mood", .stringAttributeType)]
        return model([genre, book, novel])
    }
}

extension NSManagedObjectContext {
    /// A controller of books.
    func books(
        by keys: String..., sections: String? = nil, where format: String? = nil, cache: String? = nil,
        entity: String = "Book",
        change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        request.predicate = format.map { NSPredicate(format: $0) }
        change(request)
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: self, sectionNameKeyPath: sections, cacheName: cache)
    }

    /// Inserts books, each given as "kind/name".
    @discardableResult
    func makeBooks(_ texts: String...) -> [NSManagedObject] {
        texts.map { text in
            let parts = text.split(separator: "/").map(String.init)
            return make("Book", parts[1], ["kind": parts[0]])
        }
    }
}

extension NSFetchedResultsController {
    /// The names of the objects, by section: "A: a b, B: c".
    var outline: String {
        (sections ?? []).map { section in
            let names = (section.objects as! [NSManagedObject]).map { $0.text("name") ?? "?" }
            return section.name.isEmpty
                ? names.joined(separator: " ") : "\(section.name): \(names.joined(separator: " "))"
        }.joined(separator: ", ")
    }
}
