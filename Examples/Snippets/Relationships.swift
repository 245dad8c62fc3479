// Many-to-many and ordered relationships.
// snippet.setup
import CoreData
import MusicLibrary

let container = try openMusic()
let context = container.viewContext
let request = NSFetchRequest<Song>(entityName: "Song")
request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
let songs = try context.fetch(request)
// snippet.end

// snippet.many
let blues = Genre(context: context)
blues.name = "Blues"
songs[0].genres.insert(blues)
print(blues.songs.count)  // 1: the inverse is set, too
songs[1].mutableSetValue(forKey: "genres").add(blues)
print(blues.songs.count)  // 2
// snippet.end
// snippet.hide
expect(blues.songs.count == 2)
// snippet.show

// snippet.ordered
let playlist = Playlist(context: context)
playlist.name = "Evening"
playlist.songs = NSOrderedSet(array: [songs[2], songs[0]])
let entries = playlist.mutableOrderedSetValue(forKey: "songs")
entries.insert(songs[1], at: 0)
entries.moveObjects(at: IndexSet(integer: 2), to: 0)
try context.save()
// snippet.end
// snippet.hide
expect(playlist.songs.array as? [Song] == [songs[0], songs[1], songs[2]])
// snippet.show

// snippet.fetch
let first = NSPredicate(format: "songs[FIRST].title == %@", "Blue in Green")
let playlists = NSFetchRequest<Playlist>(entityName: "Playlist")
playlists.predicate = first
let found = try context.fetch(playlists)
// snippet.end
// snippet.hide
expect(found == [playlist])
// snippet.show
