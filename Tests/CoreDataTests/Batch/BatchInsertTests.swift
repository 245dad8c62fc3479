import CoreData
import Testing

@Suite("A batch insert")
struct BatchInsertTests {
    @Test("inserts objects from dictionaries, with default values")
    func dictionaries() throws {
        try withStack(.tables) { stack in
            let request = NSBatchInsertRequest(
                entityName: "Book", objects: [["name": "a", "pages": 1], ["name": "b"], ["pages": NSNull()]])
            request.resultType = .count
            let result = try requireValue(try stack.context.execute(request) as? NSBatchInsertResult)
            expectEqual((result.result as? NSNumber)?.intValue, 3)
            expectEqual(result.resultType, .count)
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Book", "a").number("pages"), 1)
                try expectEqual(context.one("Book", "b").number("pages"), 100)
                try expectEqual(context.all("Book", "pages == nil").count, 1)
            }
        }
    }

    @Test("returns the IDs of the objects, in order, and saves go on with the next keys")
    func ids() throws {
        try withStack(.sqlite) { stack in
            stack.context.make("Book", "before")
            try stack.context.save()
            let request = NSBatchInsertRequest(entityName: "Novel", objects: ["a", "b"].map { ["name": $0] })
            request.resultType = .objectIDs
            let result = try stack.context.execute(request) as? NSBatchInsertResult
            let ids = try requireValue(result?.result as? [NSManagedObjectID])
            try expectEqual(ids.map { try stack.context.existingObject(with: $0).text("name") }, ["a", "b"])
            #expect(ids.allSatisfy { $0.entity.name == "Novel" && !$0.isTemporaryID })
            stack.context.make("Book", "after")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["a", "after", "b", "before"]) }
            let file = try SQLiteFile(stack.url)
            let rows = try file.rows("SELECT Z_PK, Z_OPT FROM ZBOOK ORDER BY Z_PK")
            expectEqual(rows.map { $0["Z_PK"]?.integer }, [1, 2, 3, 4])
            #expect(rows.allSatisfy { $0["Z_OPT"]?.integer == 1 })
        }
    }

    @Test(
        "inserts each row once and in order, whatever the number of rows",
        arguments: [1, 31, 32, 33, 64, 100])
    func numberOfRows(count: Int) throws {
        try withStack(.sqlite, model: unique()) { stack in
            let request = NSBatchInsertRequest(
                entityName: "Item",
                objects: (0..<count).map { row in
                    row % 3 == 0 ? ["name": "item \(row)", "count": row] : ["name": "item \(row)", "note": "n\(row)"]
                })
            request.resultType = .objectIDs
            let result = try stack.context.execute(request) as? NSBatchInsertResult
            let ids = try requireValue(result?.result as? [NSManagedObjectID])
            let names = try ids.map { try stack.context.existingObject(with: $0).text("name") }
            expectEqual(names, (0..<count).map { "item \($0)" } as [String?])
            let rows = try SQLiteFile(stack.url).rows("SELECT Z_PK, ZCOUNT, ZNOTE FROM ZITEM ORDER BY Z_PK")
            expectEqual(rows.count, count)
            for (index, row) in rows.enumerated() {
                let hasCount = index % 3 == 0
                expectEqual(row["Z_PK"]?.integer, Int64(index + 1))
                expectEqual(row["ZCOUNT"]?.integer, (hasCount ? Int64(index) : 0))
                expectEqual(row["ZNOTE"]?.text, (hasCount ? nil : "n\(index)"))
            }
        }
    }

    @Test("the block may use the dictionary as any other, and keep it")
    func useOfDictionary() throws {
        try withStack(.tables) { stack in
            var kept: [NSMutableDictionary] = []
            let request = NSBatchInsertRequest(
                entityName: "Book",
                dictionaryHandler: { (dictionary: NSMutableDictionary) -> Bool in
                    let number = kept.count
                    dictionary["pages"] = number
                    dictionary["price"] = 1.5
                    dictionary["name"] = "wrong"
                    dictionary["name"] = "book \(number)"
                    if number == 1 { dictionary.removeObject(forKey: "price") }
                    let copy = dictionary as? [String: Any]
                    #expect(dictionary["name"] as? String == "book \(number)")
                    #expect(dictionary["missing"] == nil)
                    expectEqual(dictionary.count, (number == 1 ? 2 : 3))
                    expectEqual(copy?.count, dictionary.count)
                    #expect(copy?["pages"] as? Int == number)
                    dictionary.addEntries(from: ["pages": number + 10])
                    kept.append(dictionary)
                    return number == 3
                })
            try stack.context.execute(request)
            let books = try stack.context.all("Book", sort: [NSSortDescriptor(key: "name", ascending: true)])
            expectEqual(books.map { $0.text("name") }, ["book 0", "book 1", "book 2"])
            expectEqual(books.map { $0.number("pages") }, [10, 11, 12])
            expectEqual(books.map { $0.value(forKey: "price") as? Double }, [1.5, nil, 1.5])
            expectEqual(kept.map { $0["name"] as? String }, ["book 0", "book 1", "book 2", "book 3"])
        }
    }

    @Test("calls a block for each dictionary until it returns true")
    func dictionaryHandler() throws {
        try withStack(.tables) { stack in
            var count = 0
            let request = NSBatchInsertRequest(
                entityName: "Tag",
                dictionaryHandler: { (dictionary: NSMutableDictionary) -> Bool in
                    expectEqual(dictionary.count, 0)
                    dictionary["name"] = "tag \(count)"
                    count += 1
                    return count > 1000
                })
            request.resultType = .count
            let result = try stack.context.execute(request) as? NSBatchInsertResult
            expectEqual((result?.result as? NSNumber)?.intValue, 1000)
            expectEqual(count, 1001)
            try inFreshContext(stack) { try expectEqual($0.all("Tag").count, 1000) }
        }
    }

    @Test("calls a block for each object, which belongs to no context")
    func objectHandler() throws {
        try withStack(.tables) { stack in
            var count = 0
            let request = NSBatchInsertRequest(
                entityName: "Book",
                managedObjectHandler: { (object: NSManagedObject) -> Bool in
                    expectEqual(object.managedObjectContext, nil)
                    expectEqual(object.number("pages"), 100)
                    count += 1
                    object.setValue("book \(count)", forKey: "name")
                    if count == 1 { object.setValue(7, forKey: "pages") }
                    return count > 3
                })
            try stack.context.execute(request)
            try inFreshContext(stack) { context in
                try expectEqual(context.names("Book"), ["book 1", "book 2", "book 3"])
                try expectEqual(context.names("Book", "pages == 7"), ["book 1"])
            }
        }
    }

    @Test("inserts values of every type, and computes derived attributes")
    func types() throws {
        try withStack(.tables, model: AlbumModel.make()) { stack in
            let uuid = UUID()
            let big = Data(repeating: 5, count: 200_000)
            let values: [String: Any] = [
                "short": 3, "int": 4, "long": 5, "flag": true, "real": 0.5, "single": Float(0.25),
                "exact": NSDecimalNumber(string: "1.25"), "text": "word", "uuid": uuid, "photo": big,
                "date": Date(timeIntervalSinceReferenceDate: 5), "data": Data([1]),
                "link": URL(string: "https://example.org")!, "list": ["x"],
            ]
            try stack.context.execute(NSBatchInsertRequest(entityName: "Scrap", objects: [values]))
            try inFreshContext(stack) { context in
                let scrap = try requireValue(try context.all("Scrap").first)
                expectEqual(scrap.number("short"), 3)
                expectEqual(scrap.number("int"), 4)
                expectEqual(scrap.number("long"), 5)
                #expect(scrap.value(forKey: "flag") as? NSNumber == true)
                #expect(scrap.value(forKey: "real") as? NSNumber == 0.5)
                #expect(scrap.value(forKey: "exact") as? NSDecimalNumber == NSDecimalNumber(string: "1.25"))
                #expect(scrap.value(forKey: "uuid") as? UUID == uuid)
                #expect(scrap.value(forKey: "photo") as? Data == big)
                #expect(scrap.value(forKey: "list") as? [String] == ["x"])
                expectEqual(scrap.text("upper"), "WORD")
            }
        }
    }

    @Test("sets to-one relationships to saved objects")
    func relationships() throws {
        try withStack(.tables) { stack in
            let author = stack.context.make("Author", "author")
            try stack.context.save()
            try stack.context.execute(
                NSBatchInsertRequest(entityName: "Book", objects: [["name": "book", "author": author.objectID]]))
            try inFreshContext(stack) { try expectEqual($0.one("Author", "author").names("books"), ["book"]) }
        }
    }

    @Test("sets to-one relationships in a block, too")
    func relationshipsInBlocks() throws {
        try withStack(.tables) { stack in
            let authors = ["a", "b"].map { stack.context.make("Author", $0) }
            try stack.context.save()
            var rest = authors.map(\.objectID)[...]
            let request = NSBatchInsertRequest(
                entityName: "Novel",
                dictionaryHandler: { (dictionary: NSMutableDictionary) -> Bool in
                    guard let author = rest.popFirst() else { return true }
                    dictionary["name"] = "novel \(rest.count)"
                    dictionary["author"] = author
                    return false
                })
            try stack.context.execute(request)
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Author", "a").names("books"), ["novel 1"])
                try expectEqual(context.one("Author", "b").names("books"), ["novel 0"])
            }
        }
    }

    @Test("inserts the values of objects that its block keeps, and leaves them to it")
    func keptObjects() throws {
        try withStack(.tables) { stack in
            var kept: [NSManagedObject] = []
            let request = NSBatchInsertRequest(
                entityName: "Book",
                managedObjectHandler: { (object: NSManagedObject) -> Bool in
                    object.setValue("a long name of the book \(kept.count)", forKey: "name")
                    kept.append(object)
                    return kept.count > 2
                })
            try stack.context.execute(request)
            expectEqual(kept.map { $0.text("name") }, (0...2).map { "a long name of the book \($0)" })
            try inFreshContext(stack) { context in
                try expectEqual(context.names("Book"), ["a long name of the book 0", "a long name of the book 1"])
                try #expect(context.all("Book").allSatisfy { $0.number("pages") == 100 })
            }
        }
    }

    @Test("finds the properties of rows with different keys in different orders")
    func keysInAnyOrder() throws {
        try withStack(.tables) { stack in
            let objects: [[String: Any]] = (0..<60).map { number in
                switch number % 3 {
                case 0: ["name": "a\(number)", "pages": number]
                case 1: ["price": Double(number), "name": "b\(number)", "pages": number]
                default: ["pages": number]
                }
            }
            try stack.context.execute(NSBatchInsertRequest(entityName: "Book", objects: objects))
            try inFreshContext(stack) { context in
                for book in try context.all("Book") {
                    let number = try requireValue(book.number("pages"))
                    expectEqual(
                        book.text("name"), (number % 3 == 2 ? nil : (number % 3 == 0 ? "a" : "b") + "\(number)"))
                    #expect(book.value(forKey: "price") as? Double == (number % 3 == 1 ? Double(number) : nil))
                }
            }
        }
    }

    @Test("inserts nothing if its block ends at once")
    func noRows() throws {
        try withStack(.tables) { stack in
            let request = NSBatchInsertRequest(
                entityName: "Tag", managedObjectHandler: { (_: NSManagedObject) in true })
            request.resultType = .objectIDs
            let result = try stack.context.execute(request) as? NSBatchInsertResult
            expectEqual((result?.result as? [NSManagedObjectID])?.isEmpty, true)
            try expectEmpty(stack.context.names("Tag"))
        }
    }

    @Test("sets composite attributes by dictionaries")
    func composites() throws {
        try withStack(.tables, model: PlaceModel.make()) { stack in
            try stack.context.execute(
                NSBatchInsertRequest(
                    entityName: "Place",
                    objects: [["name": "a", "location": PlaceModel.location("Oslo", 23, 59.9, 10.7)], ["name": "b"]]))
            try inFreshContext(stack) { context in
                let location = try context.one("Place", "a").value(forKey: "location") as? [String: Any]
                #expect(location?["city"] as? String == "Oslo")
                #expect(location?["height"] as? Int == 23)
                #expect((location?["point"] as? [String: Any])?["latitude"] as? Double == 59.9)
                try expectEqual(context.names("Place", "location.city == 'Oslo'"), ["a"])
            }
        }
    }

    @Test("refuses a row whose unique values an object of a subentity has")
    func conflictWithSubentity() throws {
        let item = entity("Item", [attribute("name", .stringAttributeType)])
        let special = entity("Special", [attribute("note", .stringAttributeType)])
        item.subentities = [special]
        item.uniquenessConstraints = [["name"]]
        try withStack(.tables, model: model([item, special])) { stack in
            stack.context.make("Special", "a", ["note": "stored"])
            try stack.context.save()
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let request = NSBatchInsertRequest(entityName: "Item", objects: [["name": "b"], ["name": "a"]])
            expectEqual(thrownError { try stack.context.execute(request) }?.code, NSManagedObjectConstraintMergeError)
            try inFreshContext(stack) { try expectEqual($0.names("Item"), ["a"]) }
            try stack.context.execute(
                NSBatchInsertRequest(entityName: "Special", objects: [["name": "a", "note": "given"]]))
            try inFreshContext(stack) { try expectEqual($0.one("Special", "a").text("note"), "given") }
        }
    }

    @Test("inserts nothing if one value is wrong", arguments: ["nothing", "pages", "tags"])
    func wrongValues(_ key: String) throws {
        try withStack(.tables) { stack in
            let request = NSBatchInsertRequest(entityName: "Book", objects: [["name": "good"], [key: "bad"]])
            #expect(throws: (any Error).self) { try stack.context.execute(request) }
            try inFreshContext(stack) { try expectEmpty($0.names("Book")) }
        }
    }

    @Test("is seen by contexts that merge its result")
    func merging() throws {
        try withStack(.tables) { stack in
            let request = NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"]])
            request.resultType = .objectIDs
            let result = try stack.context.execute(request) as? NSBatchInsertResult
            let ids = try requireValue(result?.result as? [NSManagedObjectID])
            nonisolated(unsafe) var inserted: [String] = []
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
            ) { notification in
                let objects = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
                inserted += objects.compactMap { $0.text("name") }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [stack.context])
            expectEqual(inserted, ["a"])
        }
    }

    @Test("updates an object that the same request has inserted")
    func conflictWithin() throws {
        try withStack(.tables, model: unique()) { stack in
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let request = NSBatchInsertRequest(
                entityName: "Item", objects: [["name": "a", "count": 2], ["name": "a", "note": "second"]])
            try stack.context.execute(request)
            try inFreshContext(stack) { context in
                let item = try context.one("Item", "a")
                expectEqual(item.number("count"), 2)
                expectEqual(item.text("note"), "second")
            }
        }
    }

    @Test("is executed by the coordinator, too")
    func coordinator() throws {
        try withStack(.tables) { stack in
            let request = NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"]])
            let result = try stack.coordinator.execute(request, with: stack.context)
            expectEqual(((result as? NSBatchInsertResult)?.result as? NSNumber)?.boolValue, true)
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Tag")
            let found = try stack.coordinator.execute(fetch, with: stack.context) as? [NSManagedObject]
            expectEqual(found?.map { $0.text("name") }, ["a"])
        }
    }

    // MARK: Uniqueness constraints

    private func unique() -> NSManagedObjectModel {
        let item = entity(
            "Item",
            [
                attribute("name", .stringAttributeType), attribute("count", .integer32AttributeType, defaultValue: 0),
                attribute("note", .stringAttributeType),
            ])
        item.uniquenessConstraints = [["name"]]
        return model([item])
    }

    /// The values of `a` after a batch insert of `a` and `b` over a stored `a`.
    private func upsert(_ policy: NSMergePolicy) throws -> (note: String?, count: Int64?, version: Int64?, result: Int?)
    {
        let stack = try TestStack(.sqlite, model: unique())
        return try stack.context.performAndWait {
            stack.context.make("Item", "a", ["count": 1, "note": "stored"])
            try stack.context.save()
            stack.context.mergePolicy = policy
            let request = NSBatchInsertRequest(
                entityName: "Item", objects: [["name": "a", "count": 2], ["name": "b", "count": 3]])
            request.resultType = .count
            let result = try stack.context.execute(request) as? NSBatchInsertResult
            let rows = try SQLiteFile(stack.url).rows("SELECT ZNOTE, ZCOUNT, Z_OPT FROM ZITEM ORDER BY ZNAME")
            expectEqual(rows.count, 2)
            return (
                rows[0]["ZNOTE"]?.text, rows[0]["ZCOUNT"]?.integer, rows[0]["Z_OPT"]?.integer,
                (result?.result as? NSNumber)?.intValue
            )
        }
    }

    @Test("updates an existing object where the merge policy prefers the new values")
    func objectTrump() throws {
        let found = try upsert(.mergeByPropertyObjectTrump)
        expectEqual(found.note, "stored")
        expectEqual(found.count, 2)
        expectEqual(found.version, 2)
        expectEqual(found.result, 2)
    }

    @Test("preserves an existing object where the merge policy prefers the store")
    func storeTrump() throws {
        let found = try upsert(.mergeByPropertyStoreTrump)
        expectEqual(found.note, "stored")
        expectEqual(found.count, 1)
        expectEqual(found.version, 1)
        expectEqual(found.result, 1)
    }

    @Test("replaces all values of an existing object where the merge policy overwrites")
    func overwrite() throws {
        let found = try upsert(.overwrite)
        expectEqual(found.note, nil)
        expectEqual(found.count, 2)
        expectEqual(found.version, 2)
        expectEqual(found.result, 2)
    }

    @Test("fails for an existing object without a merge policy, and inserts nothing")
    func conflict() throws {
        #expect { _ = try upsert(.error) } throws: { ($0 as NSError).code == NSManagedObjectConstraintMergeError }
    }

    @Test("inserts nothing if one of many rows has the unique values of another one")
    func conflictAmongMany() throws {
        try withStack(.sqlite, model: unique()) { stack in
            let request = NSBatchInsertRequest(
                entityName: "Item", objects: (0..<100).map { ["name": "item \($0 == 50 ? 45 : $0)"] })
            #expect {
                try stack.context.execute(request)
            } throws: {
                ($0 as NSError).code == NSManagedObjectConstraintMergeError
            }
            try expectEmpty(stack.context.all("Item"))
        }
    }
}
