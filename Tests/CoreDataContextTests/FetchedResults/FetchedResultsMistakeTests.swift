import CoreData
import Testing

@Suite("Fetched results: errors and programming errors")
struct FetchedResultsMistakeTests {
    @Test("objects that are not sorted by section are an error that names both keys", arguments: StoreKind.allCases)
    func outOfOrder(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("novel/a", "essay/b", "novel/c")
            let controller = stack.context.books(by: "name", sections: "kind")
            let error = try requireValue(thrownError { try controller.performFetch() })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSCoreDataError)
            #expect(
                error.userInfo["reason"] as? String
                    == """
                    The fetched object at index 2 has an out of order section name 'novel'. Objects must be sorted \
                    by section name
                    """
            )
            expectContains(error.localizedDescription, "'kind'")
            expectContains(error.localizedDescription, "'name'")
            #expect(controller.sections == nil)
            controller.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "kind", ascending: false)]
            try controller.performFetch()
            expectEqual(controller.sections?.count, 2)
        }
    }

    @Test("a failed fetch keeps the previous results", arguments: StoreKind.allCases)
    func failure(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("x/a", "y/b")
            try stack.context.save()
            let controller = stack.context.books(by: "name")
            let recorder = FetchedResultsRecorder(controller)
            try controller.performFetch()
            controller.fetchRequest.predicate = NSPredicate(format: "colour == 'red'")
            #expect(thrownError { try controller.performFetch() } != nil)
            expectEqual(controller.outline, "a b")
            recorder.reload()
            stack.context.makeBooks("y/c")
            stack.context.processPendingChanges()
            expectEqual(controller.outline, "a b c")
            expectEmpty(recorder.problems)
        }
    }

    @Test("changed objects out of section order get a section of their own", arguments: StoreKind.allCases)
    func laterOutOfOrder(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("x/a", "x/b", "x/c")
            let controller = stack.context.books(by: "name", sections: "kind")
            try controller.performFetch()
            let recorder = FetchedResultsRecorder(controller)
            controller.fetchedObjects![1].setValue("y", forKey: "kind")
            stack.context.processPendingChanges()
            expectEqual(controller.outline, "x: a, y: b, x: c")
            expectEmpty(recorder.problems)
            expectEqual(recorder.mirror, controller.sections!.map { $0.objects as! [NSManagedObject] })
            controller.fetchedObjects![1].setValue("x", forKey: "kind")
            stack.context.processPendingChanges()
            expectEqual(controller.outline, "x: a b c")
            expectEmpty(recorder.problems)
            expectEqual(recorder.mirror, controller.sections!.map { $0.objects as! [NSManagedObject] })
        }
    }

    private static func expect(
        _ result: ExitTest.Result?, contains parts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for part in parts { #expect(output.contains(part), "\(output.prefix(600))", sourceLocation: sourceLocation) }
    }

    @Test("a request whose sort descriptors are nil stops the program when the controller is created")
    func unsorted() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory, model: ShopModel.make()) { stack in
                _ = stack.context.books { $0.sortDescriptors = nil }
            }
        }
        Self.expect(result, contains: "requires a fetch request with sort descriptors", "Book")
    }

    @Test("a row that does not exist")
    func noRow() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory, model: ShopModel.make()) { stack in
                stack.context.makeBooks("x/a")
                let controller = stack.context.books(by: "kind", sections: "kind")
                try controller.performFetch()
                _ = controller.object(at: IndexPath(row: 1, section: 0))
            }
        }
        Self.expect(result, contains: "No object at index 1 in section at index 0", "'x' has 1")
    }

    @Test("a section that does not exist")
    func noSection() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory, model: ShopModel.make()) { stack in
                let controller = stack.context.books(by: "name")
                try controller.performFetch()
                _ = controller.object(at: [1, 0])
            }
        }
        Self.expect(result, contains: "No section at index 1", "Book")
    }

    @Test("an object before the first fetch")
    func tooEarly() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory, model: ShopModel.make()) { _ = $0.context.books(by: "name").object(at: [0, 0]) }
        }
        Self.expect(result, contains: "performFetch()")
    }

    @Test("an index path of one index")
    func shortPath() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = IndexPath(index: 1).row
        }
        Self.expect(result, contains: "IndexPath(row:section:)")
    }

    @Test("an index title that does not exist")
    func noTitle() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory, model: ShopModel.make()) { stack in
                stack.context.makeBooks("x/a")
                let controller = stack.context.books(by: "kind", sections: "kind")
                try controller.performFetch()
                _ = controller.section(forSectionIndexTitle: "Q", at: 0)
            }
        }
        Self.expect(result, contains: "Index title at 0 is not equal to 'Q'", "X")
    }

    @Test("a section name key path that the entity does not have")
    func unknownKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory, model: ShopModel.make()) { stack in
                stack.context.makeBooks("x/a")
                try stack.context.books(by: "name", sections: "colour").performFetch()
            }
        }
        Self.expect(result, contains: "colour", "Book")
    }

    @Test("a section name key path through a to-many relationship")
    func toMany() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory, model: ShopModel.make()) { stack in
                stack.context.make("Genre", "a")
                try stack.context.books(by: "name", sections: "books", entity: "Genre").performFetch()
            }
        }
        Self.expect(result, contains: "'books'", "several values")
    }

    @Test("a request for a count")
    func count() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory, model: ShopModel.make()) { stack in
                try stack.context.books(by: "name") { $0.resultType = .countResultType }.performFetch()
            }
        }
        Self.expect(result, contains: "request for a count")
    }

    @Test("results of another class than the controller's")
    func wrongType() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory, model: ShopModel.make()) { stack in
                stack.context.makeBooks("x/a")
                let request = NSFetchRequest<NSDictionary>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                try NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil
                ).performFetch()
            }
        }
        Self.expect(result, contains: "NSManagedObject", "NSDictionary")
    }
}
