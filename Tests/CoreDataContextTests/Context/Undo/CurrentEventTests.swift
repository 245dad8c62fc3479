import CoreData
import Testing

@Suite("The changes of the current event")
struct CurrentEventTests {
    @Test("are keys with previous values, for persistent properties", arguments: StoreKind.allCases)
    func values(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma", ["pages": 100])
            try stack.context.save()
            expectEmpty(book.changedValuesForCurrentEvent())
            book.setValue(200, forKey: "pages")
            book.setValue(300, forKey: "pages")
            book.setValue(2.5, forKey: "price")
            book.setValue("hidden", forKey: "note")
            let changes = book.changedValuesForCurrentEvent()
            expectEqual(changes.count, 2)
            #expect(changes["pages"] as? Int == 100)
            #expect(changes["price"] is NSNull)
            stack.context.processPendingChanges()
            expectEmpty(book.changedValuesForCurrentEvent())
            #expect(book.changedValues().count >= 2)
            // The next event starts with the object's current values, not with the store's values.
            book.setValue(400, forKey: "pages")
            #expect(book.changedValuesForCurrentEvent() as? [String: Int] == ["pages": 300])
            book.setValue(300, forKey: "pages")
            expectEmpty(book.changedValuesForCurrentEvent())
        }
    }

    @Test("can be read while the notification is posted", arguments: StoreKind.allCases)
    func whilePosting(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma", ["pages": 100])
            let other = stack.context.make("Book", "Other")
            try stack.context.save()
            nonisolated(unsafe) var seen: [String: Any] = [:]
            nonisolated(unsafe) var others: [String: Any] = ["none": 0]
            let note = UnsafeSender {
                seen = book.changedValuesForCurrentEvent()
                others = other.changedValuesForCurrentEvent()
            }
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
            ) { _ in
                note.value()
            }
            defer { NotificationCenter.default.removeObserver(token) }
            for (new, old) in [(200, 100), (300, 200)] {
                book.setValue(new, forKey: "pages")
                stack.context.processPendingChanges()
                #expect(seen as? [String: Int] == ["pages": old])
                expectEmpty(others)
            }
            expectEmpty(book.changedValuesForCurrentEvent())
        }
    }

    @Test("contain the previous relationships of both sides", arguments: StoreKind.allCases)
    func relationships(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let jane = stack.context.make("Author", "Jane")
            let anne = stack.context.make("Author", "Anne")
            let books = ["A", "B"].map { stack.context.make("Book", $0, ["author": jane]) }
            let chapters = ["1", "2", "3"].map { stack.context.make("Chapter", $0, ["book": books[0]]) }
            try stack.context.save()
            stack.context.refreshAllObjects()
            books[0].setValue(anne, forKey: "author")
            #expect(books[0].changedValuesForCurrentEvent() as? [String: NSManagedObject] == ["author": jane])
            #expect(jane.changedValuesForCurrentEvent() as? [String: Set<NSManagedObject>] == ["books": Set(books)])
            #expect(anne.changedValuesForCurrentEvent() as? [String: Set<NSManagedObject>] == ["books": []])
            books[0].setValue(jane, forKey: "author")
            expectEmpty(jane.changedValuesForCurrentEvent())
            expectEmpty(anne.changedValuesForCurrentEvent())
            books[0].mutableOrderedSetValue(forKey: "chapters").moveObjects(at: [0], to: 2)
            #expect(
                (books[0].changedValuesForCurrentEvent()["chapters"] as? NSOrderedSet)?.array as? [NSManagedObject]
                    == chapters)
            stack.context.processPendingChanges()
            stack.context.delete(chapters[1])
            expectEmpty(books[0].changedValuesForCurrentEvent())
        }
    }

    @Test("of a new object are its initial values", arguments: StoreKind.allCases)
    func new(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let author = stack.context.make("Author", "Jane")
            let book = stack.context.make("Book", "Emma", ["author": author, "pages": 200])
            let changes = book.changedValuesForCurrentEvent()
            expectEqual(changes.count, 3)
            #expect(changes["pages"] as? Int == 100)
            #expect(changes["name"] is NSNull)
            #expect(changes["author"] is NSNull)
            #expect(author.changedValuesForCurrentEvent()["books"] as? Set<NSManagedObject> == [])
            stack.context.processPendingChanges()
            expectEmpty(book.changedValuesForCurrentEvent())
            book.setValue("Other", forKey: "name")
            #expect(book.changedValuesForCurrentEvent() as? [String: String] == ["name": "Emma"])
        }
    }

    @Test("are empty for faults and for objects without a context", arguments: StoreKind.allCases)
    func none(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            stack.context.refresh(book, mergeChanges: false)
            expectEmpty(book.changedValuesForCurrentEvent())
            expectTrue(book.isFault)
            let alone = NSManagedObject(entity: book.entity, insertInto: nil)
            alone.setValue("x", forKey: "name")
            expectEmpty(alone.changedValuesForCurrentEvent())
        }
    }
}
