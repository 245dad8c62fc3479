import CoreData

let song = NSEntityDescription()
song.name = "Song"
let title = NSAttributeDescription()
title.name = "title"
title.attributeType = .stringAttributeType
song.properties = [title]
let model = NSManagedObjectModel()
model.entities = [song]

let container = NSPersistentContainer(name: "Music", managedObjectModel: model)
container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "Music.sqlite"))]
container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }

let context = container.viewContext
NSEntityDescription.insertNewObject(forEntityName: "Song", into: context).setValue("So What", forKey: "title")
try context.save()

let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
request.predicate = NSPredicate(format: "title BEGINSWITH[c] %@", "so")
for song in try context.fetch(request) { print(song.value(forKey: "title") ?? "") }
