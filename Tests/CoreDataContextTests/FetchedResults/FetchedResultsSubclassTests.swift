import CoreData
import Testing

@Suite("Fetched results: subclasses override the controller's methods")
struct FetchedResultsSubclassTests {
    /// Counts its fetches and hides the first object.
    private final class HidingController: NSFetchedResultsController<NSManagedObject> {
        var fetchCount = 0

        override func performFetch() throws {
            fetchCount += 1
            try super.performFetch()
        }

        override var fetchedObjects: [NSManagedObject]? { super.fetchedObjects.map { Array($0.dropFirst()) } }

        override func object(at indexPath: IndexPath) -> NSManagedObject {
            super.object(at: IndexPath(row: indexPath.row + 1, section: indexPath.section))
        }

        override func indexPath(forObject object: NSManagedObject) -> IndexPath? {
            super.indexPath(forObject: object).flatMap { path in
                path.row > 0 ? IndexPath(row: path.row - 1, section: path.section) : nil
            }
        }

        override var sections: [any NSFetchedResultsSectionInfo]? { super.sections.map { Array($0.prefix(1)) } }

        override var cacheName: String? { "hiding" }

        override class func deleteCache(withName name: String?) {}
    }

    private final class Reader: NSObject, NSFetchedResultsControllerDelegate {
        var names: [String?]?
        var path: IndexPath?
        var first: String?
        var sectionCount: Int?
        var cacheName: String?

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            let objects = controller.fetchedObjects as? [NSManagedObject]
            names = objects?.map { $0.text("name") }
            path = objects?.first.flatMap { controller.indexPath(forObject: $0) }
            first = (controller.object(at: IndexPath(row: 0, section: 0)) as? NSManagedObject)?.text("name")
            sectionCount = controller.sections?.count
            cacheName = controller.cacheName
        }
    }

    private func makeController(_ context: NSManagedObjectContext) -> HidingController {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = ["kind", "name"].map { NSSortDescriptor(key: $0, ascending: true) }
        return HidingController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "kind", cacheName: nil)
    }

    @Test("performFetch() and fetchedObjects, called through the base class", arguments: StoreKind.allCases)
    func overrides(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("x/a", "x/b", "y/c")
            let subclassed = makeController(stack.context)
            let controller: NSFetchedResultsController<NSManagedObject> = subclassed
            try controller.performFetch()
            expectEqual(subclassed.fetchCount, 1)
            let objects = try requireValue(controller.fetchedObjects)
            expectEqual(objects.map { $0.text("name") }, ["b", "c"])
            #expect(controller.object(at: IndexPath(row: 0, section: 0)) === objects[0])
            expectEqual(controller.indexPath(forObject: objects[0]), IndexPath(row: 0, section: 0))
            expectEqual(controller.sections?.count, 1)
            expectEqual(controller.cacheName, "hiding")
        }
    }

    @Test("a delegate's controller calls the overridden methods", arguments: StoreKind.allCases)
    func delegateSeesOverrides(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            let controller = makeController(stack.context)
            let reader = Reader()
            controller.delegate = reader
            try controller.performFetch()
            stack.context.makeBooks("x/a", "x/b", "y/c")
            stack.context.processPendingChanges()
            expectEqual(reader.names, ["b", "c"])
            expectEqual(reader.first, "b")
            expectEqual(reader.path, IndexPath(row: 0, section: 0))
            expectEqual(reader.sectionCount, 1)
            expectEqual(reader.cacheName, "hiding")
        }
    }
}
