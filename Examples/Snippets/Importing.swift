// Imports rows in bounded memory: with a batch request, and with objects.
// snippet.setup
import CoreData
import MusicLibrary

let container = try makeMusicContainer(file: temporaryFolder().appendingPathComponent("Music.sqlite"))
let count = 5_000
// snippet.end

// snippet.batch
let context = container.newBackgroundContext()
try await context.perform {
    var rows = (0..<count).makeIterator()
    let request = NSBatchInsertRequest(
        entityName: "Song",
        managedObjectHandler: { object in
            guard let number = rows.next(), let song = object as? Song else {
                return true  // the end
            }
            song.title = "Song \(number)"
            song.duration = Double(number % 600)
            return false
        })
    request.resultType = .count
    let result = try context.execute(request) as? NSBatchInsertResult
    print(result?.result ?? 0)
}
// snippet.end
// snippet.hide
try expect(container.viewContext.count(for: NSFetchRequest<Song>(entityName: "Song")) == count)
// snippet.show

// snippet.objects
try await context.perform {
    let artist = Artist(context: context)
    artist.name = "Various"
    try context.save()
    let artistID = artist.objectID
    for start in stride(from: 0, to: count, by: 1_000) {
        let artist = try context.existingObject(with: artistID) as? Artist
        for number in start..<min(start + 1_000, count) {
            let song = Song(context: context)
            song.title = "Song \(number)"
            song.artist = artist
        }
        try context.save()
        context.reset()  // frees the objects of this part
    }
}
// snippet.end
// snippet.hide
try expect(container.viewContext.count(for: NSFetchRequest<Song>(entityName: "Song")) == 2 * count)
// snippet.show

// snippet.update
let update = NSBatchUpdateRequest(entityName: "Song")
update.predicate = NSPredicate(format: "duration > 300")
update.propertiesToUpdate = ["rating": NSExpression(format: "rating + 1")]
update.resultType = .updatedObjectsCountResultType
let updated = try container.viewContext.execute(update) as? NSBatchUpdateResult

let old = NSFetchRequest<any NSFetchRequestResult>(entityName: "Song")
old.predicate = NSPredicate(format: "artist == nil")
let delete = NSBatchDeleteRequest(fetchRequest: old)
delete.resultType = .resultTypeObjectIDs
let deleted = try container.viewContext.execute(delete) as? NSBatchDeleteResult
let ids = deleted?.result as? [NSManagedObjectID] ?? []
NSManagedObjectContext.mergeChanges(
    fromRemoteContextSave: [NSDeletedObjectIDsKey: ids], into: [container.viewContext])
// snippet.end
// snippet.hide
expect((updated?.result as? NSNumber)?.intValue ?? 0 > 0)
expect(ids.count == count)
let watched = NSFetchRequest<Song>(entityName: "Song")
watched.fetchLimit = 1
let song = try container.viewContext.fetch(watched)[0]
let ratingBefore = song.rating
// snippet.show

// snippet.merge
func raiseRatings(in context: NSManagedObjectContext) throws {
    let request = NSBatchUpdateRequest(entityName: "Song")
    request.propertiesToUpdate = ["rating": NSExpression(format: "rating + 1")]
    request.resultType = .updatedObjectIDsResultType
    let result = try context.execute(request) as? NSBatchUpdateResult
    let ids = result?.result as? [NSManagedObjectID] ?? []
    let changes = [NSUpdatedObjectsKey: ids]
    NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: changes, into: [context])
}
// snippet.end
// snippet.hide
try raiseRatings(in: container.viewContext)
expect(song.rating == ratingBefore + 1)
// snippet.show
