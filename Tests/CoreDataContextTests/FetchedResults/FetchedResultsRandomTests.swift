import CoreData
import Testing

@Suite("Fetched results: random sequences of changes")
struct FetchedResultsRandomTests {
    /// Controllers, each with a table that is updated by the calls of its delegate only.
    private final class Run {
        let context: NSManagedObjectContext
        let controllers: [NSFetchedResultsController<NSManagedObject>]
        let recorders: [FetchedResultsRecorder]
        var generator: SeededGenerator
        var next = 0

        init(_ context: NSManagedObjectContext, seed: UInt64) throws {
            self.context = context
            generator = SeededGenerator(seed: seed)
            controllers = [
                context.books(by: "kind", "pages", "name", sections: "kind", where: "pages < 12"),
                context.books(by: "pages", "name"),
                context.books(by: "kind", "name", sections: "kind", entity: "Novel"),
                context.books(by: "name") {
                    $0.sortDescriptors = [
                        NSSortDescriptor(key: "pages", ascending: false),
                        NSSortDescriptor(key: "name", ascending: true),
                    ]
                    $0.fetchLimit = 5
                    $0.fetchOffset = 2
                },
            ]
            for controller in controllers { try controller.performFetch() }
            recorders = controllers.map(FetchedResultsRecorder.init)
        }

        private func change() throws {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<6:
                next += 1
                let entity = Bool.random(using: &generator) ? "Book" : "Novel"
                context.make(
                    entity, "n\(next)", ["kind": randomKind(), "pages": Int.random(in: 0..<16, using: &generator)])
            case 6..<10: try randomBook()?.setValue(randomKind(), forKey: "kind")
            case 10..<14: try randomBook()?.setValue(Int.random(in: 0..<16, using: &generator), forKey: "pages")
            case 14..<16: try randomBook()?.setValue(Double.random(in: 0..<1, using: &generator), forKey: "rating")
            case 16..<19: if let book = try randomBook() { context.delete(book) }
            default:
                guard let book = try randomBook() else { return }
                context.refresh(book, mergeChanges: Bool.random(using: &generator))
                // A new book has lost its values. The order of two books without values is not defined.
                if book.text("name") == nil {
                    next += 1
                    book.setValue("n\(next)", forKey: "name")
                }
            }
        }

        private func randomKind() -> String { ["a", "b", "c", "d", "e"].randomElement(using: &generator)! }

        private func randomBook() throws -> NSManagedObject? {
            // The second controller returns its objects without a fetch, which would process the changes.
            controllers[1].fetchedObjects!.filter { !$0.isDeleted }.randomElement(using: &generator)
        }

        func step() throws {
            switch Int.random(in: 0..<30, using: &generator) {
            case 0: context.rollback()
            case 1..<4: try context.save()
            case 4:
                // Another context changes the store.
                try context.save()
                let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                other.persistentStoreCoordinator = context.persistentStoreCoordinator
                let kind = randomKind()
                try on(other) {
                    let books = try other.all("Book", sort: [NSSortDescriptor(key: "name", ascending: true)])
                    for (index, book) in books.enumerated() where index % 3 == 0 { book.setValue(kind, forKey: "kind") }
                    if let last = books.last { other.delete(last) }
                    try other.save()
                }
                context.refreshAllObjects()
            case 5:
                context.reset()
                for controller in controllers { try controller.performFetch() }
                for recorder in recorders { recorder.reload() }
            default: for _ in 0..<Int.random(in: 1..<12, using: &generator) { try change() }
            }
            context.processPendingChanges()
        }

        func check() throws {
            for (controller, recorder) in zip(controllers, recorders) {
                if let problem = recorder.problems.first { throw TestFailure(problem) }
                let fresh = NSFetchedResultsController(
                    fetchRequest: controller.fetchRequest, managedObjectContext: context,
                    sectionNameKeyPath: controller.sectionNameKeyPath,
                    cacheName: nil)
                try fresh.performFetch()
                let expected = fresh.sections!.map { $0.objects as! [NSManagedObject] }
                guard recorder.mirror == expected, recorder.mirrorNames == fresh.sections!.map(\.name) else {
                    throw TestFailure(
                        """
                        the table has \(text(recorder.mirror)), a fetch gives \(text(expected)), after \
                        \(recorder.events)
                        """
                    )
                }
                guard controller.fetchedObjects == fresh.fetchedObjects, controller.outline == fresh.outline else {
                    throw TestFailure("the controller has \(controller.outline), a fetch gives \(fresh.outline)")
                }
                recorder.clear()
            }
        }

        private func text(_ sections: [[NSManagedObject]]) -> String {
            sections.map {
                $0.map { "\($0.text("kind") ?? "")\($0.number("pages") ?? -1)\($0.text("name") ?? "x")" }.joined(
                    separator: " ")
            }.joined(separator: " | ")
        }
    }

    @Test("a table that is updated by the delegate's methods equals a new fetch", arguments: StoreKind.allCases, 0..<2)
    func random(_ kind: StoreKind, _ round: Int) throws {
        let seed = TestRun.seed(for: "random fetched results")
        var step = 0
        do {
            try withStack(kind, model: ShopModel.make()) { stack in
                let run = try Run(stack.context, seed: seed)
                while step < TestRun.quick(40, long: 100) {
                    try run.step()
                    try run.check()
                    try checkInvariants(of: stack.context)
                    step += 1
                }
            }
        } catch {
            Issue.record("COREDATA_SEED=\(seed), step \(step): \(error)")
        }
    }

    @Test("thousands of changes in one event are reported correctly", arguments: StoreKind.allCases)
    func many(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            let context = stack.context
            var generator = SeededGenerator(seed: 7)
            let count = TestRun.quick(600, long: 2000)
            for index in 0..<count {
                context.make(
                    "Book", "n\(index)",
                    ["kind": "k\(index % 10)", "pages": Int.random(in: 0..<1000, using: &generator)])
            }
            let controller = context.books(by: "kind", "pages", "name", sections: "kind", where: "pages < 900")
            try controller.performFetch()
            let recorder = FetchedResultsRecorder(controller)
            let books = try context.all("Book", sort: [NSSortDescriptor(key: "name", ascending: true)])
            for (index, book) in books.enumerated() {
                switch index % 4 {
                case 0: context.delete(book)
                case 1: book.setValue(Int.random(in: 0..<1000, using: &generator), forKey: "pages")
                case 2: book.setValue("k\(Int.random(in: 5..<15, using: &generator))", forKey: "kind")
                default: book.setValue(1.5, forKey: "rating")
                }
                context.make("Book", "m\(index)", ["kind": "k\(index % 10)", "pages": index % 1000])
            }
            context.processPendingChanges()
            expectEmpty(recorder.problems)
            expectEqual(recorder.mirror, controller.sections!.map { $0.objects as! [NSManagedObject] })
            try expectEqual(controller.fetchedObjects, context.fetch(controller.fetchRequest))
            expectEqual(recorder.events.filter { $0 == "will" }.count, 1)
            #expect(recorder.events.count > count * 5 / 4)
        }
    }
}
