import CoreData
import Testing

/// The records of saves in the history of a store.
@Suite("A store that records its history")
struct HistoryTrackingTests {
    @Test("A save is one transaction, with a change for each object")
    func insertions() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            let author = stack.context.make("Author", "Austen")
            for name in ["Emma", "Persuasion"] { stack.context.make("Book", name, ["author": author]) }
            try stack.context.save()
            let transactions = try stack.context.transactions()
            expectEqual(transactions.map(\.ordinal), [1])
            try expectEqual(stack.context.lastChanges(), ["insert Author", "insert Book", "insert Book"])
            let ids = transactions[0].changes?.map(\.changedObjectID)
            let objects = try stack.context.all("Author") + stack.context.all("Book")
            expectEqual(Set(ids ?? []), Set(objects.map(\.objectID)))
            expectEqual(transactions[0].changes?.map(\.changeID), [1, 2, 3])
            expectEqual(
                transactions[0].changes?.allSatisfy { $0.updatedProperties == nil && $0.tombstone == nil }, true)
        }
    }

    @Test("An update has the properties that changed: attributes, to-one and to-many relationships")
    func updates() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            let context = stack.context
            let (book, tag) = (context.make("Novel", "Emma"), context.make("Tag", "old"))
            let publisher = context.make("Publisher", "Murray")
            try context.save()
            book.setValue(7, forKey: "pages")
            book.setValue("calm", forKey: "mood")
            try context.save()
            try expectEqual(context.lastChanges(), ["update Novel: mood pages"])
            book.setValue(publisher, forKey: "publisher")
            book.setValue([tag] as Set<NSManagedObject>, forKey: "tags")
            try context.save()
            try expectEqual(
                context.lastChanges(),
                ["update Novel: publisher tags", "update Publisher: books", "update Tag: books"])
        }
    }

    @Test("A deleted object leaves the values that its entity preserves")
    func tombstones() throws {
        let stack = try TestStack.tracking(model: NoteModel.make())
        try on(stack.context) {
            let ident = UUID()
            let date = Date(timeIntervalSinceReferenceDate: 1000.5)
            let note = stack.context.make("Note", nil, ["title": "Milk", "ident": ident, "date": date, "text": "2 l"])
            let untitled = stack.context.make("Note", nil, ["text": "?"])
            let plain = stack.context.make("Plain", "A")
            try stack.context.save()
            for object in [note, untitled, plain] { stack.context.delete(object) }
            try stack.context.save()
            try expectEqual(stack.context.lastChanges(), ["delete Note", "delete Note", "delete Plain"])
            let changes = try requireValue(try stack.context.transactions().last?.changes)
            let tombstones = changes.filter { $0.changedObjectID.entity.name == "Note" }.sorted {
                ($0.tombstone?.count ?? 0) > ($1.tombstone?.count ?? 0)
            }.map(\.tombstone)
            #expect(tombstones.first??["title"] as? String == "Milk")
            #expect(tombstones.first??["ident"] as? UUID == ident)
            #expect(tombstones.first??["date"] as? Date == date)
            expectEqual(tombstones.first??.count, 3)
            expectEqual(tombstones.last??.isEmpty, true)
            #expect(changes.first { $0.changedObjectID.entity.name == "Plain" }?.tombstone == nil)
        }
    }

    @Test("Deletions of many objects, with gaps between them and in any order, are recorded once each")
    func manyDeletions() throws {
        let stack = try TestStack.tracking(model: NoteModel.make())
        try on(stack.context) {
            let notes = (0..<300).map { stack.context.make("Note", nil, ["title": "note \($0)"]) }
            try stack.context.save()
            let order = Array(0..<50) + Array(60..<80) + Array((80..<160).reversed()) + [299] + Array(170..<270)
            for index in order { stack.context.delete(notes[index]) }
            let ids = Set(order.map { notes[$0].objectID })
            try stack.context.save()
            let changes = try requireValue(try stack.context.transactions().last?.changes)
            expectEqual(changes.count, order.count)
            expectEqual(Set(changes.map(\.changedObjectID)), ids)
            let numbers = (0..<order.count).map { Int64($0 + 301) }
            expectEqual(changes.map(\.changeID), numbers)
            let titles = changes.compactMap { $0.tombstone?["title"] as? String }
            expectEqual(Set(titles), Set(order.map { "note \($0)" }))
            #expect(changes.allSatisfy { $0.changeType == .delete })
            try expectEqual(stack.context.all("Note").count, 300 - order.count)
        }
    }

    @Test("A transaction names its author, its context and the process")
    func origin() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            stack.context.transactionAuthor = "import"
            stack.context.name = "worker"
            stack.context.make("Tag", "a")
            let before = Date()
            try stack.context.save()
            stack.context.transactionAuthor = nil
            stack.context.make("Tag", "b")
            try stack.context.save()
            let transactions = try stack.context.transactions()
            expectEqual(transactions.map(\.author), ["import", nil])
            expectEqual(transactions.map(\.contextName), ["worker", "worker"])
            expectEqual(transactions[0].processID, ProcessInfo.processInfo.processName)
            #expect(!transactions[0].bundleID.isEmpty)
            expectEqual(transactions[0].storeID, stack.store.identifier)
            #expect(abs(transactions[0].timestamp.timeIntervalSince(before)) < 60)
        }
    }

    @Test("A save that fails, and one without changes, leave no transaction")
    func nothing() throws {
        let stack = try TestStack.tracking()
        let other = stack.newContext()
        try on(stack.context) {
            stack.context.make("Tag", "a")
            try stack.context.save()
            try stack.context.save()
        }
        try on(other) { try other.one("Tag", "a").setValue("b", forKey: "name") }
        try on(stack.context) {
            try stack.context.one("Tag", "a").setValue("c", forKey: "name")
            try stack.context.save()
        }
        try on(other) {
            #expect(thrownError { try other.save() } != nil)
            let numbers = try other.transactions().map(\.ordinal)
            expectEqual(numbers, [1, 2])
        }
    }

    @Test("A store without the option has no history tables, and gets them when it is opened with the option")
    func option() throws {
        let folder = try TemporaryFolder()
        do {
            let stack = try TestStack(.sqlite, folder: folder)
            try on(stack.context) {
                stack.context.make("Tag", "a")
                try stack.context.save()
            }
            #expect(try !SQLiteFile(stack.url).tables().contains("ACHANGE"))
        }
        let stack = try TestStack.tracking(folder: folder, kind: .sqlite)
        expectContains(try SQLiteFile(stack.url).tables(), "ACHANGE")
        try on(stack.context) {
            expectEmpty(try stack.context.transactions())
            try stack.context.one("Tag", "a").setValue("b", forKey: "name")
            try stack.context.save()
            try expectEqual(stack.context.lastChanges(), ["update Tag: name"])
        }
    }

    @Test("A store with a history that is opened without the option is read-only; its history can be read")
    func withoutOption() throws {
        let folder = try TemporaryFolder()
        do {
            let stack = try TestStack.tracking(folder: folder)
            try on(stack.context) {
                stack.context.make("Tag", "a")
                try stack.context.save()
            }
        }
        let stack = try TestStack(.tables, folder: folder)
        expectTrue(stack.store.isReadOnly)
        try on(stack.context) {
            let tag = try stack.context.one("Tag", "a")
            try expectEqual(stack.context.lastChanges(), ["insert Tag"])
            tag.setValue("b", forKey: "name")
            expectEqual(thrownError { try stack.context.save() }?.code, 513)
        }
    }

    @Test("The option can be set in a store description")
    func description() throws {
        let folder = try TemporaryFolder()
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: NoteModel.make())
        let description = NSPersistentStoreDescription(url: folder.file("store.sqlite"))
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { #expect($1 == nil) }
        let context = container.newBackgroundContext()
        try on(context) {
            context.make("Plain", "a")
            try context.save()
            try expectEqual(context.lastChanges(), ["insert Plain"])
        }
    }

    @Test("The tables have the numbers of Apple's format, and each text once")
    func tables() throws {
        let stack = try TestStack.tracking(kind: .sqlite)
        try on(stack.context) {
            stack.context.transactionAuthor = "import"
            for name in ["a", "b"] {
                stack.context.make("Tag", name)
                try stack.context.save()
            }
        }
        let file = try SQLiteFile(stack.url)
        let counters = try file.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
        expectEqual(counters.map { $0["Z_ENT"]?.integer }, [16001, 16002, 16003])
        expectEqual(counters.map { $0["Z_NAME"]?.text }, ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"])
        expectEqual(counters.prefix(2).map { $0["Z_MAX"]?.integer }, [2, 2])
        let texts = try file.rows("SELECT ZNAME FROM ATRANSACTIONSTRING").compactMap { $0["ZNAME"]?.text }
        expectContains(texts, "import")
        expectEqual(Set(texts).count, texts.count)
        expectEmpty(try file.rows("SELECT * FROM ACHANGE WHERE Z_OPT IS NOT NULL OR Z_ENT <> 16001"))
        expectEmpty(try file.rows("SELECT * FROM ATRANSACTION WHERE ZAUTHOR IS NOT NULL OR Z_ENT <> 16002"))
    }
}
