import CoreData
import Testing

@Suite("Swift key paths of managed objects")
struct SwiftKeyPathTests {
    @Test("accessors of each type tell their keys")
    func types() {
        expectEqual(NSExpression(forKeyPath: \Song.title).keyPath, "title")
        expectEqual(NSExpression(forKeyPath: \Song.subtitle).keyPath, "subtitle")
        expectEqual(NSExpression(forKeyPath: \Song.duration).keyPath, "duration")
        expectEqual(NSExpression(forKeyPath: \Song.plays).keyPath, "plays")
        expectEqual(NSExpression(forKeyPath: \Song.rating).keyPath, "rating")
        expectEqual(NSExpression(forKeyPath: \Song.isLive).keyPath, "isLive")
        expectEqual(NSExpression(forKeyPath: \Song.released).keyPath, "released")
        expectEqual(NSExpression(forKeyPath: \Song.added).keyPath, "added")
        expectEqual(NSExpression(forKeyPath: \Song.identifier).keyPath, "identifier")
        expectEqual(NSExpression(forKeyPath: \Song.mood).keyPath, "mood")
        expectEqual(NSExpression(forKeyPath: \Song.price).keyPath, "price")
        expectEqual(NSExpression(forKeyPath: \Song.number).keyPath, "number")
        expectEqual(NSExpression(forKeyPath: \Song.labels).keyPath, "labels")
        expectEqual(NSExpression(forKeyPath: \Song.notes).keyPath, "notes")
        expectEqual(NSExpression(forKeyPath: \Song.objectID).keyPath, "objectID")
    }

    @Test("key paths lead along relationships, optional and required")
    func relationships() {
        expectEqual(NSExpression(forKeyPath: \Song.album).keyPath, "album")
        expectEqual(NSExpression(forKeyPath: \Song.album?.name).keyPath, "album.name")
        expectEqual(NSExpression(forKeyPath: \Song.album?.artist).keyPath, "album.artist")
        expectEqual(NSExpression(forKeyPath: \Song.album?.artist.name).keyPath, "album.artist.name")
        expectEqual(NSExpression(forKeyPath: \Song.album!.artist.genre).keyPath, "album.artist.genre")
        expectEqual(NSExpression(forKeyPath: \Album.songs).keyPath, "songs")
        expectEqual(NSExpression(forKeyPath: \Album.songSet).keyPath, "songs")
        expectEqual(NSExpression(forKeyPath: \Album.year).keyPath, "year")
    }

    @Test("accessors written by hand tell their keys, over known models' relationships too")
    func handWritten() throws {
        expectEqual(NSExpression(forKeyPath: \Artist.name).keyPath, "name")
        expectEqual(NSExpression(forKeyPath: \Artist.genre).keyPath, "genre")
        expectEqual(NSExpression(forKeyPath: \Artist.albums).keyPath, "albums")
        expectEqual(NSExpression(forKeyPath: \Artist.albumChanges).keyPath, "albums")
        try withStack(.memory, model: MusicModel.make()) { _ in
            expectEqual(NSExpression(forKeyPath: \Artist.rival?.name).keyPath, "rival.name")
        }
    }

