import CoreData
import Testing

@Suite("Fetched results: delegate callbacks")
struct FetchedResultsChangesTests {
    /// A controller of saved books by kind and name, and a recorder.
    private func withController(
        _ kind: StoreKind, _ books: [String] = ["essay/b", "essay/d", "novel/c"], where format: String? = nil,
        _ body: (NSManagedObjectContext, NSFetchedResultsController<NSManagedObject>, FetchedResultsRecorder) throws ->
            Void
    ) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            for book in books { stack.context.makeBooks(book) }
            try stack.context.save()
            let controller = stack.context.books(by: "kind", "name", sections: "kind", where: format)
            try controller.performFetch()
            let recorder = FetchedResultsRecorder(controller)
            try body(stack.context, controller, recorder)
            try check(stack.context, controller, recorder)
        }
    }

    private func check(
        _ context: NSManagedObjectContext, _ controller: NSFetchedResultsController<NSManagedObject>,
        _ recorder: FetchedResultsRecorder
    ) throws {
        expectEmpty(recorder.problems)
        expectFalse(recorder.sawOther)
        expectEqual(recorder.mirror, controller.sections?.map { $0.objects as! [NSManagedObject] })
        expectEqual(recorder.mirrorNames, controller.sections?.map(\.name))
        try expectEqual(controller.fetchedObjects, context.fetch(controller.fetchRequest))
    }

    private func named(_ name: String, _ controller: NSFetchedResultsController<NSManagedObject>) -> NSManagedObject {
        controller.fetchedObjects!.first { $0.text("name") == name }!
    }

    @Test("an inserted object, with its index path", arguments: StoreKind.allCases)
    func insert(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            context.makeBooks("essay/c")
            expectEmpty(recorder.events)
            expectEqual(controller.outline, "essay: b d, novel: c")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "+c 0.1", "did"])
            expectEqual(recorder.before, ["b", "d", "c"])
            expectEqual(controller.outline, "essay: b c d, novel: c")
        }
    }

    @Test("several insertions in one event, with a new section", arguments: StoreKind.allCases)
    func insertSection(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            context.makeBooks("memoir/x", "essay/a", "memoir/a", "play/p")
            context.processPendingChanges()
            expectEqual(
                recorder.consumeEvents(),
                [
                    "will", "section +1 memoir", "section +3 play", "+a 0.0", "+a 1.0", "+x 1.1", "+p 3.0", "did",
                ])
        }
    }

    @Test("deleted objects with their old index paths, and sections without objects", arguments: StoreKind.allCases)
    func delete(_ kind: StoreKind) throws {
        try withController(kind, ["essay/a", "essay/b", "novel/c", "play/d"]) { context, controller, recorder in
            for name in ["a", "c"] { context.delete(named(name, controller)) }
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "-x 1.0", "-x 0.0", "section -1 novel", "did"])
            expectEqual(controller.outline, "essay: b, play: d")
            try context.save()
            expectEmpty(recorder.events)
        }
    }

    @Test("an updated object keeps its index path", arguments: StoreKind.allCases)
    func update(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            named("d", controller).setValue(7, forKey: "pages")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "~d 0.1", "did"])
            named("b", controller).setValue(8, forKey: "pages")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "~b 0.0", "did"])
        }
    }

    @Test("an update behind an insertion has an old and a new index path", arguments: StoreKind.allCases)
    func shiftedUpdate(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            named("d", controller).setValue(7, forKey: "pages")
            context.makeBooks("essay/c")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "+c 0.1", "~d 0.1>0.2", "did"])
        }
    }

    @Test("a move inside a section and to others", arguments: StoreKind.allCases)
    func move(_ kind: StoreKind) throws {
        try withController(kind, ["essay/a", "essay/b", "essay/c", "novel/d"]) { context, controller, recorder in
            named("a", controller).setValue("bb", forKey: "name")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "bb 0.0>0.1", "did"])
            named("c", controller).setValue("novel", forKey: "kind")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "c 0.2>1.0", "did"])
            named("d", controller).setValue("opera", forKey: "kind")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "section +2 opera", "d 1.1>2.0", "did"])
            named("d", controller).setValue("pamphlet", forKey: "kind")
            context.processPendingChanges()
            expectEqual(
                recorder.consumeEvents(), ["will", "section -2 opera", "section +2 pamphlet", "d 2.0>2.0", "did"])
        }
    }

    @Test("an object with another sort value is moved, though its position is the same", arguments: StoreKind.allCases)
    func samePosition(_ kind: StoreKind) throws {
        try withController(kind, ["essay/a", "essay/c"]) { context, controller, recorder in
            named("a", controller).setValue("b", forKey: "name")
            named("c", controller).setValue(7, forKey: "pages")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "b 0.0>0.0", "~c 0.1", "did"])
        }
    }

    @Test("of two swapped objects, both are moved", arguments: StoreKind.allCases)
    func swap(_ kind: StoreKind) throws {
        try withController(kind, ["essay/a", "essay/b", "essay/c"]) { context, controller, recorder in
            let a = named("a", controller)
            let c = named("c", controller)
            a.setValue("c", forKey: "name")
            c.setValue("a", forKey: "name")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "a 0.2>0.0", "c 0.0>0.2", "did"])
            a.setValue("d", forKey: "name")
            named("b", controller).setValue("z", forKey: "name")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "d 0.2>0.1", "z 0.1>0.2", "did"])
        }
    }

    @Test("everything in one event", arguments: StoreKind.allCases)
    func all(_ kind: StoreKind) throws {
        try withController(kind, ["a/1", "a/2", "b/3", "c/4", "c/5", "d/6"]) { context, controller, recorder in
            context.delete(named("3", controller))
            named("1", controller).setValue("c", forKey: "kind")
            named("5", controller).setValue(1, forKey: "pages")
            named("6", controller).setValue("0", forKey: "name")
            context.makeBooks("aa/7")
            context.processPendingChanges()
            expectEqual(
                recorder.consumeEvents(),
                [
                    "will", "-x 1.0", "section -1 b", "section +1 aa", "+7 1.0", "1 0.0>2.0", "0 3.0>3.0",
                    "~5 2.1>2.2", "did",
                ])
        }
    }

    @Test("sections in another order are deleted and inserted", arguments: StoreKind.allCases)
    func sectionsChangePlaces(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            let context = stack.context
            let one = context.make("Genre", "one", ["rank": 1])
            let two = context.make("Genre", "two", ["rank": 2])
            for (name, genre) in [("a", one), ("b", two), ("c", two)] { context.make("Book", name, ["genre": genre]) }
            let controller = context.books(by: "genre.rank", "name", sections: "genre.name")
            try controller.performFetch()
            let recorder = FetchedResultsRecorder(controller)
            expectEqual(controller.outline, "one: a, two: b c")
            one.setValue(3, forKey: "rank")
            // A change of the book itself is reported.
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), [])
            for book in controller.fetchedObjects! { book.setValue(1, forKey: "pages") }
            context.processPendingChanges()
            expectEqual(controller.outline, "two: b c, one: a")
            expectEmpty(recorder.problems)
            expectEqual(recorder.mirrorNames, ["two", "one"])
            expectEqual(recorder.consumeEvents().filter { $0.hasPrefix("section") }.count, 2)
            try check(context, controller, recorder)
        }
    }

    @Test("changed objects begin and cease to match the predicate", arguments: StoreKind.allCases)
    func predicate(_ kind: StoreKind) throws {
        try withController(kind, ["essay/b", "novel/c"], where: "pages < 100") { context, controller, recorder in
            expectEqual(controller.outline, "")
            let books = try context.all("Book", sort: [NSSortDescriptor(key: "name", ascending: true)])
            for book in books { book.setValue(50, forKey: "pages") }
            context.make("Book", "z", ["pages": 200, "kind": "essay"])
            context.processPendingChanges()
            expectEqual(
                recorder.consumeEvents(), ["will", "section +0 essay", "section +1 novel", "+b 0.0", "+c 1.0", "did"])
            books[0].setValue(100, forKey: "pages")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "-b 0.0", "section -0 essay", "did"])
            books[0].setValue(101, forKey: "pages")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), [])
        }
    }

    @Test("changes of other entities are not reported", arguments: StoreKind.allCases)
    func others(_ kind: StoreKind) throws {
        try withController(kind) { context, _, recorder in
            context.make("Genre", "g")
            context.processPendingChanges()
            expectEmpty(recorder.events)
        }
    }

    @Test("an object inserted and deleted in one event is not reported", arguments: StoreKind.allCases)
    func comeAndGo(_ kind: StoreKind) throws {
        try withController(kind) { context, _, recorder in
            context.delete(context.makeBooks("essay/q")[0])
            context.processPendingChanges()
            expectEmpty(recorder.events)
        }
    }

    @Test("a change of a relationship is an update of the object on either side", arguments: StoreKind.allCases)
    func relationship(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            let genre = context.make("Genre", "g")
            genre.mutableSetValue(forKey: "books").add(named("d", controller))
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "~d 0.1", "did"])
            context.delete(genre)
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "~d 0.1", "did"])
        }
    }

    @Test(
        "a save reports nothing, and objects keep their index paths",
        arguments: StoreKind.allCases.without(.ownEvaluation))
    func saving(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            context.makeBooks("essay/z", "essay/z", "essay/y", "essay/z")
            context.processPendingChanges()
            let objects = controller.fetchedObjects
            recorder.clear()
            try context.save()
            expectEmpty(recorder.events)
            expectEqual(controller.fetchedObjects, objects)
            expectEqual(objects?.allSatisfy { !$0.objectID.isTemporaryID }, true)
        }
    }

    @Test("a rollback reports the reverse changes", arguments: StoreKind.allCases)
    func rollback(_ kind: StoreKind) throws {
        try withController(kind, ["essay/a", "essay/b", "essay/c"]) { context, controller, recorder in
            context.makeBooks("essay/aa", "novel/n")
            context.delete(named("b", controller))
            named("a", controller).setValue("z", forKey: "name")
            context.processPendingChanges()
            expectEqual(controller.outline, "essay: aa c z, novel: n")
            recorder.clear()
            context.rollback()
            expectEqual(controller.outline, "essay: a b c")
            expectEqual(
                recorder.consumeEvents(),
                [
                    "will", "-x 1.0", "-x 0.0", "section -1 novel", "+b 0.1", "a 0.2>0.0", "did",
                ])
            // The removal of an object that was never reported is not reported either.
            context.makeBooks("essay/q")
            context.rollback()
            expectEqual(controller.outline, "essay: a b c")
        }
    }

    @Test("an undone deletion is an insertion", arguments: StoreKind.allCases)
    func undeleting(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            let book = named("d", controller)
            context.delete(book)
            context.processPendingChanges()
            context.insert(book)
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "-x 0.1", "did", "will", "+d 0.1", "did"])
        }
    }

    @Test("refreshed objects have the values that another context has saved", arguments: StoreKind.allCases)
    func refresh(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("essay/a", "essay/b", "novel/c")
            try stack.context.save()
            let controller = stack.context.books(by: "kind", "name", sections: "kind")
            try controller.performFetch()
            let recorder = FetchedResultsRecorder(controller)
            let other = stack.newContext()
            try on(other) {
                try other.one("Book", "a").setValue("z", forKey: "name")
                try other.one("Book", "c").setValue("play", forKey: "kind")
                other.delete(try other.one("Book", "b"))
                try other.save()
            }
            expectEmpty(recorder.events)
            stack.context.refreshAllObjects()
            stack.context.processPendingChanges()
            expectEqual(controller.outline, "essay: z, play: c")
            try check(stack.context, controller, recorder)
        }
    }

    @Test("a reset of the context calls no method, until the program fetches again", arguments: StoreKind.allCases)
    func reset(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            let id = named("b", controller).objectID
            context.makeBooks("essay/q")
            context.processPendingChanges()
            recorder.clear()
            let saved = controller.fetchedObjects
            context.reset()
            expectEmpty(recorder.consumeEvents())
            expectEqual(controller.fetchedObjects, saved)
            try controller.performFetch()
            expectEqual(controller.outline, "essay: b d, novel: c")
            expectEqual(named("b", controller).objectID, id)
            recorder.reload()
            named("b", controller).setValue("a", forKey: "name")
            context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "a 0.0>0.0", "did"])
        }
    }

    @Test("a reset calls no method of a controller with a limit", arguments: StoreKind.allCases)
    func resetWithLimit(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("essay/a", "essay/b")
            try stack.context.save()
            let controller = stack.context.books(by: "name") { $0.fetchLimit = 1 }
            try controller.performFetch()
            let recorder = FetchedResultsRecorder(controller)
            stack.context.reset()
            expectEmpty(recorder.consumeEvents())
            try controller.performFetch()
            expectEqual(controller.outline, "a")
        }
    }

    /// Compares the section of each call with the controller's, as objects.
    private final class SectionObjects: NSObject, NSFetchedResultsControllerDelegate {
        var sections: [any NSFetchedResultsSectionInfo] = []

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChange sectionInfo: any NSFetchedResultsSectionInfo,
            atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
        ) {
            sections.append(sectionInfo)
        }
    }

    @Test("sections are objects: an inserted one is that of the controller", arguments: StoreKind.allCases)
    func sectionObjects(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            let delegate = SectionObjects()
            controller.delegate = delegate
            context.makeBooks("play/a")
            context.processPendingChanges()
            let section = try requireValue(controller.sections?.last as? NSObject)
            #expect(delegate.sections.last as? NSObject === section)
            context.delete(named("a", controller))
            context.processPendingChanges()
            let deleted = try requireValue(delegate.sections.last)
            #expect(deleted is NSObject)
            expectEqual(deleted.numberOfObjects, 0)
            controller.delegate = recorder
            recorder.reload()
        }
    }

    @Test("without a delegate the results stay as they were fetched", arguments: StoreKind.allCases)
    func noDelegate(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            controller.delegate = nil
            context.makeBooks("essay/a")
            context.processPendingChanges()
            expectEqual(controller.outline, "essay: b d, novel: c")
            controller.delegate = recorder
            try controller.performFetch()
            recorder.reload()
            expectEqual(controller.outline, "essay: a b d, novel: c")
            expectEmpty(recorder.events)
        }
    }

    @Test("a deallocated delegate is no delegate", arguments: StoreKind.allCases)
    func delegateIsWeak(_ kind: StoreKind) throws {
        try withController(kind) { context, controller, recorder in
            controller.delegate = nil
            do {
                let other = FetchedResultsRecorder(controller)
                #expect(controller.delegate === other)
            }
            #expect(controller.delegate == nil)
            controller.delegate = recorder
        }
    }

    @Test("with a fetch limit, objects move into and out of the window", arguments: StoreKind.allCases)
    func limit(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("x/a", "x/c", "x/e", "x/g")
            let controller = stack.context.books(by: "name") {
                $0.fetchLimit = 2
                $0.fetchOffset = 1
            }
            try controller.performFetch()
            let recorder = FetchedResultsRecorder(controller)
            expectEqual(controller.outline, "c e")
            stack.context.makeBooks("x/d")
            stack.context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "-e 0.1", "+d 0.1", "did"])
            let a = try stack.context.one("Book", "a")
            let e = try stack.context.one("Book", "e")
            stack.context.delete(a)
            e.setValue(3, forKey: "pages")
            stack.context.processPendingChanges()
            expectEqual(recorder.consumeEvents(), ["will", "-c 0.0", "+e 0.1", "did"])
            try check(stack.context, controller, recorder)
        }
    }

    @Test("changes by a delegate belong to the next event", arguments: StoreKind.allCases)
    func changingInside(_ kind: StoreKind) throws {
        final class Changing: NSObject, NSFetchedResultsControllerDelegate {
            var calls = 0
            func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                calls += 1
                guard calls == 1 else { return }
                (controller.fetchedObjects?.first as? NSManagedObject)?.setValue("zz", forKey: "name")
            }
        }
        try withController(kind, ["essay/a", "essay/b"]) { context, controller, recorder in
            let changing = Changing()
            controller.delegate = changing
            context.makeBooks("essay/c")
            context.processPendingChanges()
            context.processPendingChanges()
            expectEqual(changing.calls, 2)
            expectEqual(controller.outline, "essay: b c zz")
            controller.delegate = recorder
            recorder.reload()
        }
    }

    @Test(
        "objects with equal sort values are in the order of their keys, new objects last, as in a fetch",
        arguments: StoreKind.allCases.without(.ownEvaluation))
    func ties(_ kind: StoreKind) throws {
        try withController(kind, ["essay/a", "essay/a", "essay/a"]) { context, controller, recorder in
            let books = controller.fetchedObjects!
            let new = context.makeBooks("essay/a", "essay/a")
            context.processPendingChanges()
            expectEqual(controller.fetchedObjects, books + new)
            try context.save()
            books[1].setValue("b", forKey: "name")
            context.processPendingChanges()
            books[1].setValue("a", forKey: "name")
            context.processPendingChanges()
            expectEqual(controller.fetchedObjects, books + new)
            recorder.clear()
            try context.save()
        }
    }

    @Test("a controller and its context are deallocated after their last use")
    func lifetime() throws {
        weak var results: NSFetchedResultsController<NSManagedObject>?
        weak var context: NSManagedObjectContext?
        try withStack(.memory, model: ShopModel.make()) { stack in
            let other = stack.newContext()
            try on(other) {
                let controller = other.books(by: "name")
                let recorder = FetchedResultsRecorder(controller)
                try controller.performFetch()
                other.makeBooks("x/a")
                other.processPendingChanges()
                expectEqual(recorder.events.count, 3)
                results = controller
            }
            context = other
        }
        expectEqual(results, nil)
        expectEqual(context, nil)
    }
}
