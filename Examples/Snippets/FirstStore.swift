// Makes a store, saves an object and fetches it.
import CoreData
// snippet.hide
import MusicLibrary

let folder = temporaryFolder()
// snippet.show

// snippet.model
let title = NSAttributeDescription()
title.name = "title"
title.attributeType = .stringAttributeType
title.isOptional = false

let entity = NSEntityDescription()
entity.name = "Note"
entity.properties = [title]

let model = NSManagedObjectModel()
model.entities = [entity]
// snippet.end

// snippet.container
let file = folder.appendingPathComponent("Notes.sqlite")
let description = NSPersistentStoreDescription(url: file)
let container = NSPersistentContainer(
    name: "Notes", managedObjectModel: model)
container.persistentStoreDescriptions = [description]
container.loadPersistentStores { description, error in
    if let error { fatalError("\(description): \(error)") }
}
// snippet.end

// snippet.insert
let context = container.viewContext
let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
note.setValue("Buy milk", forKey: "title")
try context.save()
// snippet.end

// snippet.fetch
let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
request.predicate = NSPredicate(format: "title CONTAINS[c] %@", "MILK")
request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
for note in try context.fetch(request) {
    print(note.value(forKey: "title") ?? "")
}
// snippet.end

// snippet.change
note.setValue("Buy oat milk", forKey: "title")
try context.save()
context.delete(note)
try context.save()
// snippet.end
// snippet.hide
try expect(context.count(for: request) == 0)
// snippet.show
