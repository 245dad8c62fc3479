// Work on several queues, with object IDs between them.
// snippet.setup
import CoreData
import MusicLibrary

let container = try openMusic()
// snippet.end

// snippet.background
let id = try await container.performBackgroundTask { context in
    let artist = Artist(context: context)
    artist.name = "Ella Fitzgerald"
    try context.save()
    return artist.objectID  // IDs are Sendable, objects are not.
}
let artist = try container.viewContext.existingObject(with: id) as? Artist
print(artist?.name ?? "")
// snippet.end
// snippet.hide
expect(artist?.name == "Ella Fitzgerald")
// snippet.show

// snippet.perform
let background = container.newBackgroundContext()
let names = try await background.perform {
    try background.fetch(NSFetchRequest<Artist>(entityName: "Artist")).map(\.name)
}
// snippet.end
// snippet.hide
expect(names.count == 3)
// snippet.show

// snippet.automatic
container.viewContext.automaticallyMergesChangesFromParent = true
// snippet.end

// snippet.nested
let viewContext = container.viewContext
let child = NSManagedObjectContext(.privateQueue)
child.parent = viewContext
let counts = try viewContext.performAndWait {  // on the main queue
    try child.performAndWait {  // on another queue
        try viewContext.performAndWait {  // the outer block holds this queue: runs at once
            try viewContext.count(for: NSFetchRequest<Artist>(entityName: "Artist"))
        }
    }
}
// snippet.end
// snippet.hide
expect(counts == 3)
// snippet.show
