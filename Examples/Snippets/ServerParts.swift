// The parts around the container of a server: conflicts that are retried, and objects as JSON.
// snippet.setup
import CoreData
import CoreDataServer
import MusicLibrary

let container = try openMusic()
let context = container.viewContext
let request = NSFetchRequest<Song>(entityName: "Song")
request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
// snippet.end

// snippet.retry
func raiseRating(of id: NSManagedObjectID, in container: NSPersistentContainer) async throws {
    try await container.newBackgroundContext().saveRetryingConflicts { context in
        guard let song = try context.existingObject(with: id) as? Song else { return }
        song.rating = min(song.rating + 1, 5)
    }
}
// snippet.end
// snippet.hide
let third = try context.fetch(request)[2]
expect(third.rating == 4)
try await raiseRating(of: third.objectID, in: container)
context.refresh(third, mergeChanges: false)
expect(third.rating == 5)
// snippet.show

// snippet.snapshots
let shown = try SnapshotProperties(["title", "rating", "artist.name"], of: Song.entity(), versionKey: "version")
let written = try SnapshotProperties(["title", "rating"], of: Song.entity(), versionKey: "version")

request.relationshipKeyPathsForPrefetching = shown.relationshipKeyPaths
let song = try context.fetch(request)[0]
let json = try shown.snapshot(of: song).json()
print(String(decoding: json, as: UTF8.self))

let input = try ManagedObjectSnapshot(json: Data(#"{"rating": 2, "version": 1}"#.utf8))
try written.apply(input, to: song)
try context.save()
// snippet.end
// snippet.hide
expect(song.rating == 2)
// snippet.show

// snippet.version
let tag = song.savedVersion.map { "\"\($0)\"" }  // the header ETag of an answer: "2"
// snippet.end
// snippet.hide
expect(tag == "\"2\"")
// snippet.show
