// A store of an older version of the model is refused, then migrated.
// snippet.setup
import CoreData
import MusicLibrary

let folder = temporaryFolder()
let file = folder.appendingPathComponent("Notes.sqlite")
let oldModel = try makeModel("Note { title: string, required }")
let newModel = try makeModel(
    """
    Note {
        text: string, required, renamed-from: title
        stars: integer16, required, default: 0
    }
    """)
// An older program has saved a note.
do {
    let context = try makeMusicContainer(model: oldModel, file: file).viewContext
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    note.setValue("Buy milk", forKey: "title")
    try context.save()
    guard let coordinator = context.persistentStoreCoordinator else { fatalError("no store") }
    try coordinator.remove(coordinator.persistentStores[0])
}
// snippet.end

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
let copy = folder.appendingPathComponent("Copy.sqlite")
try coordinator.replacePersistentStore(
    at: copy, destinationOptions: nil, withPersistentStoreFrom: file, sourceOptions: nil, ofType: NSSQLiteStoreType)
// snippet.show

// snippet.manager
let newFile = folder.appendingPathComponent("NewNotes.sqlite")
let mapping = try NSMappingModel.inferredMappingModel(
    forSourceModel: oldModel, destinationModel: newModel)
let manager = NSMigrationManager(
    sourceModel: oldModel, destinationModel: newModel)
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
    ofPersistentStoreAt: file, type: .sqlite,
    to: newModel, through: [oldModel, newModel])
print(migration.steps.count)  // 1
try migration.migrateStore(at: file, type: .sqlite)
// snippet.end
// snippet.hide
expect(migration.steps.count == 1)
try expect(
    newModel.isConfiguration(
        withName: nil,
        compatibleWithStoreMetadata: NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: file, options: nil)))
// The old store comes back.
try coordinator.replacePersistentStore(
    at: file, destinationOptions: nil, withPersistentStoreFrom: copy, sourceOptions: nil, ofType: NSSQLiteStoreType)
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
