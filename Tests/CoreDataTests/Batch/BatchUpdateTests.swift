import CoreData
import Testing

@Suite("A batch update")
struct BatchUpdateTests {
    @discardableResult
    private func update(
        _ entity: String, _ format: String? = nil, _ values: [AnyHashable: Any], _ context: NSManagedObjectContext,
        result: NSBatchUpdateRequestResultType = .updatedObjectsCountResultType
    ) throws -> Any? {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.propertiesToUpdate = values
        request.resultType = result
        return try requireValue(try context.execute(request) as? NSBatchUpdateResult).result
    }

    @Test("sets constants in the objects of a predicate")
    func constants() throws {
        try withStack(.tables) { stack in
            for name in ["a", "b", "c"] { stack.context.make("Book", name) }
            try stack.context.save()
            let result = try update("Book", "name > 'a'", ["pages": 7, "price": 1.5], stack.context)
            expectEqual((result as? NSNumber)?.intValue, 2)
            try inFreshContext(stack) { context in
                try expectEqual(context.names("Book", "pages == 7 AND price == 1.5"), ["b", "c"])
                try expectEqual(context.one("Book", "a").number("pages"), 100)
            }
        }
    }

    @Test("evaluates expressions with the old values of each object")
    func expressions() throws {
        try withStack(.tables) { stack in
            stack.context.make("Book", "a", ["pages": 10, "price": 2.5])
            stack.context.make("Book", "b", ["pages": 20, "price": 4.0])
            try stack.context.save()
            try update(
                "Book", nil,
                ["pages": NSExpression(format: "pages * price"), "price": NSExpression(format: "pages + 0.5")],
                stack.context)
            try inFreshContext(stack) { context in
                let a = try context.one("Book", "a")
                expectEqual(a.number("pages"), 25)
                expectEqual((a.value(forKey: "price") as? NSNumber)?.doubleValue, 10.5)
                try expectEqual(context.one("Book", "b").number("pages"), 80)
            }
        }
    }

    @Test("sets values of every type, and nil")
    func types() throws {
        try withStack(.tables, model: AlbumModel.make()) { stack in
            stack.context.make("Scrap").setValue("old", forKey: "text")
            try stack.context.save()
            let uuid = UUID()
            let date = Date(timeIntervalSinceReferenceDate: 1000)
            try update(
                "Scrap", nil,
                [
                    "short": 3, "flag": true, "exact": NSDecimalNumber(string: "1.25"), "date": date, "uuid": uuid,
                    "link": URL(string: "https://example.org")!, "data": Data([1, 2]), "photo": Data([3]),
                    "list": ["x", "y"], "text": NSNull(),
                ], stack.context)
            try inFreshContext(stack) { context in
                let scrap = try requireValue(try context.all("Scrap").first)
                expectEqual(scrap.number("short"), 3)
                expectEqual((scrap.value(forKey: "flag") as? NSNumber)?.boolValue, true)
                #expect(scrap.value(forKey: "exact") as? NSDecimalNumber == NSDecimalNumber(string: "1.25"))
                #expect(scrap.value(forKey: "date") as? Date == date)
                #expect(scrap.value(forKey: "uuid") as? UUID == uuid)
                #expect(scrap.value(forKey: "link") as? URL == URL(string: "https://example.org"))
                #expect(scrap.value(forKey: "data") as? Data == Data([1, 2]))
                #expect(scrap.value(forKey: "photo") as? Data == Data([3]))
                #expect(scrap.value(forKey: "list") as? [String] == ["x", "y"])
                expectEqual(scrap.text("text"), nil)
            }
        }
    }

