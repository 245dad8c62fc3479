import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Statements for the IDs of related objects")
struct RelationshipIDStatementTests {
    private func read(_ body: (StatementRecorder, NSManagedObject) throws -> Void) throws {
        let store = try AlbumStore()
        try store.fill { context in
            let album = context.make(
                "Album", ["title": "album", "performer": context.make("Artist", ["name": "artist"])])
            album.mutableOrderedSetValue(forKey: "tracks").addObjects(
                from: (0..<5).reversed().map { context.make("Track", ["title": "track \($0)"]) })
        }
        try store.read { recorder in
            try body(recorder, try recorder.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Album"))[0])
        }
    }

    @Test("content that isn't loaded costs one statement and no object")
    func content() throws {
        try read { recorder, album in
            var ids: [NSManagedObjectID] = []
            expectEqual(recorder.during { ids = album.objectIDs(forRelationshipNamed: "tracks") }.count, 1)
            expectEqual(ids.count, 5)
            expectEqual(recorder.context.registeredObjects, [album])
            let titles = try ids.map { try recorder.context.existingObject(with: $0).text("title") ?? "" }
            expectEqual(album.members("tracks", by: "title"), titles)
        }
    }

    @Test("loaded content and destinations cost none")
    func known() throws {
        try read { recorder, album in
            let tracks = album.value(forKey: "tracks") as? NSOrderedSet
            var counts: [Int] = []
            let statements = recorder.during {
                counts = [
                    album.objectIDs(forRelationshipNamed: "tracks").count,
                    album.objectIDs(forRelationshipNamed: "performer").count,
                ]
            }
            expectEqual(statements, [])
            expectEqual(counts, [tracks?.count, 1])
        }
    }
}
