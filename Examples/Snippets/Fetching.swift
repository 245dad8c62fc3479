// Fetches objects in batches, with prefetching, as dictionaries, and counts.
// snippet.setup
import CoreData
import MusicLibrary

let container = try openMusic()
let context = container.viewContext
// snippet.end

// snippet.request
let request = NSFetchRequest<Song>(entityName: "Song")
request.predicate = NSPredicate(
    format: "rating >= 4 AND artist.name BEGINSWITH %@", "Miles")
request.sortDescriptors = [
    NSSortDescriptor(key: "rating", ascending: false),
    NSSortDescriptor(key: "title", ascending: true),
]
request.fetchLimit = 10
let best = try context.fetch(request)
// snippet.end
// snippet.hide
expect(best.map(\.title) == ["So What", "Blue in Green", "Freddie Freeloader"])
// snippet.show

// snippet.batches
let all = NSFetchRequest<Song>(entityName: "Song")
all.fetchBatchSize = 100  // rows are read when their batch is needed
all.relationshipKeyPathsForPrefetching = ["artist"]  // one statement per batch
for song in try context.fetch(all) {
    print(song.title, song.artist?.name ?? "unknown")
}
// snippet.end

// snippet.count
let count = try context.count(for: NSFetchRequest<Song>(entityName: "Song"))
// snippet.end
// snippet.hide
expect(count == 5)
// snippet.show

// snippet.dictionaries
let total = NSExpressionDescription()
total.name = "total"
total.expression = NSExpression(format: "sum:(duration)")
total.expressionResultType = .doubleAttributeType

let totals = NSFetchRequest<NSDictionary>(entityName: "Song")
totals.resultType = .dictionaryResultType
totals.propertiesToFetch = ["artist.name", total]
totals.propertiesToGroupBy = ["artist.name"]
totals.havingPredicate = NSPredicate(format: "total > 800")
for row in try context.fetch(totals) {
    print(row["artist.name"] ?? "", row["total"] ?? 0)  // Miles Davis 1485.0
}
// snippet.end
// snippet.hide
try expect(context.fetch(totals).count == 1)
// snippet.show

// snippet.ids
let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Song")
ids.resultType = .managedObjectIDResultType
let songIDs = try context.fetch(ids)  // reads keys and no values
// snippet.end
// snippet.hide
expect(songIDs.count == 5)
// snippet.show
