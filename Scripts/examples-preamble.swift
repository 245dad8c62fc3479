// What the examples in doc comments use without declaring it: see check-examples.sh. It is compiled, never run.
import CoreData

class Artist: NSManagedObject {}

class Song: NSManagedObject {
    var title: String {
        get { value(forKey: "title") as? String ?? "" }
        set { setValue(newValue, forKey: "title") }
    }
}

struct Point {
    var x: Double
    var y: Double
}

struct Color {
    var components: [UInt8]
}

var coordinator: NSPersistentStoreCoordinator { fatalError("never run") }
var context: NSManagedObjectContext { fatalError("never run") }
var container: NSPersistentContainer { fatalError("never run") }
var model: NSManagedObjectModel { fatalError("never run") }
var songs: NSFetchedResultsController<Song> { fatalError("never run") }
