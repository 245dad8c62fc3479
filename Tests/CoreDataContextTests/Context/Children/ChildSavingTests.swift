import CoreData
import Testing

@Suite("Children save into their parents")
struct ChildSavingTests {
    private static func fill(_ context: NSManagedObjectContext) {
        let author = context.make("Author", "Anna")
        for (index, name) in ["A", "B", "C"].enumerated() {
            context.make("Book", name, ["pages": index, "author": author])
        }
    }

    @Test("a save changes only the parent", arguments: StoreKind.allCases)
    func oneLevel(_ kind: StoreKind) throws {
        try withHierarchy(kind, depth: 2, fill: Self.fill) { hierarchy in
            let new = hierarchy.child.make("Book", "new")
            try hierarchy.child.one("Book", "A").setValue("changed", forKey: "name")
            hierarchy.child.delete(try hierarchy.child.one("Book", "B"))
            try expectEqual(hierarchy.parent.names("Book"), ["A", "B", "C"])
            try hierarchy.child.save()
            expectFalse(hierarchy.child.hasChanges)
            expectFalse(new.isInserted)
            expectFalse(new.hasChanges)
            expectTrue(new.objectID.isTemporaryID)
            expectEqual(hierarchy.parent.insertedObjects.count, 1)
            expectEqual(hierarchy.parent.updatedObjects.count, 2)
            expectEqual(hierarchy.parent.deletedObjects.count, 1)
            try expectEqual(hierarchy.parent.names("Book"), ["C", "changed", "new"])
            try expectEqual(hierarchy.root.names("Book"), ["A", "B", "C"])
            try expectEqual(hierarchy.child.names("Book"), ["C", "changed", "new"])
            try hierarchy.parent.save()
            expectFalse(hierarchy.parent.hasChanges)
            expectTrue(hierarchy.root.hasChanges)
            try expectEqual(hierarchy.root.names("Book"), ["C", "changed", "new"])
            try inFreshContext(hierarchy.stack) { try expectEqual($0.names("Book"), ["A", "B", "C"]) }
            try hierarchy.root.save()
            try inFreshContext(hierarchy.stack) { try expectEqual($0.names("Book"), ["C", "changed", "new"]) }
            for context in hierarchy.contexts { try expectEqual(context.names("Book"), ["C", "changed", "new"]) }
        }
    }

