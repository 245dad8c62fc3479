// One context over two stores: a configuration of the model for each.
import CoreData
// snippet.hide
import MusicLibrary

let folder = temporaryFolder()
let text = """
    Place { code: string; name: string }
    Rating { place: string; stars: integer16 }
    configuration Delivered: Place
    configuration User: Rating
    """
let modelFile = folder.appendingPathComponent("Places.coredata")
try text.write(to: modelFile, atomically: true, encoding: .utf8)
let model = NSManagedObjectModel(contentsOf: modelFile)!
// snippet.show

// snippet.stores
let container = NSPersistentContainer(name: "Places", managedObjectModel: model)
container.persistentStoreDescriptions = ["Delivered", "User"].map { name in
    let url = folder.appendingPathComponent("\(name).sqlite")
    let description = NSPersistentStoreDescription(url: url)
    description.configuration = name
    return description
}
container.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
}
// snippet.end

// snippet.use
let context = container.viewContext
let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: context)
place.setValue("CT1", forKey: "code")
let rating = NSEntityDescription.insertNewObject(forEntityName: "Rating", into: context)
// A value in place of a relationship: it may lead into another store.
rating.setValue("CT1", forKey: "place")
try context.save()
print(place.objectID.persistentStore?.configurationName ?? "")  // Delivered
print(rating.objectID.persistentStore?.configurationName ?? "")  // User
// snippet.end
// snippet.hide
expect(place.objectID.persistentStore?.configurationName == "Delivered")
expect(rating.objectID.persistentStore?.configurationName == "User")
// snippet.show
