import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Faults with some of their properties")
struct PartialFaultTests {
    private func withAlbums(_ type: String = NSSQLiteStoreType, _ body: (NSManagedObjectContext) throws -> Void) throws
    {
        let store = try AlbumStore(type: type)
        try store.fill { context in
            let artist = context.make("Artist", ["name": "artist"])
            for index in 0..<5 {
                context.make(
                    "Album",
                    ["title": "album \(index)", "rating": Double(index), "performer": artist, "price": Decimal(index)])
            }
        }
        let context = store.context()
        try context.performAndWait { try body(context) }
    }

    private func request(_ properties: [Any]) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        request.propertiesToFetch = properties
        return request
    }

    @Test("reading what came along fires no fault, in any store", arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func present(_ type: String) throws {
        try withAlbums(type) { context in
            let rating = try requireValue(
                context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Album"]?.attributesByName[
                    "rating"])
            let found = try context.fetch(request(["title", rating, "performer"]))
            for (index, album) in found.enumerated() {
                expectEqual(album.text("title"), "album \(index)")
                expectEqual((album.value(forKey: "rating") as? NSNumber)?.intValue, index)
                expectEqual(album[Properties.title], "album \(index)")
                expectEqual(album[Properties.rating], Double(index))
                expectEqual(album.object("performer")?.entity.name, "Artist")
                expectTrue(album.isFault)
            }
            expectEqual((found[3].value(forKey: "price") as? NSDecimalNumber)?.intValue, 3)
            expectFalse(found[3].isFault)
            expectTrue(found[4].isFault)
            expectEqual(found[3].text("title"), "album 3")
            expectEqual(found[3].object("performer")?.text("name"), "artist")
        }
    }

    private enum Properties {
        static let title = ManagedProperty<String?>("title")
        static let rating = ManagedProperty<Double>("rating")
    }

    @Test("only the named columns are read; another value is one statement more, for the object's whole row")
    func statements() throws {
        try withAlbums { context in
            let recorder = try StatementRecorder(context)
            var found: [NSManagedObject] = []
            let fetching = try recorder.during { found = try context.fetch(request(["title"])) }
            try #require(fetching.count == 1, "\(fetching)")
            expectContains(fetching[0], "ZTITLE", "\(fetching)")
            #expect(!fetching[0].contains("ZRATING"), "\(fetching)")
            expectEmpty(recorder.during { for album in found { _ = album.text("title") } })
            let rest = recorder.during { _ = (found[0].value(forKey: "rating"), found[0].value(forKey: "price")) }
            expectEqual(rest.count, 1, "\(rest)")
        }
    }

    @Test("partial rows are nobody's committed values: they don't reach other contexts, and changes are saved whole")
    func separate() throws {
        try withAlbums { context in
            let found = try context.fetch(request(["title"]))
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            let id = found[2].objectID
            other.performAndWait {
                expectEqual((other.object(with: id).value(forKey: "rating") as? NSNumber)?.intValue, 2)
            }
            found[1].setValue("changed", forKey: "title")
            #expect(found[1].committedValues(forKeys: ["title"])["title"] as? String == "album 1")
            context.delete(found[0])
            try context.save()
            let id1 = found[1].objectID
            try other.performAndWait {
                let album = try other.existingObject(with: id1)
                expectEqual(album.text("title"), "changed")
                expectEqual((album.value(forKey: "rating") as? NSNumber)?.intValue, 1)
            }
        }
    }

    @Test("an object that has its row keeps it, and one that is refreshed is a plain fault")
    func known() throws {
        try withAlbums { context in
            let whole = try context.fetch(request([]))
            _ = try context.fetch(request(["title"]))
            let recorder = try StatementRecorder(context)
            expectEmpty(recorder.during { _ = whole[0].value(forKey: "rating") })
            context.reset()
            let found = try context.fetch(request(["title"]))
            context.refresh(found[0], mergeChanges: false)
            let reading = recorder.during { expectEqual(found[0].text("title"), "album 0") }
            expectEqual(reading.count, 1)
            expectFalse(found[0].isFault)
        }
    }

    @Test("batches read partial rows too")
    func batches() throws {
        try withAlbums { context in
            let request = request(["title"])
            request.fetchBatchSize = 2
            let recorder = try StatementRecorder(context)
            var found: [NSManagedObject] = []
            _ = try recorder.during { found = try context.fetch(request) }
            let reading = recorder.during { expectEqual(found.map { $0.text("title") }, (0..<5).map { "album \($0)" }) }
            try #require(reading.count == 3, "\(reading)")
            #expect(found.allSatisfy { $0.isFault }, "\(reading)")
            #expect(!reading[0].contains("ZRATING"), "\(reading)")
        }
    }

    @Test("objects that don't come as faults come whole")
    func fired() throws {
        try withAlbums { context in
            let request = request(["title"])
            request.returnsObjectsAsFaults = false
            let found = try context.fetch(request)
            let recorder = try StatementRecorder(context)
            #expect(found.allSatisfy { !$0.isFault })
            expectEmpty(recorder.during { _ = found[0].value(forKey: "rating") })
        }
    }

    @Test(
        "a name that is no attribute or to-one relationship, or an expression, is an error that says so",
        arguments: ["colour", "tracks"])
    func refusals(_ name: String) throws {
        try withAlbums { context in
            let error = try #require(throws: (any Error).self) { try context.fetch(request([name])) } as NSError
            expectEqual(error.code, NSCoreDataError)
            expectContains(error.localizedDescription, name)
            expectContains(error.localizedDescription, "Album")
            let expression = NSExpressionDescription()
            expression.name = "most"
            let other = try #require(throws: (any Error).self) { try context.fetch(request([expression])) } as NSError
            expectContains(other.localizedDescription, "dictionaryResultType", "\(other)")
        }
    }
}