    @Test("a new object that was made a fault is saved with the default values", arguments: StoreKind.allCases)
    func refreshedInsertion(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let author = try hierarchy.child.one("Author", "Anna")
            let book = hierarchy.child.make("Book", "new", ["pages": 7, "author": author])
            hierarchy.child.refresh(book, mergeChanges: false)
            expectTrue(book.isFault)
            expectEqual(author.names("books"), ["A", "B", "C"])
            try hierarchy.child.save()
            let inserted = try requireValue(hierarchy.parent.insertedObjects.first)
            expectEqual(inserted.text("name"), nil)
            expectEqual(inserted.number("pages"), 100)
            try hierarchy.parent.save()
            expectEqual(book.number("pages"), 100)
            expectEqual(book.object("author"), nil)
        }
    }

    @Test("a save sets only changed values in the parent", arguments: StoreKind.allCases)
    func changedProperties(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let above = try hierarchy.parent.one("Book", "A")
            let mine = try hierarchy.child.one("Book", "A")
            mine.setValue(77, forKey: "pages")
            above.setValue("parent's", forKey: "name")
            try hierarchy.child.save()
            expectEqual(above.text("name"), "parent's")
            expectEqual(above.number("pages"), 77)
            expectEqual(mine.text("name"), "A")
            hierarchy.child.refresh(mine, mergeChanges: false)
            expectEqual(mine.text("name"), "parent's")
            expectEqual(mine.number("pages"), 77)
        }
    }

    @Test("values of every type are saved and read", arguments: StoreKind.allCases, 1...2)
    func types(_ kind: StoreKind, _ depth: Int) throws {
        let values: [String: Any] = [
            "short": 1, "int": 2, "long": 3, "flag": true, "real": 1.5, "single": Float(2.5),
            "exact": NSDecimalNumber(string: "1.25"), "text": "t",
            "date": Date(timeIntervalSinceReferenceDate: 5), "data": Data([1, 2]), "uuid": UUID(),
            "link": URL(string: "http://a.example/b")!,
            "list": ["x", "y"] as NSArray, "photo": Data(repeating: 7, count: 200_000),
        ]
        try withHierarchy(kind, depth: depth, model: AlbumModel.make()) { hierarchy in
            let scrap = hierarchy.child.make("Scrap", nil, values)
            try hierarchy.saveAll()
            let other = hierarchy.parent.child()
            try on(other) {
                let found = try requireValue(try other.all("Scrap").first)
                for (key, value) in values {
                    expectEqual((found.value(forKey: key) as? NSObject)?.isEqual(value), true, "\(key)")
                }
                for key in values.keys { found.setValue(nil, forKey: key) }
                try other.save()
            }
            for context in hierarchy.contexts.dropLast().reversed() { try context.save() }
            hierarchy.child.refresh(scrap, mergeChanges: true)
            for key in values.keys { #expect(scrap.value(forKey: key) == nil, "\(key)") }
            try inFreshContext(hierarchy.stack) { fresh in
                let found = try requireValue(try fresh.all("Scrap").first)
                for key in values.keys { #expect(found.value(forKey: key) == nil, "\(key)") }
            }
        }
    }

    @Test(
        "relationships of every kind are saved, with inverses and orders",
        arguments: StoreKind.allCases, 1...3)
    func relationships(_ kind: StoreKind, _ depth: Int) throws {
        func fill(_ context: NSManagedObjectContext) {
            Self.fill(context)
            let book = context.make("Book", "X")
            book.setValue(Set(["s", "t"].map { context.make("Tag", $0) }), forKey: "tags")
            for name in ["one", "two", "three"] { context.make("Chapter", name, ["book": book]) }
            context.make("Shelf", "top").mutableOrderedSetValue(forKey: "items").addObjects(from: [
                book, context.make("Book", "Y"),
            ])
            context.make("Reader", "R", ["favourite": book]).setValue(NSSet(object: book), forKey: "wishes")
            let pair = [context.make("Author", "P"), context.make("Author", "Q")]
            pair[0].setValue(pair[1], forKey: "spouse")
        }
        func expect(_ context: NSManagedObjectContext, _ step: String) throws {
            let book = try context.one("Book", "X")
            expectEqual(book.names("chapters"), ["four", "two", "one", "five"], "\(step)")
            expectEqual(book.names("tags"), ["t", "u"], "\(step)")
            try expectEqual(context.one("Tag", "u").names("books"), ["X"], "\(step)")
            try expectEqual(context.one("Tag", "s").names("books"), [], "\(step)")
            expectEqual(book.object("cover")?.text("name"), "red", "\(step)")
            try #expect(context.one("Cover", "red").object("book") === book, "\(step)")
            let items = try context.one("Shelf", "top").names("items")
            let shelves = try context.one("Book", "W").names("shelves")
            expectEqual(items, ["W", "Y", "X"], "\(step)")
            expectEqual(shelves, ["top"], "\(step)")
            let reader = try context.one("Reader", "R")
            expectEqual(reader.names("wishes"), ["A", "B"], "\(step)")
            expectEqual(reader.object("favourite")?.text("name"), "A", "\(step)")
            try expectEqual(context.one("Author", "Anna").names("books"), ["A", "C", "W"], "\(step)")
            try expectEqual(context.one("Author", "Bea").names("books"), ["B"], "\(step)")
            try expectEqual(context.one("Author", "P").object("spouse")?.text("name"), "Bea", "\(step)")
            try expectEqual(context.one("Author", "Bea").object("spouse")?.text("name"), "P", "\(step)")
            try expectEqual(context.one("Author", "Q").object("spouse"), nil, "\(step)")
            try expectEqual(context.one("Author", "Bea").names("friends"), ["Anna", "Q"], "\(step)")
            try expectEqual(context.one("Author", "Q").names("friends"), ["Bea"], "\(step)")
        }
        try withHierarchy(kind, depth: depth, fill: fill) { hierarchy in
            let child = hierarchy.child
            let book = try child.one("Book", "X")
            let anna = try child.one("Author", "Anna")
            let bea = child.make("Author", "Bea")
            let chapters = book.mutableOrderedSetValue(forKey: "chapters")
            chapters.insert(child.make("Chapter", "four"), at: 0)
            child.make("Chapter", "five", ["book": book])
            child.delete(try child.one("Chapter", "three"))
            chapters.exchangeObject(at: 1, withObjectAt: 2)
            book.mutableSetValue(forKey: "tags").remove(try child.one("Tag", "s"))
            book.mutableSetValue(forKey: "tags").add(child.make("Tag", "u"))
            book.setValue(child.make("Cover", "red"), forKey: "cover")
            let items = try child.one("Shelf", "top").mutableOrderedSetValue(forKey: "items")
            items.insert(child.make("Book", "W", ["author": anna]), at: 0)
            items.moveObjects(at: IndexSet(integer: 1), to: 2)
            let reader = try child.one("Reader", "R")
            reader.setValue(try child.one("Book", "A"), forKey: "favourite")
            reader.setValue(NSSet(array: [try child.one("Book", "A"), try child.one("Book", "B")]), forKey: "wishes")
            try child.one("Book", "B").setValue(bea, forKey: "author")
            try child.one("Author", "P").setValue(bea, forKey: "spouse")
            bea.setValue(NSSet(array: [anna, try child.one("Author", "Q")]), forKey: "friends")
            try expect(child, "before")
            for context in hierarchy.contexts.reversed() {
                try context.save()
                for context in hierarchy.contexts.suffix(
                    from: max(0, hierarchy.contexts.firstIndex { $0 === context }! - 1))
                { try expect(context, "after a save") }
            }
            try inFreshContext(hierarchy.stack) { try expect($0, "in the store") }
            for context in hierarchy.contexts { expectFalse(context.hasChanges) }
            for context in hierarchy.contexts {
                context.refreshAllObjects()
                try expect(context, "refreshed")
            }
        }
    }

    @Test(
        "a save is one notification of the parent, on its queue, and a rollback discards it",
        arguments: StoreKind.allCases)
    func oneEvent(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let log = NotificationLog(.NSManagedObjectContextObjectsDidChange, of: hierarchy.parent)
            let saved = NotificationLog(.NSManagedObjectContextDidSave, of: hierarchy.child)
            let will = NotificationLog(.NSManagedObjectContextWillSave, of: hierarchy.child)
            hierarchy.child.make("Book", "new")
            try hierarchy.child.one("Book", "A").setValue("changed", forKey: "name")
            hierarchy.child.delete(try hierarchy.child.one("Book", "B"))
            expectEmpty(log.entries)
            try hierarchy.child.save()
            expectEqual(log.entries.count, 1)
            expectEqual(saved.entries.count, 1)
            expectEqual(will.entries.count, 1)
            expectEqual(log.names(NSInsertedObjectsKey), ["new"])
            expectEqual(log.names(NSDeletedObjectsKey), ["B"])
            expectEqual(log.names(NSUpdatedObjectsKey), ["Anna", "changed"])
            expectEqual(saved.names(NSInsertedObjectsKey), ["new"])
            expectEqual(saved.names(NSUpdatedObjectsKey), ["Anna", "changed"])
            hierarchy.parent.rollback()
            try expectEqual(hierarchy.parent.names("Book"), ["A", "B", "C"])
            expectFalse(hierarchy.parent.hasChanges)
        }
    }

    @Test("a child's save is one action of the parent's undo manager", arguments: StoreKind.allCases)
    func undoing(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let undoManager = UndoManager()
            undoManager.groupsByEvent = false
            hierarchy.parent.undoManager = undoManager
            undoManager.beginUndoGrouping()
            let author = try hierarchy.child.one("Author", "Anna")
            hierarchy.child.make("Book", "new", ["author": author])
            try hierarchy.child.one("Book", "A").setValue("changed", forKey: "name")
            try hierarchy.child.one("Book", "C").mutableSetValue(forKey: "tags").add(hierarchy.child.make("Tag", "t"))
            hierarchy.child.delete(try hierarchy.child.one("Book", "B"))
            try hierarchy.child.save()
            undoManager.endUndoGrouping()
            try expectEqual(hierarchy.parent.names("Book"), ["C", "changed", "new"])
            hierarchy.parent.undo()
            try expectEqual(hierarchy.parent.names("Book"), ["A", "B", "C"])
            try expectEmpty(hierarchy.parent.names("Tag"))
            try expectEqual(hierarchy.parent.one("Author", "Anna").names("books"), ["A", "B", "C"])
            hierarchy.parent.redo()
            try expectEqual(hierarchy.parent.names("Book"), ["C", "changed", "new"])
            try expectEqual(hierarchy.parent.one("Book", "C").names("tags"), ["t"])
            try expectEqual(hierarchy.parent.one("Author", "Anna").names("books"), ["C", "changed", "new"])
            hierarchy.parent.undoManager = nil
            try hierarchy.parent.save()
            try inFreshContext(hierarchy.stack) { try expectEqual($0.names("Book"), ["C", "changed", "new"]) }
        }
    }

    @Test(
        "ordered many-to-many relationships have the child's order, from either side",
        arguments: StoreKind.allCases, 1...2)
    func manyToManyOrders(_ kind: StoreKind, _ depth: Int) throws {
        let left = entity("Left")
        let right = entity("Right")
        let rights = toMany("rights", right, ordered: true)
        let lefts = toMany("lefts", left, ordered: true)
        pair(rights, lefts)
        left.properties = [attribute("name", .stringAttributeType), rights]
        right.properties = [attribute("name", .stringAttributeType), lefts]
        try withHierarchy(kind, depth: depth, model: model([left, right])) { hierarchy in
            let child = hierarchy.child
            let lefts = ["a", "b", "c"].map { child.make("Left", $0) }
            let rights = ["1", "2"].map { child.make("Right", $0) }
            rights[0].mutableOrderedSetValue(forKey: "lefts").addObjects(from: [lefts[1], lefts[0], lefts[2]])
            lefts[0].mutableOrderedSetValue(forKey: "rights").insert(rights[1], at: 0)
            lefts[2].mutableOrderedSetValue(forKey: "rights").add(rights[1])
            lefts[1].mutableOrderedSetValue(forKey: "rights").add(rights[1])
            func expect(_ context: NSManagedObjectContext) throws {
                let first = try context.one("Right", "1").names("lefts")
                let second = try context.one("Right", "2").names("lefts")
                expectEqual(first, ["b", "a", "c"])
                expectEqual(second, ["a", "c", "b"])
                try expectEqual(context.one("Left", "a").names("rights"), ["2", "1"])
                try expectEqual(context.one("Left", "b").names("rights"), ["1", "2"])
            }
            try expect(child)
            for context in hierarchy.contexts.reversed() {
                try context.save()
                try expect(hierarchy.contexts.first { !$0.insertedObjects.isEmpty } ?? hierarchy.root)
            }
            for context in hierarchy.contexts { try expect(context) }
            try inFreshContext(hierarchy.stack, expect)
        }
    }

    @Test(
        "a new object is inserted in the parent: awakeFromInsert is called there, before the values are set",
        arguments: StoreKind.allCases)
    func awaking(_ kind: StoreKind) throws {
        let note = entity(
            "ChildNote", [attribute("name", .stringAttributeType), attribute("text", .stringAttributeType)])
        note.managedObjectClassName = NSStringFromClass(ChildNote.self)
        try withHierarchy(kind, model: model([note])) { hierarchy in
            let mine =
                NSEntityDescription.insertNewObject(forEntityName: "ChildNote", into: hierarchy.child) as! ChildNote
            expectEqual(mine.text("name"), "awake")
            mine.setValue(nil, forKey: "name")
            mine.setValue("t", forKey: "text")
            try hierarchy.child.save()
            let above = try requireValue(hierarchy.parent.insertedObjects.first as? ChildNote)
            expectEqual(above.calls, ["awakeFromInsert"])
            expectEqual(above.text("name"), nil)
            expectEqual(above.text("text"), "t")
            expectEqual(mine.calls, ["awakeFromInsert", "willSave", "didSave"])
            try hierarchy.parent.save()
            expectEqual(above.calls, ["awakeFromInsert", "willSave", "didSave"])
        }
    }

    @Test(
        "an invalid object prevents only the save of its own context",
        arguments: StoreKind.allCases)
    func validation(_ kind: StoreKind) throws {
        let item = entity("Item", [attribute("name", .stringAttributeType, optional: false)])
        try withHierarchy(kind, model: model([item])) { hierarchy in
            hierarchy.parent.make("Item")
            let mine = hierarchy.child.make("Item")
            expectEqual(thrownError { try hierarchy.child.save() }?.code, 1570)
            expectEqual(hierarchy.parent.insertedObjects.count, 1)
            expectTrue(mine.isInserted)
            mine.setValue("ok", forKey: "name")
            try hierarchy.child.save()
            expectEqual(hierarchy.parent.insertedObjects.count, 2)
            expectEqual(thrownError { try hierarchy.parent.save() }?.code, 1570)
        }
    }

    @Test("values that are set back change nothing in the parent", arguments: StoreKind.allCases)
    func unchanged(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let book = try hierarchy.child.one("Book", "A")
            book.setValue("x", forKey: "name")
            book.setValue("A", forKey: "name")
            expectTrue(hierarchy.child.hasChanges)
            try hierarchy.child.save()
            expectFalse(hierarchy.child.hasChanges)
            expectFalse(hierarchy.parent.hasChanges)
        }
    }

    @Test("an object that a child inserts and deletes is not inserted in the parent", arguments: StoreKind.allCases)
    func cameAndWent(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let author = try hierarchy.child.one("Author", "Anna")
            hierarchy.child.delete(hierarchy.child.make("Book", "gone", ["author": author]))
            try hierarchy.child.save()
            try expectEqual(hierarchy.parent.names("Book"), ["A", "B", "C"])
            expectEmpty(hierarchy.parent.insertedObjects)
        }
    }

    @Test("the root saves an object to the store that a child has assigned it to")
    func assigning() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let stores = try ["a", "b"].map {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("\($0).sqlite"))
        }
        let root = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        root.persistentStoreCoordinator = coordinator
        let middle = root.child()
        let child = middle.child()
        try on(child) {
            let author = child.make("Author", "b")
            let book = child.make("Book", "in b", ["author": author])
            for object in [author, book] { child.assign(object, to: stores[1]) }
            child.make("Book", "in a")
            try child.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.affectedStores = [stores[1]]
            try expectEqual(child.fetch(request).map { $0.text("name") }, ["in b"])
        }
        for context in [middle, root] { try on(context) { try context.save() } }
        try on(child) {
            for book in try child.all("Book") {
                #expect(book.objectID.persistentStore === stores[book.text("name") == "in b" ? 1 : 0])
            }
            // A new book of the parent refers to an author of the second store.
            let author = try child.one("Author", "b")
            let id = author.objectID
            try on(middle) {
                middle.assign(middle.make("Book", "late", ["author": middle.object(with: id)]), to: stores[1])
            }
            try #expect(child.one("Book", "late").object("author") === author)
        }
    }

    @Test("derived attributes are unchanged until the root saves", arguments: StoreKind.allCases)
    func derived(_ kind: StoreKind) throws {
        try withHierarchy(kind, model: AlbumModel.make()) { hierarchy in
            let scrap = hierarchy.child.make("Scrap", nil, ["text": "abc"])
            try hierarchy.child.save()
            expectEqual(scrap.text("upper"), nil)
            try hierarchy.parent.save()
            hierarchy.child.refresh(scrap, mergeChanges: false)
            expectEqual(scrap.text("upper"), "ABC")
        }
    }

    @Test(
        "uniqueness constraints are checked when the root saves", arguments: StoreKind.allCases.without(.noUniqueness))
    func uniqueness(_ kind: StoreKind) throws {
        let item = entity("Item", [attribute("name", .stringAttributeType)])
        item.uniquenessConstraints = [["name"]]
        try withHierarchy(kind, model: model([item])) { hierarchy in
            hierarchy.child.make("Item", "same")
            hierarchy.child.make("Item", "same")
            try hierarchy.child.save()
            expectEqual(thrownError { try hierarchy.parent.save() }?.code, 133021)
            hierarchy.parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try hierarchy.parent.save()
            try expectEqual(hierarchy.parent.all("Item").count, 1)
        }
    }
}

final class ChildNote: NSManagedObject {
    var calls: [String] = []

    override func awakeFromInsert() {
        calls.append("awakeFromInsert")
        setValue("awake", forKey: "name")
    }
    override func willSave() { calls.append("willSave") }
    override func didSave() { calls.append("didSave") }
}
