// Makes a store, saves an object and fetches it.
// snippet.model
import CoreData
// snippet.hide
import MusicLibrary

// The store of the program is in the current folder.
expect(FileManager.default.changeCurrentDirectoryPath(temporaryFolder().path))
// snippet.show

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
let file = URL(fileURLWithPath: "Notes.sqlite")
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
let other = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
other.setValue("Call home", forKey: "title")
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
context.delete(other)
try context.save()
// snippet.end
// snippet.hide
try expect(context.fetch(request) == [note])
expect(note.value(forKey: "title") as? String == "Buy oat milk")
try expect(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 1)
expect(FileManager.default.fileExists(atPath: file.path))
// snippet.show
