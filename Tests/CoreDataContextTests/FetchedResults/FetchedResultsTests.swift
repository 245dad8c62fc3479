import CoreData
import Testing

@Suite("Fetched results: the contents of a controller")
struct FetchedResultsTests {
    @Test("nothing before the first fetch", arguments: StoreKind.allCases)
    func beforeFetching(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            let controller = stack.context.books(by: "name")
            expectEqual(controller.fetchedObjects, nil)
            #expect(controller.sections == nil)
            expectEmpty(controller.sectionIndexTitles)
            let book = stack.context.make("Book", "a")
            expectEqual(controller.indexPath(forObject: book), nil)
        }
    }

    @Test("its configuration", arguments: StoreKind.allCases)
    func configuration(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "kind",
                cacheName: "shelf")
            #expect(controller.fetchRequest === request)
            #expect(controller.managedObjectContext === stack.context)
            expectEqual(controller.sectionNameKeyPath, "kind")
            expectEqual(controller.cacheName, "shelf")
            #expect(controller.delegate == nil)
        }
    }

    @Test("objects in order, in sections, by index path and back", arguments: StoreKind.allCases)
    func sections(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("novel/c", "essay/b", "novel/a", "play/d", "essay/e")
            try stack.context.save()
            let controller = stack.context.books(by: "kind", "name", sections: "kind")
            try controller.performFetch()
            expectEqual(controller.outline, "essay: b e, novel: a c, play: d")
            expectEqual(controller.fetchedObjects?.map { $0.text("name") }, ["b", "e", "a", "c", "d"])
            let sections = try requireValue(controller.sections)
            expectEqual(sections.map(\.numberOfObjects), [2, 2, 1])
            expectEqual(sections.map(\.indexTitle), ["E", "N", "P"])
            let path = IndexPath(row: 1, section: 1)
            expectEqual(controller.object(at: path).text("name"), "c")
            for (section, info) in sections.enumerated() {
                for (row, object) in (info.objects as! [NSManagedObject]).enumerated() {
                    expectEqual(controller.indexPath(forObject: object), [section, row])
                }
            }
            let other = stack.context.make("Book", "z")
            expectEqual(controller.indexPath(forObject: other), nil)
        }
    }

    @Test("without sort descriptors objects are in the order in which they were saved", arguments: StoreKind.allCases)
    func unsorted(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("novel/c", "essay/b")
            try stack.context.save()
            stack.context.makeBooks("novel/a")
            try stack.context.save()
            let controller = stack.context.books()
            let recorder = FetchedResultsRecorder(controller)
            try controller.performFetch()
            recorder.reload()
            let names = { controller.fetchedObjects?.map { $0.text("name") } }
            let saved = names()
            expectEqual(saved?.count, 3)
            expectEqual(saved?.last, "a")
            let added = stack.context.make("Book", "0")
            stack.context.processPendingChanges()
            expectEqual(names()?.last, "0")
            controller.fetchedObjects?.first?.setValue("z", forKey: "name")
            stack.context.delete(added)
            stack.context.processPendingChanges()
            expectEqual(names()?.count, 3)
            expectEqual(names()?.first, "z")
            expectEqual(recorder.problems, [])
        }
    }

    @Test(
        "one section without a name if there is no section name key path, even without objects",
        arguments: StoreKind.allCases)
    func noSections(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            let controller = stack.context.books(by: "name")
            try controller.performFetch()
            expectEqual(controller.fetchedObjects, [])
            expectEqual(controller.sections?.map(\.name), [""])
            expectEqual(controller.sections?.map(\.numberOfObjects), [0])
            expectEqual(controller.sectionIndexTitles, [])
            let divided = stack.context.books(by: "kind", sections: "kind")
            try divided.performFetch()
            expectEqual(divided.sections?.count, 0)
        }
    }

    @Test("sections are named by numbers, flags, dates, relationships and nil", arguments: StoreKind.allCases)
    func names(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            let context = stack.context
            let fiction = context.make("Genre", "fiction")
            let science = context.make("Genre", "science")
            context.make("Book", "a", ["pages": 10, "isOut": true, "genre": science, "rating": 2.5])
            context.make("Book", "b", ["pages": 9, "isOut": false, "genre": fiction])
            context.make("Book", "c", ["pages": 10, "genre": fiction])
            try context.save()
            func outline(_ key: String) throws -> String {
                let controller = context.books(by: key, "name", sections: key)
                try controller.performFetch()
                return controller.outline
            }
            try expectEqual(outline("pages"), "9: b, 10: a c")
            try expectEqual(outline("isOut"), "c, 0: b, 1: a")
            try expectEqual(outline("rating"), "b c, 2.5: a")
            try expectEqual(outline("genre.name"), "fiction: b c, science: a")
        }
    }

    @Test("sections by a computed transient value", arguments: StoreKind.allCases)
    func computed(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            for book in stack.context.makeBooks("x/apple", "x/Avocado", "x/banana", "x/Berry") {
                book.setValue(book.text("name")!.prefix(1).uppercased(), forKey: "mark")
            }
            let controller = stack.context.books(by: "name", sections: "mark") {
                $0.sortDescriptors = [
                    NSSortDescriptor(
                        key: "name", ascending: true, selector: NSSelectorFromString("caseInsensitiveCompare:"))
                ]
            }
            try controller.performFetch()
            expectEqual(controller.outline, "A: apple Avocado, B: banana Berry")
        }
    }

    @Test("adjacent sections share an index title, which leads to the first of them", arguments: StoreKind.allCases)
    func indexTitles(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("apple/a", "avocado/b", "banana/c", "éclair/d")
            let controller = stack.context.books(by: "kind", "name", sections: "kind")
            try controller.performFetch()
            expectEqual(controller.sectionIndexTitles, ["A", "B", "É"])
            expectEqual(controller.section(forSectionIndexTitle: "B", at: 1), 2)
            expectEqual(controller.section(forSectionIndexTitle: "A", at: 0), 0)
            expectEqual(controller.sectionIndexTitle(forSectionName: "zoo"), "Z")
            expectEqual(controller.sectionIndexTitle(forSectionName: ""), nil)
        }
    }

    @Test("a delegate and a subclass can replace the index titles", arguments: StoreKind.allCases)
    func otherIndexTitles(_ kind: StoreKind) throws {
        final class Titles: NSObject, NSFetchedResultsControllerDelegate {
            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                sectionIndexTitleForSectionName sectionName: String
            ) -> String? { sectionName == "novel" ? nil : sectionName.uppercased() }
        }
        final class Numbered: NSFetchedResultsController<NSManagedObject> {
            override func sectionIndexTitle(forSectionName sectionName: String) -> String? { "#" + sectionName }
        }
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("essay/a", "novel/b", "play/c")
            let controller = stack.context.books(by: "kind", sections: "kind")
            let titles = Titles()
            controller.delegate = titles
            try controller.performFetch()
            expectEqual(controller.sectionIndexTitles, ["ESSAY", "PLAY"])
            expectEqual(controller.section(forSectionIndexTitle: "PLAY", at: 1), 2)
            let numbered = Numbered(
                fetchRequest: controller.fetchRequest, managedObjectContext: stack.context, sectionNameKeyPath: "kind",
                cacheName: nil)
            try numbered.performFetch()
            expectEqual(numbered.sectionIndexTitles, ["#essay", "#novel", "#play"])
            expectEqual(numbered.sections?[0].indexTitle, "#essay")
        }
    }

    @Test("objects of subentities are included unless the request excludes them", arguments: StoreKind.allCases)
    func subentities(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.make("Novel", "n", ["mood": "dark"])
            stack.context.make("Book", "b")
            let all = stack.context.books(by: "name")
            let exact = stack.context.books(by: "name") { $0.includesSubentities = false }
            let moods = stack.context.books(by: "mood", "name", sections: "mood")
            let recorders = [all, exact].map(FetchedResultsRecorder.init)
            for controller in [all, exact, moods] { try controller.performFetch() }
            expectEqual(all.outline, "b n")
            expectEqual(exact.outline, "b")
            expectEqual(moods.outline, "b, dark: n")
            stack.context.make("Novel", "m")
            stack.context.processPendingChanges()
            expectEqual(all.outline, "b m n")
            expectEqual(exact.outline, "b")
            expectEmpty(recorders[1].events)
        }
    }

    @Test("a changed request takes effect with the next fetch", arguments: StoreKind.allCases)
    func changedRequest(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("x/a", "y/b")
            let controller = stack.context.books(by: "name")
            let recorder = FetchedResultsRecorder(controller)
            try controller.performFetch()
            recorder.reload()
            controller.fetchRequest.predicate = NSPredicate(format: "kind == 'x'")
            stack.context.makeBooks("y/c")
            stack.context.processPendingChanges()
            expectEqual(controller.outline, "a b c")
            recorder.clear()
            try controller.performFetch()
            expectEqual(controller.outline, "a")
            expectEmpty(recorder.events)
            stack.context.makeBooks("x/d", "y/e")
            stack.context.processPendingChanges()
            expectEqual(controller.outline, "a d")
        }
    }

    @Test("its results are typed, IDs too", arguments: StoreKind.allCases)
    func types(_ kind: StoreKind) throws {
        try withStack(kind, model: ShopModel.make()) { stack in
            stack.context.makeBooks("x/b", "x/a")
            try stack.context.save()
            let sort = [NSSortDescriptor(key: "name", ascending: true)]
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            request.sortDescriptors = sort
            let loose = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
            try loose.performFetch()
            expectEqual((loose.object(at: IndexPath(row: 0, section: 0)) as? NSManagedObject)?.text("name"), "a")
            expectEqual(loose.fetchedObjects?.count, 2)
            let keys = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            keys.sortDescriptors = sort
            keys.resultType = .managedObjectIDResultType
            let ids = NSFetchedResultsController(
                fetchRequest: keys, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
            try ids.performFetch()
            expectEqual(ids.fetchedObjects, (loose.fetchedObjects as? [NSManagedObject])?.map(\.objectID))
            try expectEqual(ids.indexPath(forObject: requireValue(ids.fetchedObjects)[1]), [0, 1])
        }
    }

    @Test("index paths of rows and items")
    func indexPaths() {
        var path = IndexPath(row: 3, section: 1)
        expectEqual(path, [1, 3])
        expectEqual(path.row, 3)
        expectEqual(path.item, 3)
        expectEqual(path.section, 1)
        expectEqual(IndexPath(item: 3, section: 1), path)
        path.section = 5
        path.item = 7
        expectEqual(path, [5, 7])
        path.row = 8
        expectEqual(path, [5, 8])
    }
}
