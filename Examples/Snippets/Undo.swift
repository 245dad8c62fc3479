// Undo, redo, rollback, and edits in a child context.
// snippet.setup
import CoreData
import MusicLibrary

let container = try openMusic()
let context = container.viewContext
let song = try context.fetch(NSFetchRequest<Song>(entityName: "Song"))[0]
// snippet.end
// snippet.hide
let rating = song.rating
// snippet.show

// snippet.undo
context.undoManager = UndoManager()
song.rating = 1
context.processPendingChanges()  // ends the change event: one step of undo
context.undo()
print(song.rating)  // as before
context.redo()
print(song.rating)  // 1
// snippet.end
// snippet.hide
expect(song.rating == 1 && rating != 1)
// snippet.show

// snippet.rollback
context.rollback()  // to what was saved last
// snippet.end
// snippet.hide
expect(song.rating == rating && !context.hasChanges)
// snippet.show

// snippet.child
let editor = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
editor.parent = context
let edited = editor.object(with: song.objectID) as? Song
edited?.rating = 2
// Cancel: drop the context. Keep: save it, and then its parent.
try editor.save()
try context.save()
// snippet.end
// snippet.hide
expect(song.rating == 2)
// snippet.show
