// Code that compiles on Linux and on Apple's platforms.
// snippet.setup
import CoreData
import MusicLibrary

// snippet.end

// snippet.required
class Album: NSManagedObject {
    // `required` is needed on Linux, `override` on Apple's platforms.
    // Linux warns that `override` is implied.
    required override init(
        entity: NSEntityDescription, insertInto context: NSManagedObjectContext?
    ) {
        super.init(entity: entity, insertInto: context)
    }
}
// snippet.end

// snippet.sets
func titles(of artist: Artist) -> [String] {
    // The value, and not `mutableSetValue(forKey:)`, can be cast to a Swift set.
    let songs = artist.value(forKey: "songs") as? Set<Song> ?? []
    return songs.map(\.title).sorted()
}
// snippet.end
// snippet.hide
let context = try makeMusicContainer().viewContext
try addMusic(to: context)
let request = NSFetchRequest<Artist>(entityName: "Artist")
request.predicate = NSPredicate(format: "name BEGINSWITH 'N'")
let titlesOfNina = titles(of: try context.fetch(request)[0])
expect(titlesOfNina == ["Feeling Good", "Sinnerman"])
// snippet.show
