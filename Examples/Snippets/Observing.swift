// Notifications, change streams, and a list that follows the store.
// snippet.setup
import CoreData
import MusicLibrary

let container = try openMusic()
let context = container.viewContext
// snippet.end

// snippet.notification
let observer = NotificationCenter.default.addObserver(
    forName: .NSManagedObjectContextDidSave, object: context, queue: nil
) { notification in
    let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
    print("saved, \(inserted?.count ?? 0) new")
}
// snippet.end

// snippet.controller
final class List: NSObject, NSFetchedResultsControllerDelegate {
    var log: [String] = []

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        log.append("\(type) at \(newIndexPath ?? indexPath ?? [])")
    }
}
// snippet.end
// snippet.hide
typealias ListDelegate = List
// snippet.show

// snippet.list
let request = NSFetchRequest<Song>(entityName: "Song")
request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
let controller = NSFetchedResultsController(
    fetchRequest: request, managedObjectContext: context,
    sectionNameKeyPath: nil, cacheName: nil)
let list = List()
controller.delegate = list
try controller.performFetch()

let song = Song(context: context)
song.title = "All Blues"
try context.save()
print(controller.fetchedObjects?.first?.title ?? "")  // All Blues
// snippet.end
// snippet.hide
expect(controller.fetchedObjects?.first === song)
NotificationCenter.default.removeObserver(observer)
// snippet.show

// snippet.messages
let messages = NotificationCenter.default.addObserver(
    of: context, for: .didSave
) { message in
    print("saved, \(message.inserted.count) new")
}
// snippet.end
// snippet.hide
NotificationCenter.default.removeObserver(messages)
// snippet.show

// snippet.stream
let changes = context.changeStream()
song.rating = 5
context.processPendingChanges()
for await change in changes {
    print(change.updated.count)  // 1
    break
}
// snippet.end

// snippet.object
let ratings = song.valueStream(of: \.rating)
// snippet.hide
var seen: [Int] = []
// snippet.show
for await rating in ratings {
    print(rating)  // 5, the value of now; then each different one
    // snippet.hide
    seen.append(rating)
    // snippet.show
    break
}
// snippet.end
// snippet.hide
expect(seen == [5])
// snippet.show
