// Two contexts change one object; a value that must be unique comes twice.
// snippet.setup
import CoreData
import MusicLibrary

let container = try openMusic()
let ours = container.viewContext
let theirs = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
theirs.persistentStoreCoordinator = container.persistentStoreCoordinator
let request = NSFetchRequest<Song>(entityName: "Song")
request.predicate = NSPredicate(format: "title == %@", "So What")
let ourSong = try ours.fetch(request)[0]
let theirSong = try theirs.fetch(request)[0]
// snippet.end
// snippet.hide
// Both have their values before anybody saves.
expect(ourSong.rating == theirSong.rating)
// snippet.show

// snippet.conflict
theirSong.rating = 1
try theirs.save()

ourSong.rating = 2
do {
    try ours.save()
} catch let error as NSError where error.code == NSManagedObjectMergeError {
    let key = NSPersistentStoreSaveConflictsErrorKey
    for conflict in error.userInfo[key] as? [NSMergeConflict] ?? [] {
        print(conflict.sourceObject.objectID)
        print(conflict.oldVersionNumber, conflict.newVersionNumber)
    }
}
// snippet.end
// snippet.hide
expect(ours.hasChanges)
// snippet.show

// snippet.policy
ours.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
try ours.save()
// snippet.end
// snippet.hide
theirs.refreshAllObjects()
expect(theirSong.rating == 2)
// snippet.show

// snippet.unique
let again = Artist(context: ours)
again.name = "Miles Davis"  // The name is unique in the model.
try ours.save()  // The policy merges both artists into one.
// snippet.end
// snippet.hide
try expect(ours.count(for: NSFetchRequest<Artist>(entityName: "Artist")) == 2)
// snippet.show