    @Test("takes descriptions of properties as keys, and IDs as values of to-one relationships")
    func descriptions() throws {
        try withStack(.tables) { stack in
            let author = stack.context.make("Author", "author")
            stack.context.make("Book", "book")
            try stack.context.save()
            let book = try requireValue(stack.model.entitiesByName["Book"])
            let request = NSBatchUpdateRequest(entity: book)
            request.propertiesToUpdate = [
                try requireValue(book.propertiesByName["author"]): author.objectID,
                try requireValue(book.propertiesByName["pages"]): 5,
            ]
            try stack.context.execute(request)
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Author", "author").names("books"), ["book"])
                try expectEqual(context.one("Book", "book").number("pages"), 5)
            }
        }
    }

    @Test("includes subentities if asked to")
    func subentities() throws {
        try withStack(.tables) { stack in
            stack.context.make("Book", "book")
            stack.context.make("Novel", "novel")
            try stack.context.save()
            let request = NSBatchUpdateRequest(entityName: "Book")
            expectTrue(request.includesSubentities)
            expectEqual(request.resultType, .statusOnlyResultType)
            request.includesSubentities = false
            request.propertiesToUpdate = ["pages": 1]
            request.resultType = .updatedObjectIDsResultType
            let result = try stack.context.execute(request) as? NSBatchUpdateResult
            let ids = try requireValue(result?.result as? [NSManagedObjectID])
            expectEqual(ids.map(\.entity.name), ["Book"])
            request.includesSubentities = true
            let both = try requireValue(try stack.context.execute(request) as? NSBatchUpdateResult)
            expectEqual(Set((both.result as? [NSManagedObjectID] ?? []).map(\.entity.name)), ["Book", "Novel"])
        }
    }

    @Test("selects objects by the values of related ones")
    func joins() throws {
        try withStack(.tables) { stack in
            let author = stack.context.make("Author", "author")
            stack.context.make("Book", "a", ["author": author])
            stack.context.make("Book", "b")
            try stack.context.save()
            try update("Book", "author.name == 'author'", ["pages": 1], stack.context)
            try inFreshContext(stack) { try expectEqual($0.names("Book", "pages == 1"), ["a"]) }
        }
    }

    @Test("makes an older object's save a conflict")
    func optimisticLocking() throws {
        try withStack(.tables) { stack in
            let book = stack.context.make("Book", "book")
            try stack.context.save()
            try update("Book", nil, ["pages": 1], stack.context)
            book.setValue(2, forKey: "pages")
            #expect { try stack.context.save() } throws: {
                ($0 as NSError).code == NSManagedObjectMergeError
            }
        }
    }

    @Test("is seen by faults, and by objects that merge its result")
    func staleness() throws {
        try withStack(.tables) { stack in
            let book = stack.context.make("Book", "book")
            try stack.context.save()
            let other = stack.newContext()
            let ids =
                try update(
                    "Book", nil, ["pages": 1], stack.context, result: .updatedObjectIDsResultType)
                as? [NSManagedObjectID]
            try on(other) {
                try #expect(other.existingObject(with: book.objectID).value(forKey: "pages") as? NSNumber == 1)
            }
            expectEqual(book.number("pages"), 100)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: ids ?? []], into: [stack.context])
            expectEqual(book.number("pages"), 1)
        }
    }

    @Test("computes derived attributes again")
    func derived() throws {
        try withStack(.tables, model: AlbumModel.make()) { stack in
            for text in ["a", "b"] { stack.context.make("Scrap").setValue(text, forKey: "text") }
            try stack.context.save()
            try update("Scrap", "text == 'a'", ["text": "changed"], stack.context)
            try inFreshContext(stack) { context in
                try expectEqual(Set(context.all("Scrap").map { $0.text("upper") }), ["CHANGED", "B"])
            }
        }
    }

    @Test("sets composite attributes by dictionaries, and clears them")
    func composites() throws {
        try withStack(.tables, model: PlaceModel.make()) { stack in
            stack.context.make("Place", "a")
            stack.context.make("Capital", "b")
            try stack.context.save()
            try update("Place", nil, ["location": PlaceModel.location("Oslo", 23)], stack.context)
            try inFreshContext(stack) { try expectEqual($0.names("Place", "location.city == 'Oslo'"), ["a", "b"]) }
            try update("Place", "name == 'a'", ["location": NSNull()], stack.context)
            try inFreshContext(stack) { try expectEqual($0.names("Place", "location.city == 'Oslo'"), ["b"]) }
        }
    }

    @Test("gives each object a file of external data of its own")
    func externalData() throws {
        try withStack(.sqlite, model: AlbumModel.make()) { stack in
            for _ in 0..<3 { stack.context.make("Scrap") }
            try stack.context.save()
            let folder = stack.folder.file(".store_SUPPORT").appendingPathComponent("_EXTERNAL_DATA")
            try update("Scrap", nil, ["photo": Data(repeating: 1, count: 300_000)], stack.context)
            try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path).count, 3)
            try update("Scrap", nil, ["photo": Data([1])], stack.context)
            try expectEmpty(FileManager.default.contentsOfDirectory(atPath: folder.path))
        }
    }

    @Test(
        "refuses properties that it can't set, and values of wrong types",
        arguments: ["nothing", "note", "tags", "cover", "pages"])
    func refusals(_ key: String) throws {
        try withStack(.tables) { stack in
            stack.context.make("Book", "book")
            try stack.context.save()
            let request = NSBatchUpdateRequest(entityName: "Book")
            request.propertiesToUpdate = [key: key == "pages" ? "text" : NSNull()]
            #expect(throws: (any Error).self) { try stack.context.execute(request) }
            try inFreshContext(stack) { try expectEqual($0.one("Book", "book").number("pages"), 100) }
        }
    }
}
