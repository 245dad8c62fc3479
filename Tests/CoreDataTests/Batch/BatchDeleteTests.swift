import CoreData
import Testing

@Suite("A batch delete")
struct BatchDeleteTests {
    private func request(_ entity: String, _ format: String? = nil) -> NSBatchDeleteRequest {
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
        fetch.predicate = format.map { NSPredicate(format: $0) }
        return NSBatchDeleteRequest(fetchRequest: fetch)
    }

    @discardableResult
    private func run(_ request: NSBatchDeleteRequest, _ context: NSManagedObjectContext) throws -> Any? {
        try requireValue(try context.execute(request) as? NSBatchDeleteResult).result
    }

    @Test("deletes the objects of a predicate")
    func predicate() throws {
        try withStack(.tables) { stack in
            for name in ["a", "b", "c"] { stack.context.make("Tag", name) }
            try stack.context.save()
            let result = try run(request("Tag", "name > 'a'"), stack.context)
            expectEqual((result as? NSNumber)?.boolValue, true)
            try inFreshContext(stack) { try expectEqual($0.names("Tag"), ["a"]) }
        }
    }

    @Test("deletes objects of subentities, and none of superentities")
    func inheritance() throws {
        try withStack(.tables) { stack in
            stack.context.make("Book", "book")
            stack.context.make("Novel", "novel")
            try stack.context.save()
            let deletion = request("Novel")
            deletion.resultType = .resultTypeCount
            try expectEqual((run(deletion, stack.context) as? NSNumber)?.intValue, 1)
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["book"]) }
            try run(request("Book"), stack.context)
            try inFreshContext(stack) { try expectEmpty($0.names("Book")) }
        }
    }

    @Test("deletes what the order, the limit and the offset of its fetch select")
    func limits() throws {
        try withStack(.tables) { stack in
            for name in ["a", "b", "c", "d"] { stack.context.make("Cover", name) }
            try stack.context.save()
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Cover")
            fetch.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            fetch.fetchLimit = 2
            fetch.fetchOffset = 1
            try run(NSBatchDeleteRequest(fetchRequest: fetch), stack.context)
            try inFreshContext(stack) { try expectEqual($0.names("Cover"), ["a", "d"]) }
        }
    }

    @Test("deletes objects by their IDs, and returns the IDs")
    func ids() throws {
        try withStack(.tables) { stack in
            let tags = ["a", "b", "c"].map { stack.context.make("Tag", $0) }
            try stack.context.save()
            let ids = tags.prefix(2).map(\.objectID)
            let request = NSBatchDeleteRequest(objectIDs: ids)
            request.resultType = .resultTypeObjectIDs
            let result = try requireValue(try run(request, stack.context) as? [NSManagedObjectID])
            expectEqual(Set(result), Set(ids))
            try inFreshContext(stack) { try expectEqual($0.names("Tag"), ["c"]) }
        }
    }

    @Test("of no IDs deletes nothing")
    func noIDs() throws {
        try withStack(.tables) { stack in
            stack.context.make("Tag", "a")
            try stack.context.save()
            let request = NSBatchDeleteRequest(objectIDs: [])
            request.resultType = .resultTypeCount
            try expectEqual((run(request, stack.context) as? NSNumber)?.intValue, 0)
            try inFreshContext(stack) { try expectEqual($0.names("Tag"), ["a"]) }
        }
    }

    @Test("clears references to deleted objects, and their links")
    func nullify() throws {
        try withStack(.sqlite) { stack in
            let context = stack.context
            let book = context.make("Book", "book")
            let tag = context.make("Tag", "tag", ["books": Set([book])])
            let shelf = context.make("Shelf", "shelf", ["items": NSOrderedSet(array: [book])])
            let cover = context.make("Cover", "cover", ["book": book])
            let mentor = context.make("Author", "mentor")
            let pupil = context.make("Author", "pupil", ["mentor": mentor])
            try context.save()
            try run(request("Cover"), context)
            try run(request("Author", "name == 'mentor'"), context)
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Book", "book").object("cover"), nil)
                try expectEqual(context.one("Author", "pupil").object("mentor"), nil)
            }
            try run(request("Book"), context)
            try inFreshContext(stack) { context in
                try expectEmpty(context.one("Tag", "tag").objects("books"))
                try expectEmpty(context.one("Shelf", "shelf").ordered("items"))
            }
            let file = try SQLiteFile(stack.url)
            for table in try file.tables() where table.hasPrefix("Z_") && table.contains("TAGS") {
                try expectEmpty(file.rows("SELECT * FROM \(table)"))
            }
            withExtendedLifetime([tag, shelf, cover, pupil]) {}
        }
    }

    @Test("cascades, to any depth")
    func cascade() throws {
        try withStack(.tables) { stack in
            let context = stack.context
            let author = context.make("Author", "author")
            let book = context.make("Novel", "book", ["author": author])
            context.make("Chapter", "chapter", ["book": book])
            context.make("Chapter", "other")
            context.make("Cover", "cover", ["book": book])
            try context.save()
            let deletion = request("Author")
            deletion.resultType = .resultTypeCount
            try expectEqual((run(deletion, context) as? NSNumber)?.intValue, 1)
            try inFreshContext(stack) { context in
                try expectEmpty(context.names("Book"))
                try expectEmpty(context.names("Cover"))
                try expectEqual(context.names("Chapter"), ["other"])
            }
        }
    }

    @Test("fails where a delete rule denies it, and deletes nothing")
    func deny() throws {
        try withStack(.tables) { stack in
            let context = stack.context
            let publisher = context.make("Publisher", "full")
            context.make("Publisher", "empty")
            context.make("Book", "book", ["publisher": publisher])
            try context.save()
            #expect { try run(request("Publisher"), context) } throws: {
                ($0 as NSError).domain == NSCocoaErrorDomain
            }
            try inFreshContext(stack) { try expectEqual($0.names("Publisher"), ["empty", "full"]) }
            try run(request("Publisher", "name == 'empty'"), context)
            try inFreshContext(stack) { try expectEqual($0.names("Publisher"), ["full"]) }
        }
    }

    @Test("fails where a required inverse would become nil")
    func requiredInverse() throws {
        let list = entity("List", [attribute("name", .stringAttributeType)])
        let item = entity("Item", [attribute("name", .stringAttributeType)])
        let items = toMany("items", item)
        let owner = toOne("list", list, optional: false)
        pair(items, owner)
        list.properties.append(items)
        item.properties.append(owner)
        try withStack(.tables, model: model([list, item])) { stack in
            stack.context.make("Item", "item", ["list": stack.context.make("List", "list")])
            try stack.context.save()
            #expect(throws: (any Error).self) { try run(request("List"), stack.context) }
            try inFreshContext(stack) { try expectEqual($0.names("List"), ["list"]) }
        }
    }

    @Test("is seen by contexts that merge its result")
    func merging() throws {
        try withStack(.tables) { stack in
            let tag = stack.context.make("Tag", "a")
            try stack.context.save()
            let deletion = request("Tag")
            deletion.resultType = .resultTypeObjectIDs
            let ids = try requireValue(try run(deletion, stack.context) as? [NSManagedObjectID])
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [stack.context])
            #expect(tag.isDeleted || tag.managedObjectContext == nil)
            try expectEmpty(stack.context.names("Tag"))
        }
    }

    @Test("removes the files of external data")
    func externalData() throws {
        try withStack(.sqlite, model: AlbumModel.make()) { stack in
            let scrap = stack.context.make("Scrap")
            scrap.setValue(Data(repeating: 1, count: 500_000), forKey: "photo")
            try stack.context.save()
            let folder = stack.folder.file(".store_SUPPORT").appendingPathComponent("_EXTERNAL_DATA")
            try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path).count, 1)
            try run(request("Scrap"), stack.context)
            try expectEmpty(FileManager.default.contentsOfDirectory(atPath: folder.path))
        }
    }

    @Test("counts the objects of several stores")
    func severalStores() throws {
        try withStack(.tables) { stack in
            let second = try stack.coordinator.addPersistentStore(
                ofType: stack.kind.type, configurationName: nil, at: stack.kind.url("second.sqlite", in: stack.folder),
                options: nil)
            stack.context.make("Tag", "a")
            stack.context.assign(stack.context.make("Tag", "b"), to: second)
            try stack.context.save()
            let one = request("Tag")
            one.affectedStores = [second]
            one.resultType = .resultTypeCount
            try expectEqual((run(one, stack.context) as? NSNumber)?.intValue, 1)
            stack.context.assign(stack.context.make("Tag", "c"), to: second)
            try stack.context.save()
            let all = request("Tag")
            all.resultType = .resultTypeCount
            try expectEqual((run(all, stack.context) as? NSNumber)?.intValue, 2)
        }
    }

    @Test("is not supported by a store in memory")
    func memory() throws {
        try withStack(.memory) { stack in
            stack.context.make("Tag", "a")
            try stack.context.save()
            #expect(throws: (any Error).self) { try run(request("Tag"), stack.context) }
            try expectEqual(stack.context.names("Tag"), ["a"])
        }
    }
}
