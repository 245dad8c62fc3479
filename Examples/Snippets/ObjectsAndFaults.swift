// Faults, changed values and the life cycle of objects.
// snippet.setup
import CoreData
import MusicLibrary

let container = try openMusic()
let context = container.viewContext
context.reset()  // each object begins as a fault
// snippet.end

// snippet.fault
let request = NSFetchRequest<Song>(entityName: "Song")
request.predicate = NSPredicate(format: "title == %@", "Sinnerman")
guard let song = try context.fetch(request).first, let artist = song.artist else {
    fatalError("The song is missing.")
}
print(artist.isFault)  // true: the artist's row hasn't been read
print(artist.name)  // reads it
print(artist.isFault)  // false
// snippet.end
// snippet.hide
expect(!artist.isFault)
// snippet.show

// snippet.changes
song.rating = 2
print(song.changedValues())  // ["rating": 2]
print(song.committedValues(forKeys: ["rating"]))  // ["rating": 5]
context.refresh(song, mergeChanges: false)  // forgets the change
// snippet.end
// snippet.hide
expect(song.rating == 5 && !context.hasChanges)
// snippet.show

// snippet.delete
context.delete(artist)
context.processPendingChanges()  // applies the delete rule: Cascade
print(song.isDeleted)  // true
context.rollback()
// snippet.end
// snippet.hide
expect(!song.isDeleted && song.artist === artist)
// snippet.show
