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

    @Test("a save goes one level up, and no further", arguments: StoreKind.allCases)
    func oneLevel(_ kind: StoreKind) throws {
        try withFamily(kind, depth: 2, fill: Self.fill) { family in
            let new = family.child.make("Book", "new")
            try family.child.one("Book", "A").setValue("changed", forKey: "name")
            family.child.delete(try family.child.one("Book", "B"))
            try #expect(family.parent.names("Book") == ["A", "B", "C"])
            try family.child.save()
            #expect(!family.child.hasChanges && !new.isInserted && !new.hasChanges && new.objectID.isTemporaryID)
            #expect(
                family.parent.insertedObjects.count == 1 && family.parent.updatedObjects.count == 2
                    && family.parent.deletedObjects.count == 1)
            try #expect(family.parent.names("Book") == ["C", "changed", "new"])
            try #expect(family.root.names("Book") == ["A", "B", "C"])
            try #expect(family.child.names("Book") == ["C", "changed", "new"])
            try family.parent.save()
            #expect(!family.parent.hasChanges && family.root.hasChanges)
            try #expect(family.root.names("Book") == ["C", "changed", "new"])
            try inFreshContext(family.stack) { try #expect($0.names("Book") == ["A", "B", "C"]) }
            try family.root.save()
            try inFreshContext(family.stack) { try #expect($0.names("Book") == ["C", "changed", "new"]) }
            for context in family.contexts { try #expect(context.names("Book") == ["C", "changed", "new"]) }
        }
    }

    @Test("only what the child has changed is set in the parent", arguments: StoreKind.allCases)
    func changedProperties(_ kind: StoreKind) throws {
        try withFamily(kind, fill: Self.fill) { family in
            let above = try family.parent.one("Book", "A")
            let mine = try family.child.one("Book", "A")
            mine.setValue(77, forKey: "pages")
            above.setValue("parent's", forKey: "name")
            try family.child.save()
            #expect(above.text("name") == "parent's" && above.number("pages") == 77)
            #expect(mine.text("name") == "A")
            family.child.refresh(mine, mergeChanges: false)
            #expect(mine.text("name") == "parent's" && mine.number("pages") == 77)
        }
    }

    @Test("values of every type go up and down", arguments: StoreKind.allCases, 1...2)
    func types(_ kind: StoreKind, _ depth: Int) throws {
        let values: [String: Any] = [
            "short": 1, "int": 2, "long": 3, "flag": true, "real": 1.5, "single": Float(2.5),
            "exact": NSDecimalNumber(string: "1.25"), "text": "t",
            "date": Date(timeIntervalSinceReferenceDate: 5), "data": Data([1, 2]), "uuid": UUID(),
            "link": URL(string: "http://a.example/b")!,
            "list": ["x", "y"] as NSArray, "photo": Data(repeating: 7, count: 200_000),
        ]
        try withFamily(kind, depth: depth, model: AlbumModel.make()) { family in
            let scrap = family.child.make("Scrap", nil, values)
            try family.saveAll()
            let other = family.parent.child()
            try on(other) {
                let found = try #require(try other.all("Scrap").first)
                for (key, value) in values {
                    #expect((found.value(forKey: key) as? NSObject)?.isEqual(value) == true, "\(key)")
                }
                for key in values.keys { found.setValue(nil, forKey: key) }
                try other.save()
            }
            for context in family.contexts.dropLast().reversed() { try context.save() }
            family.child.refresh(scrap, mergeChanges: true)
            for key in values.keys { #expect(scrap.value(forKey: key) == nil, "\(key)") }
            try inFreshContext(family.stack) { fresh in
                let found = try #require(try fresh.all("Scrap").first)
                for key in values.keys { #expect(found.value(forKey: key) == nil, "\(key)") }
            }
        }
    }

    @Test(
        "relationships of every kind are the child's in the parent, inverses and orders too",
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
            #expect(book.names("chapters") == ["four", "two", "one", "five"], "\(step)")
            #expect(book.names("tags") == ["t", "u"], "\(step)")
            try #expect(context.one("Tag", "u").names("books") == ["X"], "\(step)")
            try #expect(context.one("Tag", "s").names("books") == [], "\(step)")
            #expect(book.object("cover")?.text("name") == "red", "\(step)")
            try #expect(context.one("Cover", "red").object("book") === book, "\(step)")
            let items = try context.one("Shelf", "top").names("items")
            let shelves = try context.one("Book", "W").names("shelves")
            #expect(items == ["W", "Y", "X"] && shelves == ["top"], "\(step)")
            let reader = try context.one("Reader", "R")
            #expect(reader.names("wishes") == ["A", "B"] && reader.object("favourite")?.text("name") == "A", "\(step)")
            try #expect(context.one("Author", "Anna").names("books") == ["A", "C", "W"], "\(step)")
            try #expect(context.one("Author", "Bea").names("books") == ["B"], "\(step)")
            try #expect(context.one("Author", "P").object("spouse")?.text("name") == "Bea", "\(step)")
            try #expect(context.one("Author", "Bea").object("spouse")?.text("name") == "P", "\(step)")
            try #expect(context.one("Author", "Q").object("spouse") == nil, "\(step)")
            try #expect(context.one("Author", "Bea").names("friends") == ["Anna", "Q"], "\(step)")
            try #expect(context.one("Author", "Q").names("friends") == ["Bea"], "\(step)")
        }
        try withFamily(kind, depth: depth, fill: fill) { family in
            let child = family.child
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
            for context in family.contexts.reversed() {
                try context.save()
                for context in family.contexts.suffix(from: max(0, family.contexts.firstIndex { $0 === context }! - 1))
                { try expect(context, "after a save") }
            }
            try inFreshContext(family.stack) { try expect($0, "in the store") }
            for context in family.contexts { #expect(!context.hasChanges) }
            for context in family.contexts {
                context.refreshAllObjects()
                try expect(context, "refreshed")
            }
        }
    }

    @Test(
        "the parent is told by one notification, on its queue, and undoes all by a rollback",
        arguments: StoreKind.allCases)
    func oneEvent(_ kind: StoreKind) throws {
        try withFamily(kind, fill: Self.fill) { family in
            let log = NotificationLog(.NSManagedObjectContextObjectsDidChange, of: family.parent)
            let saved = NotificationLog(.NSManagedObjectContextDidSave, of: family.child)
            let will = NotificationLog(.NSManagedObjectContextWillSave, of: family.child)
            family.child.make("Book", "new")
            try family.child.one("Book", "A").setValue("changed", forKey: "name")
            family.child.delete(try family.child.one("Book", "B"))
            #expect(log.entries.isEmpty)
            try family.child.save()
            #expect(log.entries.count == 1 && saved.entries.count == 1 && will.entries.count == 1)
            #expect(log.names(NSInsertedObjectsKey) == ["new"] && log.names(NSDeletedObjectsKey) == ["B"])
            #expect(log.names(NSUpdatedObjectsKey) == ["Anna", "changed"])
            #expect(
                saved.names(NSInsertedObjectsKey) == ["new"] && saved.names(NSUpdatedObjectsKey) == ["Anna", "changed"])
            family.parent.rollback()
            try #expect(family.parent.names("Book") == ["A", "B", "C"])
            #expect(!family.parent.hasChanges)
        }
    }

    @Test("what a child saves is one action of the parent's undo manager", arguments: StoreKind.allCases)
    func undoing(_ kind: StoreKind) throws {
        try withFamily(kind, fill: Self.fill) { family in
            let undoManager = UndoManager()
            undoManager.groupsByEvent = false
            family.parent.undoManager = undoManager
            undoManager.beginUndoGrouping()
            let author = try family.child.one("Author", "Anna")
            family.child.make("Book", "new", ["author": author])
            try family.child.one("Book", "A").setValue("changed", forKey: "name")
            try family.child.one("Book", "C").mutableSetValue(forKey: "tags").add(family.child.make("Tag", "t"))
            family.child.delete(try family.child.one("Book", "B"))
            try family.child.save()
            undoManager.endUndoGrouping()
            try #expect(family.parent.names("Book") == ["C", "changed", "new"])
            family.parent.undo()
            try #expect(family.parent.names("Book") == ["A", "B", "C"] && family.parent.names("Tag").isEmpty)
            try #expect(family.parent.one("Author", "Anna").names("books") == ["A", "B", "C"])
            family.parent.redo()
            try #expect(
                family.parent.names("Book") == ["C", "changed", "new"]
                    && family.parent.one("Book", "C").names("tags") == ["t"])
            try #expect(family.parent.one("Author", "Anna").names("books") == ["C", "changed", "new"])
            family.parent.undoManager = nil
            try family.parent.save()
            try inFreshContext(family.stack) { try #expect($0.names("Book") == ["C", "changed", "new"]) }
        }
    }

    @Test(
        "ordered relationships of many to many come in the child's order, from either side",
        arguments: StoreKind.allCases, 1...2)
    func manyToManyOrders(_ kind: StoreKind, _ depth: Int) throws {
        let left = entity("Left")
        let right = entity("Right")
        let rights = toMany("rights", right, ordered: true)
        let lefts = toMany("lefts", left, ordered: true)
        pair(rights, lefts)
        left.properties = [attribute("name", .stringAttributeType), rights]
        right.properties = [attribute("name", .stringAttributeType), lefts]
        try withFamily(kind, depth: depth, model: model([left, right])) { family in
            let child = family.child
            let lefts = ["a", "b", "c"].map { child.make("Left", $0) }
            let rights = ["1", "2"].map { child.make("Right", $0) }
            rights[0].mutableOrderedSetValue(forKey: "lefts").addObjects(from: [lefts[1], lefts[0], lefts[2]])
            lefts[0].mutableOrderedSetValue(forKey: "rights").insert(rights[1], at: 0)
            lefts[2].mutableOrderedSetValue(forKey: "rights").add(rights[1])
            lefts[1].mutableOrderedSetValue(forKey: "rights").add(rights[1])
            func expect(_ context: NSManagedObjectContext) throws {
                let first = try context.one("Right", "1").names("lefts")
                let second = try context.one("Right", "2").names("lefts")
                #expect(first == ["b", "a", "c"] && second == ["a", "c", "b"])
                try #expect(
                    context.one("Left", "a").names("rights") == ["2", "1"]
                        && context.one("Left", "b").names("rights") == ["1", "2"])
            }
            try expect(child)
            for context in family.contexts.reversed() {
                try context.save()
                try expect(family.contexts.first { !$0.insertedObjects.isEmpty } ?? family.root)
            }
            for context in family.contexts { try expect(context) }
            try inFreshContext(family.stack, expect)
        }
    }

    @Test(
        "a new object is made in the parent: awakeFromInsert is called there, before the values are set",
        arguments: StoreKind.allCases)
    func awaking(_ kind: StoreKind) throws {
        let note = entity(
            "ChildNote", [attribute("name", .stringAttributeType), attribute("text", .stringAttributeType)])
        note.managedObjectClassName = NSStringFromClass(ChildNote.self)
        try withFamily(kind, model: model([note])) { family in
            let mine = NSEntityDescription.insertNewObject(forEntityName: "ChildNote", into: family.child) as! ChildNote
            #expect(mine.text("name") == "awake")
            mine.setValue(nil, forKey: "name")
            mine.setValue("t", forKey: "text")
            try family.child.save()
            let above = try #require(family.parent.insertedObjects.first as? ChildNote)
            #expect(above.calls == ["awakeFromInsert"] && above.text("name") == nil && above.text("text") == "t")
            #expect(mine.calls == ["awakeFromInsert", "willSave", "didSave"])
            try family.parent.save()
            #expect(above.calls == ["awakeFromInsert", "willSave", "didSave"])
        }
    }

    @Test(
        "an invalid child saves nothing; what is invalid in the parent alone keeps only the parent from saving",
        arguments: StoreKind.allCases)
    func validation(_ kind: StoreKind) throws {
        let item = entity("Item", [attribute("name", .stringAttributeType, optional: false)])
        try withFamily(kind, model: model([item])) { family in
            family.parent.make("Item")
            let mine = family.child.make("Item")
            #expect(thrownError { try family.child.save() }?.code == 1570)
            #expect(family.parent.insertedObjects.count == 1 && mine.isInserted)
            mine.setValue("ok", forKey: "name")
            try family.child.save()
            #expect(family.parent.insertedObjects.count == 2)
            #expect(thrownError { try family.parent.save() }?.code == 1570)
        }
    }

    @Test("values set back to what they were change nothing above", arguments: StoreKind.allCases)
    func unchanged(_ kind: StoreKind) throws {
        try withFamily(kind, fill: Self.fill) { family in
            let book = try family.child.one("Book", "A")
            book.setValue("x", forKey: "name")
            book.setValue("A", forKey: "name")
            #expect(family.child.hasChanges)
            try family.child.save()
            #expect(!family.child.hasChanges && !family.parent.hasChanges)
        }
    }

    @Test("an object that a child inserts and deletes never comes to the parent", arguments: StoreKind.allCases)
    func cameAndWent(_ kind: StoreKind) throws {
        try withFamily(kind, fill: Self.fill) { family in
            let author = try family.child.one("Author", "Anna")
            family.child.delete(family.child.make("Book", "gone", ["author": author]))
            try family.child.save()
            try #expect(family.parent.names("Book") == ["A", "B", "C"])
            #expect(family.parent.insertedObjects.isEmpty)
        }
    }

    @Test("the store to which a child assigns an object takes it when the root saves")
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
            try #expect(child.fetch(request).map { $0.text("name") } == ["in b"])
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

    @Test("derived attributes stay as they are until the root saves", arguments: StoreKind.allCases)
    func derived(_ kind: StoreKind) throws {
        try withFamily(kind, model: AlbumModel.make()) { family in
            let scrap = family.child.make("Scrap", nil, ["text": "abc"])
            try family.child.save()
            #expect(scrap.text("upper") == nil)
            try family.parent.save()
            family.child.refresh(scrap, mergeChanges: false)
            #expect(scrap.text("upper") == "ABC")
        }
    }

    @Test("uniqueness is the root's affair", arguments: StoreKind.allCases)
    func uniqueness(_ kind: StoreKind) throws {
        let item = entity("Item", [attribute("name", .stringAttributeType)])
        item.uniquenessConstraints = [["name"]]
        try withFamily(kind, model: model([item])) { family in
            family.child.make("Item", "same")
            family.child.make("Item", "same")
            try family.child.save()
            #expect(thrownError { try family.parent.save() }?.code == 133021)
            family.parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try family.parent.save()
            try #expect(family.parent.all("Item").count == 1)
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
