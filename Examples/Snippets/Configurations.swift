// One context over two stores: a configuration of the model for each.
// snippet.setup
import CoreData
import MusicLibrary

let folder = temporaryFolder()
let model = try makeModel(
    """
    Place { code: string; name: string }
    Rating { place: string; stars: integer16 }
    configuration Delivered: Place
    configuration User: Rating
    """)
// snippet.end

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

// snippet.parts
let ratings = try makeModel(
    """
    Rating { place: string; stars: integer16 }
    configuration UserConf: Rating
    """)
let postcodes = try makeModel(
    """
    Postcode { code: string }
    configuration PostCodesConf: Postcode
    """)
let userURL = folder.appendingPathComponent("Ratings.sqlite")
let postcodesURL = folder.appendingPathComponent("Postcodes.sqlite")

// The delivered file, which was made elsewhere.
do {
    let maker = NSPersistentStoreCoordinator(managedObjectModel: postcodes)
    let store = try maker.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: "PostCodesConf", at: postcodesURL, options: nil)
    try maker.remove(store)
}
// snippet.end

// snippet.delivered
let merged = NSManagedObjectModel(byMerging: [ratings, postcodes])!
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: merged)
try coordinator.addPersistentStore(
    ofType: NSSQLiteStoreType, configurationName: "UserConf", at: userURL, options: nil)
try coordinator.addPersistentStore(
    ofType: NSSQLiteStoreType, configurationName: "PostCodesConf", at: postcodesURL,
    options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
// snippet.end
// snippet.hide
expect(coordinator.persistentStores.map(\.isReadOnly) == [false, true])
// snippet.show
