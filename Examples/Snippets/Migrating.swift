// A store of an older version of the model is refused, then migrated.
import CoreData
// snippet.hide
import MusicLibrary

let folder = temporaryFolder()
let file = folder.appendingPathComponent("Notes.sqlite")

func model(_ text: String, _ name: String) throws -> NSManagedObjectModel {
    let url = folder.appendingPathComponent("\(name).coredata")
    try text.write(to: url, atomically: true, encoding: .utf8)
    return NSManagedObjectModel(contentsOf: url)!
}

let oldModel = try model("Note { title: string, required }", "Notes1")
let newModel = try model(
    "Note { text: string, required, renamed-from: title; stars: integer16, required, default: 0 }", "Notes2")
do {
    let container = try makeMusicContainer(model: oldModel, file: file)
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: container.viewContext)
    note.setValue("Buy milk", forKey: "title")
    try container.viewContext.save()
    try container.persistentStoreCoordinator.remove(container.persistentStoreCoordinator.persistentStores[0])
}
// snippet.show

// snippet.refused
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: newModel)
do {
    try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil,
        at: file, options: nil)
} catch let error as NSError {
    print(error.code)  // 134100
    // what differs, and which option to set
    print(error.localizedDescription)
}
// snippet.end
// snippet.hide
expect(coordinator.persistentStores.isEmpty)
// snippet.show

// snippet.question
let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
    ofType: NSSQLiteStoreType, at: file, options: nil)
let opens = newModel.isConfiguration(
    withName: nil, compatibleWithStoreMetadata: metadata)
if !opens {
    _ = try NSMappingModel.inferredMappingModel(
        forSourceModel: oldModel, destinationModel: newModel)
    print("The store can be migrated without a mapping model.")
}
// snippet.end

// snippet.hide
let sourceModel = oldModel
let destinationModel = newModel
let newFile = folder.appendingPathComponent("NewNotes.sqlite")
let copy = folder.appendingPathComponent("Copy.sqlite")
try coordinator.replacePersistentStore(
    at: copy, destinationOptions: nil, withPersistentStoreFrom: file, sourceOptions: nil, ofType: NSSQLiteStoreType)
// snippet.show

// snippet.manager
let mapping = try NSMappingModel.inferredMappingModel(
    forSourceModel: sourceModel, destinationModel: destinationModel)
let manager = NSMigrationManager(
    sourceModel: sourceModel, destinationModel: destinationModel)
try manager.migrateStore(
    from: file, type: .sqlite, mapping: mapping, to: newFile, type: .sqlite)
// snippet.end
// snippet.hide
try expect(
    newModel.isConfiguration(
        withName: nil,
        compatibleWithStoreMetadata: NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: newFile, options: nil)))
// snippet.show

// snippet.progressive
let migration = try ProgressiveMigration(
    ofPersistentStoreAt: copy, type: .sqlite,
    to: newModel, through: [oldModel, newModel])
print(migration.steps.count)  // 1
try migration.migrateStore(at: copy, type: .sqlite)
// snippet.end
// snippet.hide
expect(migration.steps.count == 1)
try expect(
    newModel.isConfiguration(
        withName: nil,
        compatibleWithStoreMetadata: NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: copy, options: nil)))
// snippet.show

// snippet.migrate
try coordinator.addPersistentStore(
    ofType: NSSQLiteStoreType, configurationName: nil, at: file,
    options: [
        NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
        NSInferMappingModelAutomaticallyOption: true as NSNumber,
    ])
// snippet.end
// snippet.hide
let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
context.persistentStoreCoordinator = coordinator
let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
expect(notes.first?.value(forKey: "text") as? String == "Buy milk")
expect(notes.first?.value(forKey: "stars") as? Int == 0)
// snippet.show
