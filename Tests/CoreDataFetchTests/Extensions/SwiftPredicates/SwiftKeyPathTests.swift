import CoreData
import Testing

@Suite("Swift key paths of managed objects")
struct SwiftKeyPathTests {
    @Test("accessors of each type tell their keys")
    func types() {
        #expect(NSExpression(forKeyPath: \Song.title).keyPath == "title")
        #expect(NSExpression(forKeyPath: \Song.subtitle).keyPath == "subtitle")
        #expect(NSExpression(forKeyPath: \Song.duration).keyPath == "duration")
        #expect(NSExpression(forKeyPath: \Song.plays).keyPath == "plays")
        #expect(NSExpression(forKeyPath: \Song.rating).keyPath == "rating")
        #expect(NSExpression(forKeyPath: \Song.isLive).keyPath == "isLive")
        #expect(NSExpression(forKeyPath: \Song.released).keyPath == "released")
        #expect(NSExpression(forKeyPath: \Song.added).keyPath == "added")
        #expect(NSExpression(forKeyPath: \Song.identifier).keyPath == "identifier")
        #expect(NSExpression(forKeyPath: \Song.mood).keyPath == "mood")
        #expect(NSExpression(forKeyPath: \Song.price).keyPath == "price")
        #expect(NSExpression(forKeyPath: \Song.number).keyPath == "number")
        #expect(NSExpression(forKeyPath: \Song.labels).keyPath == "labels")
        #expect(NSExpression(forKeyPath: \Song.notes).keyPath == "notes")
        #expect(NSExpression(forKeyPath: \Song.objectID).keyPath == "objectID")
    }

    @Test("key paths lead along relationships, optional and required")
    func relationships() {
        #expect(NSExpression(forKeyPath: \Song.album).keyPath == "album")
        #expect(NSExpression(forKeyPath: \Song.album?.name).keyPath == "album.name")
        #expect(NSExpression(forKeyPath: \Song.album?.artist).keyPath == "album.artist")
        #expect(NSExpression(forKeyPath: \Song.album?.artist.name).keyPath == "album.artist.name")
        #expect(NSExpression(forKeyPath: \Song.album!.artist.genre).keyPath == "album.artist.genre")
        #expect(NSExpression(forKeyPath: \Album.songs).keyPath == "songs")
        #expect(NSExpression(forKeyPath: \Album.songSet).keyPath == "songs")
        #expect(NSExpression(forKeyPath: \Album.year).keyPath == "year")
    }

    @Test("accessors written by hand tell their keys, over known models' relationships too")
    func handWritten() throws {
        #expect(NSExpression(forKeyPath: \Artist.name).keyPath == "name")
        #expect(NSExpression(forKeyPath: \Artist.genre).keyPath == "genre")
        #expect(NSExpression(forKeyPath: \Artist.albums).keyPath == "albums")
        #expect(NSExpression(forKeyPath: \Artist.albumChanges).keyPath == "albums")
        try withStack(.memory, model: MusicModel.make()) { _ in
            #expect(NSExpression(forKeyPath: \Artist.rival?.name).keyPath == "rival.name")
        }
    }

    @Test("the same key path has the same key from many threads at once")
    func threads() async {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { NSExpression(forKeyPath: \Song.album?.artist.name).keyPath == "album.artist.name" }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("sort descriptors made of key paths have keys", arguments: StoreKind.allCases)
    func sorting(_ kind: StoreKind) throws {
        #expect(NSSortDescriptor(keyPath: \Song.title, ascending: true).key == "title")
        #expect(NSSortDescriptor(keyPath: \Song.subtitle, ascending: true).key == "subtitle")
        #expect(NSSortDescriptor(keyPath: \Song.album?.name, ascending: false).key == "album.name")
        #expect(foundationsOwn(\Song.plays).key == "plays")
        #expect(NSSortDescriptor(SortDescriptor(\Song.plays, order: .reverse)).key == "plays")
        try withStack(kind, model: MusicModel.make()) { stack in
            try MusicModel.fill(stack.context)
            func titles(_ descriptors: NSSortDescriptor...) throws -> [String] {
                let request = NSFetchRequest<Song>(entityName: "Song")
                request.sortDescriptors = descriptors
                let fetched = try stack.context.fetch(request).map(\.title)
                let all = try stack.context.fetch(NSFetchRequest<Song>(entityName: "Song"))
                let sorted = (all.shuffled() as NSArray).sortedArray(using: descriptors).map { ($0 as! Song).title }
                #expect(fetched == sorted)
                return fetched
            }
            #expect(try titles(NSSortDescriptor(keyPath: \Song.plays, ascending: false)).first == "Old 9")
            #expect(try titles(foundationsOwn(\Song.plays)).first == "Alpha")
            #expect(try titles(NSSortDescriptor(SortDescriptor(\Song.duration, order: .reverse))).first == "Old 9")
            #expect(try titles(NSSortDescriptor(SortDescriptor(\Song.title))).first == "")
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
            #expect(titles == (known.map(\.title) + ["M"]).sorted())
            stack.context.processPendingChanges()
            #expect(controller.fetchedObjects?.map(\.title) == titles)
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
        #expect(NSExpression(forKeyPath: \Place.latitude).keyPath == "lat")
        #expect(NSSortDescriptor(keyPath: \Place.latitude, ascending: true).key == "lat")
    }

    @Test("a key path to a property computed out of several stops the program and says which")
    func computed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forKeyPath: \Song.titleAndSubtitle)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("computed out of several: title, subtitle"), "\(said)")
    }

    @Test("a key path to something behind a property stops the program")
    func further() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forKeyPath: \Song.title.count)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("leads along title and then"), "\(said)")
    }

    @Test("a key path to a stored property stops the program")
    func stored() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forKeyPath: \Song.marks)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("reads no property of the model"), "\(said)")
    }
}

private final class Place: NSObject, KeyValueCoding, SwiftKeyPathNaming {
    let latitude = 1.5

    func value(forKey key: String) -> Any? { key == "lat" ? latitude : nil }

    static func keyValueCodingKey(for keyPath: AnyKeyPath) -> String? { keyPath == \Place.latitude ? "lat" : nil }
}
