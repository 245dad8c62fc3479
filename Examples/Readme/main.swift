import CoreData

let title = NSAttributeDescription()
title.name = "title"
title.attributeType = .stringAttributeType
let song = NSEntityDescription()
song.name = "Song"
song.properties = [title]
let model = NSManagedObjectModel()
model.entities = [song]

let container = NSPersistentContainer(name: "Music", managedObjectModel: model)
let store = NSPersistentStoreDescription(url: URL(fileURLWithPath: "Music.sqlite"))
container.persistentStoreDescriptions = [store]
container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }

let context = container.viewContext
let new = NSManagedObject(entity: song, insertInto: context)
new.setValue("So What", forKey: "title")
try context.save()

let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
request.predicate = NSPredicate(format: "title BEGINSWITH[c] %@", "so")
for song in try context.fetch(request) {
    print(song.value(forKey: "title") ?? "")
}
