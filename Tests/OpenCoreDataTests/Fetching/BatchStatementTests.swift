import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Fetching in batches: statements and memory")
struct BatchStatementTests {
    private func withAlbums(_ count: Int, _ body: (StatementRecorder) throws -> Void) throws {
        let store = try AlbumStore()
        try store.fill { context in
            let artists = (0..<7).map { context.make("Artist", ["name": "artist \($0)"]) }
            for index in 0..<count {
                context.make(
                    "Album", ["title": Self.title(index), "rating": Double(index), "performer": artists[index % 7]])
            }
        }
        try store.read(body)
    }

    private static func title(_ index: Int) -> String { String(format: "album %05d", index) }

    private func request(_ size: Int) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        request.fetchBatchSize = size
        return request
    }

    /// The buffers of rows that the context's objects keep.
    private func bufferCount(_ context: NSManagedObjectContext) -> Int {
        Set(
            context.registeredObjects.compactMap { object in
                object.row.flatMap { _ in object.buffer.map(ObjectIdentifier.init) }
            }
        ).count
    }

    @Test("a fetch is one statement for keys, and each slice one for its rows")
    func slices() throws {
        try withAlbums(95) { recorder in
            var found: [NSManagedObject] = []
            let fetching = try recorder.during { found = try recorder.context.fetch(request(10)) }
            expectEqual(fetching.count, 1, "\(fetching)")
            expectEqual(found.count, 95, "\(fetching)")
            expectTrue(found.allSatisfy({ $0.isFault }), "\(fetching)")
            #expect(!fetching[0].contains("ZRATING"), "\(fetching)")
            let one = recorder.during { expectEqual(found[34].text("title"), Self.title(34)) }
            expectEqual(one.count, 1, "\(one)")
            let neighbours = recorder.during {
                expectEqual(found[30..<40].map { $0.text("title") }, (30..<40).map(Self.title))
            }
            expectEmpty(neighbours, "\(neighbours)")
            let walk = recorder.during {
                for (index, album) in found.enumerated() { expectEqual(album.text("title"), Self.title(index)) }
            }
            expectEqual(walk.count, 9, "\(walk.count)")
        }
    }

    @Test("a to-many relationship of one object loads what the batch prefetches for all its objects")
    func prefetchedContents() throws {
        try withAlbums(70) { recorder in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Artist")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            request.fetchBatchSize = 5
            request.relationshipKeyPathsForPrefetching = ["albums"]
            let artists = try recorder.context.fetch(request)
            let first = recorder.during { expectEqual((artists[0].value(forKey: "albums") as? NSSet)?.count, 10) }
            expectEqual(first.count, 2, "\(first)")
            let rest = recorder.during {
                for artist in artists[1..<5] { expectEqual((artist.value(forKey: "albums") as? NSSet)?.count, 10) }
            }
            expectEmpty(rest, "\(rest)")
        }
    }

    @Test("a walk through many objects keeps few rows, and may be repeated")
    func memory() throws {
        try withAlbums(3000) { recorder in
            let found = try recorder.context.fetch(request(20))
            var most = 0
            for _ in 0..<2 {
                let statements = recorder.during {
                    for (index, album) in found.enumerated() {
                        expectEqual(album.text("title"), Self.title(index))
                        if index % 100 == 0 { most = max(most, bufferCount(recorder.context)) }
                    }
                }
                expectEqual(statements.count, 150, "\(statements.count)")
            }
            #expect(most <= 5, "\(most)")
            #expect(found.filter { !$0.isFault }.count <= 100)
        }
    }

    @Test("objects that somebody holds, and changed ones, keep their values")
    func held() throws {
        try withAlbums(400) { recorder in
            let found = try recorder.context.fetch(request(10))
            let held = found[3]
            expectEqual(held.text("title"), Self.title(3))
            found[5].setValue("changed", forKey: "title")
            found[6].setPrimitiveValue("quietly", forKey: "title")
            _ = found[7].text("title")
            for album in found { _ = album.text("title") }
            expectFalse(held.isFault)
            expectTrue(found[7].isFault)
            let reading = recorder.during {
                expectEqual(
                    [held, found[5], found[6]].map { $0.text("title") }, [Self.title(3), "changed", "quietly"])
            }
            expectEmpty(reading, "\(reading)")
            try recorder.context.save()
            try expectEqual(
                recorder.context.count(
                    for: {
                        $0.predicate = NSPredicate(format: "title == 'changed'")
                        return $0
                    }(request(0))), 1)
        }
    }

    @Test("what an array doesn't hold any more keeps its values, and so do the objects of an array that was changed")
    func arrays() throws {
        try withAlbums(200) { recorder in
            var found = try recorder.context.fetch(request(10))
            let first = found.removeFirst()
            _ = first.text("title")
            let second = [found[0]]
            _ = second[0].text("title")
            for album in found { _ = album.text("title") }
            expectFalse(first.isFault)
            expectFalse(second[0].isFault)
        }
    }

    @Test("relationships are prefetched slice by slice")
    func prefetching() throws {
        try withAlbums(40) { recorder in
            let request = request(10)
            request.relationshipKeyPathsForPrefetching = ["performer"]
            var found: [NSManagedObject] = []
            let fetching = try recorder.during { found = try recorder.context.fetch(request) }
            expectEqual(fetching.count, 1, "\(fetching)")
            let reading = recorder.during { for album in found[0..<10] { _ = album.object("performer")?.text("name") } }
            expectEqual(reading.count, 2, "\(reading)")
        }
    }

    @Test("a limit that is no greater than the batch size reads everything at once")
    func limit() throws {
        try withAlbums(40) { recorder in
            let request = request(10)
            request.fetchLimit = 10
            request.fetchOffset = 5
            var found: [NSManagedObject] = []
            let statements = try recorder.during { found = try recorder.context.fetch(request) }
            let reading = recorder.during { expectEqual(found.map { $0.text("title") }, (5..<15).map(Self.title)) }
            expectEqual(statements.count, 1)
            expectEmpty(reading)
        }
    }

    @Test("unsaved changes are in their places, and few rows are read to find them")
    func pending() throws {
        try withAlbums(1000) { recorder in
            let context = recorder.context
            let moved = try context.fetch(
                {
                    $0.predicate = NSPredicate(format: "title == %@", Self.title(10))
                    return $0
                }(request(0)))[0]
            moved.setValue(Self.title(900) + "b", forKey: "title")
            context.make("Album", ["title": Self.title(500) + "b"])
            context.delete(
                try context.fetch(
                    {
                        $0.predicate = NSPredicate(format: "title == %@", Self.title(0))
                        return $0
                    }(request(0)))[0])
            var expected = (0..<1000).map(Self.title)
            expected.insert(Self.title(900) + "b", at: 901)
            expected.insert(Self.title(500) + "b", at: 501)
            expected.remove(at: 10)
            expected.remove(at: 0)
            var found: [NSManagedObject] = []
            let fetching = try recorder.during { found = try context.fetch(request(10)) }
            #expect(fetching.count < 25, "\(fetching.count)")
            expectEqual(found.map { $0.text("title") ?? "" }, expected)
        }
    }

    @Test("an object whose row is gone by then is found missing")
    func deletedMeanwhile() throws {
        try withAlbums(30) { recorder in
            let found = try recorder.context.fetch(request(10))
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = recorder.context.persistentStoreCoordinator
            let id = found[4].objectID
            try other.performAndWait {
                other.delete(try other.existingObject(with: id))
                try other.save()
            }
            expectEqual(found[3].text("title"), Self.title(3))
            expectEqual(found[4].text("title"), nil)
            expectEqual(found[5].text("title"), Self.title(5))
            expectTrue(found[4].isDeleted)
        }
    }
}
