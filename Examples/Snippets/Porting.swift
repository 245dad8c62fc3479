// The shortest replacements for what Apple's platforms have and Linux lacks. They compile on both.
// snippet.setup
import CoreData
import MusicLibrary
import Synchronization

let container = try openMusic()
let context = container.viewContext
// snippet.end

// snippet.foundation
#if !canImport(ObjectiveC)
    func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
    let NSEC_PER_SEC: UInt64 = 1_000_000_000
#endif

let models = Bundle.main.urls(forResourcesWithExtension: "momd", subdirectory: nil)?.map { $0 as URL }
// snippet.end
// snippet.hide
expect(autoreleasepool { NSEC_PER_SEC } == 1_000_000_000)
expect(models?.isEmpty != false)
// snippet.show

// snippet.names
// In place of `(\Song.title)._kvcKeyPathString!` and `#keyPath(Song.title)`:
let title = NSExpression(forKeyPath: \Song.title).keyPath
// In place of `NSStringFromClass(Outer.Inner.self)`:
let className = String(reflecting: Song.self)
// In place of `[song] as NSSet` or a literal with the type NSSet:
let songs = NSSet(array: try context.fetch(NSFetchRequest<Song>(entityName: "Song")))
// snippet.end
// snippet.hide
expect(title == "title")
expect(className == "MusicLibrary.Song")
expect(songs.count > 1)
// snippet.show

// snippet.observing
// In place of key-value observing and of a Combine publisher:
let observer = NotificationCenter.default.addObserver(
    forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
) { notification in
    let changed = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
    print(changed.flatMap { $0.changedValuesForCurrentEvent().keys })
    // snippet.hide
    changes.withLock { $0 += changed.flatMap { $0.changedValuesForCurrentEvent().keys } }
    // snippet.show
}
// snippet.end
// snippet.hide
let changes = Mutex<[String]>([])
(songs.anyObject() as? Song)?.rating = 1
context.processPendingChanges()
expect(changes.withLock { $0 } == ["rating"])
NotificationCenter.default.removeObserver(observer)
// snippet.show

// snippet.locks
// In place of OSAllocatedUnfairLock and os_unfair_lock:
let count = Mutex(0)
count.withLock { $0 += 1 }
// snippet.end
// snippet.hide
expect(count.withLock { $0 } == 1)
// snippet.show
