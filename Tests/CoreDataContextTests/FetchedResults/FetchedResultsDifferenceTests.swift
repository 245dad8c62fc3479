import CoreData
import Testing

/// Applies each difference to its own list.
private final class Differences: NSObject, NSFetchedResultsControllerDelegate {
    var ids: [NSManagedObjectID] = []
    var differences: [CollectionDifference<NSManagedObjectID>] = []
    var otherCalls = 0
    var isConsistent = true

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        differences.append(diff)
        ids = ids.applying(diff) ?? []
        if ids != (controller.fetchedObjects as? [NSManagedObject])?.map(\.objectID) { isConsistent = false }
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        otherCalls += 1
    }
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        otherCalls += 1
    }
}

@Suite("Fetched results: changes as one difference")
struct FetchedResultsDifferenceTests {
    @Test("a delegate that implements the difference method gets no other calls", arguments: StoreKind.allCases)
    func difference(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            let books = stack.context.makeBooks("x/a", "x/b", "x/c", "x/d")
            try stack.context.save()
            let controller = stack.context.books(by: "name")
            let delegate = Differences()
            controller.delegate = delegate
            try controller.performFetch()
            delegate.ids = controller.fetchedObjects!.map(\.objectID)
            books[0].setValue("cc", forKey: "name")
            books[3].setValue(1, forKey: "pages")
            stack.context.delete(books[1])
            let new = stack.context.makeBooks("x/e")[0]
            stack.context.processPendingChanges()
            expectEqual(delegate.differences.count, 1)
            expectTrue(delegate.isConsistent)
            expectEqual(delegate.otherCalls, 0)
            let difference = try requireValue(delegate.differences.first)
            expectEqual(
                Array(difference),
                [
                    .remove(offset: 3, element: books[3].objectID, associatedWith: 2),
                    .remove(offset: 1, element: books[1].objectID, associatedWith: nil),
                    .remove(offset: 0, element: books[0].objectID, associatedWith: 1),
                    .insert(offset: 1, element: books[0].objectID, associatedWith: 0),
                    .insert(offset: 2, element: books[3].objectID, associatedWith: 3),
                    .insert(offset: 3, element: new.objectID, associatedWith: nil),
                ])
        }
    }

    @Test("with sections, it gets the other calls", arguments: StoreKind.allCases)
    func sections(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            let controller = stack.context.books(by: "kind", sections: "kind")
            let delegate = Differences()
            controller.delegate = delegate
            try controller.performFetch()
            stack.context.makeBooks("x/a")
            stack.context.processPendingChanges()
            expectEmpty(delegate.differences)
            expectEqual(delegate.otherCalls, 2)
        }
    }

    @Test("a delegate without the method gets the other calls, in their order", arguments: StoreKind.allCases)
    func withoutMethod(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            let controller = stack.context.books(by: "name")
            try controller.performFetch()
            let recorder = FetchedResultsRecorder(controller)
            for name in ["b", "a"] {
                stack.context.makeBooks("x/\(name)")
                stack.context.processPendingChanges()
            }
            expectEqual(recorder.events, ["will", "+b 0.0", "did", "will", "+a 0.0", "did"])
            expectEqual(recorder.before, ["b"])
            let delegate = Differences()
            controller.delegate = delegate
            stack.context.makeBooks("x/c")
            stack.context.processPendingChanges()
            expectEqual(delegate.differences.count, 1)
            expectEqual(delegate.otherCalls, 0)
        }
    }
}
