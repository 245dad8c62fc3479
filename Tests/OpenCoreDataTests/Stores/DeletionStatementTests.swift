import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// How many statements deletions read with, and what relationships read when they are changed.
@Suite("Statements of deletions and of changed relationships")
struct DeletionStatementTests {
    /// An artist with albums, each with two tracks.
    private func withAlbums(_ count: Int, _ body: (StatementRecorder) throws -> Void) throws {
        let store = try AlbumStore()
        try store.fill { context in
            let artist = context.make("Artist", ["name": "a"])
            for index in 0..<count {
                let album = context.make("Album", ["title": "\(index)", "performer": artist])
                album.mutableOrderedSetValue(forKey: "tracks").addObjects(from: [
                    context.make("Track", ["title": "1"]), context.make("Track", ["title": "2"]),
                ])
            }
        }
        try store.read(body)
    }

    private func one(_ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        try requireValue(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).first)
    }

    @Test("following delete rules reads with the same number of statements, however many objects there are")
    func deleting() throws {
        func statements(_ count: Int) throws -> Int {
            var number = 0
            try withAlbums(count) { recorder in
                let artist = try one("Artist", recorder.context)
                let statements = recorder.during {
                    recorder.context.delete(artist)
                    recorder.context.processPendingChanges()
                }
                #expect(!statements.isEmpty)
                let albums = try recorder.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Album"))
                let more = recorder.during {
                    for album in albums { recorder.context.delete(album) }
                    recorder.context.processPendingChanges()
                }
                number = statements.count + more.count
            }
            return number
        }
        let few = try statements(3)
        let many = try statements(60)
        expectEqual(few, many)
    }

    @Test("adding to and removing from a set whose other side is to-one doesn't read the set")
    func changing() throws {
        try withAlbums(5) { recorder in
            let artist = try one("Artist", recorder.context)
            let albums = try recorder.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Album"))
            _ = albums.map { $0.text("title") }
            let statements = recorder.during {
                artist.mutableSetValue(forKey: "albums").remove(albums[0])
                artist.mutableSetValue(forKey: "albums").add(albums[0])
                artist.mutableSetValue(forKey: "albums").remove(albums[1])
                artist.mutableSetValue(forKey: "albums").add(recorder.context.make("Album", ["title": "new"]))
            }
            expectEmpty(statements, "\(statements)")
            expectEqual(artist.members("albums", by: "title"), ["0", "2", "3", "4", "new"])
        }
    }

    @Test("replacing a set reads its members' rows only where they leave")
    func replacing() throws {
        try withAlbums(5) { recorder in
            let artist = try one("Artist", recorder.context)
            let members = artist.mutableSetValue(forKey: "albums").allObjects as? [NSManagedObject] ?? []
            let statements = recorder.during {
                artist.setValue(
                    NSSet(array: members + [recorder.context.make("Album", ["title": "new"])]), forKey: "albums")
            }
            expectEmpty(statements, "\(statements)")
            expectTrue(members.allSatisfy({ $0.isFault }), "\(statements)")
        }
    }
}
