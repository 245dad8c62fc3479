import CoreData

/// A model in two halves of two teams. The program merges both, makes a store, and inserts, fetches and deletes
/// objects.
struct TwoHalves {
    static func run(in folder: URL) throws {
        let halves = try loadHalves()
        let model = merge(halves)
        let url = folder.appendingPathComponent("Music.sqlite")
        try fill(MusicStore(at: url, model: model))
        // The first stack is gone from memory: the following results come from the file.
        let store = try MusicStore(at: url, model: merge(loadHalves(), silently: true))
        try query(store)
        try deleteAnArtist(in: store)
    }

    static func loadHalves() throws -> [NSManagedObjectModel] {
        let models = StoryModels("TwoHalves")
        return [try models.model("Songs"), try models.model("Artists")]
    }

    static func merge(_ halves: [NSManagedObjectModel], silently: Bool = false) -> NSManagedObjectModel {
        let model = mergeByHand(halves)
        guard !silently else { return model }
        for (name, half) in zip(["Songs", "Artists"], halves) {
            let entities = half.entities.map { ($0.name ?? "") + ($0.isPlaceholder ? " (placeholder)" : "") }
            print("Model \(name) has \(entities.sorted().joined(separator: ", "))")
        }
        let refused = NSManagedObjectModel(byMerging: halves) == nil
        print(
            """
            NSManagedObjectModel(byMerging:) \
            \(refused ? "refuses them: they differ in entities of one name" : "takes them")
            """
        )
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            print(
                """
                Merged by hand, \(entity.name ?? "") has \
                \(entity.propertiesByName.keys.sorted().joined(separator: ", "))
                """
            )
        }
        let pictures = mergeByHand([halves[0], withPictures(halves[1])])
        let artist = pictures.entitiesByName["Artist"]?.propertiesByName.keys.sorted() ?? []
        print(
            """
            With Picture added to the model Artists alone: \
            \(pictures.entitiesByName.keys.sorted().joined(separator: ", ")); Artist has \
            \(artist.joined(separator: ", "))
            """
        )
        return model
    }

    static func fill(_ store: MusicStore) throws {
        try store.context.performAndWait {
            store.insert(
                artist: "Nina Simone", songs: [("Feeling Good", 2.9), ("Sinnerman", 10.3), ("Four Women", 4.4)])
            store.insert(artist: "Miles Davis", songs: [("So What", 9.4), ("Blue in Green", 5.6)])
            store.insert(artist: "Joni Mitchell", songs: [("Blue", 3.1), ("A Case of You", 4.4)])
            let count = store.context.insertedObjects.count
            try store.context.save()
            print("Inserted and saved \(count) objects")
        }
    }

    static func query(_ store: MusicStore) throws {
        try store.context.performAndWait {
            print("Reopened: \(try store.artists().count) artists, \(try store.songs().count) songs")
            for predicate in [
                NSPredicate(format: "artist.name BEGINSWITH[c] %@ AND duration < %d", "nina", 600),
                NSPredicate(format: "title CONTAINS[cd] %@", "blue"),
            ] {
                print("Songs with \(predicate):")
                for song in try store.songs(where: predicate) { print("  \(line(for: song))") }
            }
            print("Artists with ANY songs.duration > 560:")
            for artist in try store.artists(where: NSPredicate(format: "ANY songs.duration > %d", 560)) {
                print("  \(artist.value(forKey: "name") as? String ?? "")")
            }
        }
    }

    static func deleteAnArtist(in store: MusicStore) throws {
        try store.context.performAndWait {
            guard let artist = try store.artists(where: NSPredicate(format: "name == %@", "Miles Davis")).first else {
                return
            }
            let before = try store.songs().count
            store.context.delete(artist)
            try store.context.save()
            let left = try store.songs()
            print("Deleted Miles Davis, and \(before - left.count) songs with him; \(left.count) songs are left:")
            for song in left { print("  \(line(for: song))") }
        }
    }

    static func line(for song: NSManagedObject) -> String {
        let title = song.value(forKey: "title") as? String ?? ""
        let artist = song.value(forKeyPath: "artist.name") as? String ?? ""
        let seconds = (song.value(forKey: "duration") as? NSNumber)?.intValue ?? 0
        let rest = seconds % 60
        return "\(title), \(artist), \(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