    @Test("the same key path has the same key from many threads at once")
    func threads() async {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { NSExpression(forKeyPath: \Song.album?.artist.name).keyPath == "album.artist.name" }
            }
            for await isRight in group { expectTrue(isRight) }
        }
    }

    @Test("sort descriptors made of key paths have keys", arguments: StoreKind.allCases)
    func sorting(_ kind: StoreKind) throws {
        expectEqual(NSSortDescriptor(keyPath: \Song.title, ascending: true).key, "title")
        expectEqual(NSSortDescriptor(keyPath: \Song.subtitle, ascending: true).key, "subtitle")
        expectEqual(NSSortDescriptor(keyPath: \Song.album?.name, ascending: false).key, "album.name")
        expectEqual(foundationsOwn(\Song.plays).key, "plays")
        expectEqual(NSSortDescriptor(SortDescriptor(\Song.plays, order: .reverse)).key, "plays")
        try withStack(kind, model: MusicModel.make()) { stack in
            try MusicModel.fill(stack.context)
            func titles(_ descriptors: NSSortDescriptor...) throws -> [String] {
                let request = NSFetchRequest<Song>(entityName: "Song")
                request.sortDescriptors = descriptors
                let fetched = try stack.context.fetch(request).map(\.title)
                let all = try stack.context.fetch(NSFetchRequest<Song>(entityName: "Song"))
                let sorted = (all.shuffled() as NSArray).sortedArray(using: descriptors).map { ($0 as! Song).title }
                expectEqual(fetched, sorted)
                return fetched
            }
            try expectEqual(titles(NSSortDescriptor(keyPath: \Song.plays, ascending: false)).first, "Old 9")
            try expectEqual(titles(foundationsOwn(\Song.plays)).first, "Alpha")
            try expectEqual(titles(NSSortDescriptor(SortDescriptor(\Song.duration, order: .reverse))).first, "Old 9")
            try expectEqual(titles(NSSortDescriptor(SortDescriptor(\Song.title))).first, "")
            _ = try titles(
                NSSortDescriptor(keyPath: \Song.album?.name, ascending: true),
                NSSortDescriptor(keyPath: \Song.title, ascending: true))
        }
    }

    @Test(
        "Foundation's own descriptor of a key path sorts unsaved objects in, and the sections of a controller",
        arguments: StoreKind.allCases)
    func unsaved(_ kind: StoreKind) throws {
        try withStack(kind, model: MusicModel.make()) { stack in
            try MusicModel.fill(stack.context)
            let request = NSFetchRequest<Song>(entityName: "Song")
            request.sortDescriptors = [foundationsOwn(\Song.title)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
            let follower = Follower()
            controller.delegate = follower
            try controller.performFetch()
            let known = try stack.context.fetch(request)
            let song = Song(context: stack.context)
            song.title = "M"
            song.plays = 5
            let titles = try stack.context.fetch(request).map(\.title)
            expectEqual(titles, (known.map(\.title) + ["M"]).sorted())
            stack.context.processPendingChanges()
            expectEqual(controller.fetchedObjects?.map(\.title), titles)
        }
    }

    /// Any delegate makes a controller follow its context.
    private final class Follower: NSObject, NSFetchedResultsControllerDelegate {}

    /// Where only a comparable value is known, Foundation's initializer is chosen.
    private func foundationsOwn<Root, Value: Comparable>(_ keyPath: KeyPath<Root, Value>) -> NSSortDescriptor {
        NSSortDescriptor(keyPath: keyPath, ascending: true)
    }

    @Test("a comparator block on a key path is refused by a store that sorts by SQL")
    func comparator() throws {
        try withStack(.sqlite, model: MusicModel.make()) { stack in
            let request = NSFetchRequest<Song>(entityName: "Song")
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Song.title, ascending: true) { _, _ in .orderedSame }]
            #expect(throws: NSError.self) { try stack.context.fetch(request) }
        }
    }

    @Test("a class that names its key paths takes part")
    func naming() {
        expectEqual(NSExpression(forKeyPath: \Place.latitude).keyPath, "lat")
        expectEqual(NSSortDescriptor(keyPath: \Place.latitude, ascending: true).key, "lat")
    }

    @Test("a key path to a property computed out of several stops the program and says which")
    func computed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forKeyPath: \Song.titleAndSubtitle)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectContains(said, "computed out of several: title, subtitle", "\(said)")
    }

    @Test("a key path to something behind a property stops the program")
    func further() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forKeyPath: \Song.title.count)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectContains(said, "leads along title and then", "\(said)")
    }

    @Test("a key path to a stored property stops the program")
    func stored() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forKeyPath: \Song.marks)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectContains(said, "reads no property of the model", "\(said)")
    }
}

private final class Place: NSObject, KeyValueCoding, SwiftKeyPathNaming {
    let latitude = 1.5

    func value(forKey key: String) -> Any? { key == "lat" ? latitude : nil }

    static func keyValueCodingKey(for keyPath: AnyKeyPath) -> String? { keyPath == \Place.latitude ? "lat" : nil }
}
