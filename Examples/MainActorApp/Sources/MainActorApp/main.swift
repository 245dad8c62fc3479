import CoreData
import SwiftData

func check(_ condition: Bool, _ text: String) {
    print(condition ? "  ✓ \(text)" : "  ✗ \(text)")
    if !condition { exit(1) }
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("MainActorApp-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

print("Core Data")
let url = folder.appendingPathComponent("Notes.sqlite")
do {
    let container = Container(name: "Notes", managedObjectModel: Library.model())
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    container.loadPersistentStores { _, error in check(error == nil, "the store opens") }
    container.viewContext.automaticallyMergesChangesFromParent = true
    let list = try NoteList(container)
    try list.add("a", to: "first")
    check(list.summaries == ["a in first"], "the results controller shows the note")
    check(list.changes == 1, "its delegate is told")
    check(try await list.importNotes(["b", "c"]) == 3, "a block of a background context saves")
    check(try list.countInBackground() == 3, "a context is waited for")
    let context = Context(concurrencyType: .privateQueueConcurrencyType)
    context.parent = container.viewContext
    try await context.perform {
        Note(context: context).title = "d"
        try context.save()
    }
    check(container.viewContext.insertedObjects.count == 1, "a child context saves")
    try container.viewContext.save()
}
let mapping = try NSMappingModel.inferredMappingModel(
    forSourceModel: Library.model(), destinationModel: Library.model(2))
for entity in mapping.entityMappings where entity.destinationEntityName == "Note" {
    entity.mappingType = .customEntityMappingType
    entity.entityMigrationPolicyClassName = "MainActorApp.LengthPolicy"
}
let migrated = folder.appendingPathComponent("Migrated.sqlite")
try NSMigrationManager(sourceModel: Library.model(), destinationModel: Library.model(2)).migrateStore(
    from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: migrated,
    destinationType: NSSQLiteStoreType, destinationOptions: nil)
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Library.model(2))
try coordinator.addPersistentStore(type: .sqlite, at: migrated)
let viewer = NSManagedObjectContext(.mainQueue)
viewer.persistentStoreCoordinator = coordinator
let lengths = try viewer.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).compactMap {
    $0.value(forKey: "length") as? Int
}
check(lengths == [1, 1, 1, 1], "a migration policy counts letters")
let types: [(String, NSPersistentStore.Type)] = [("EmptyStore", EmptyStore.self), ("EmptyFile", EmptyFile.self)]
for (name, storeClass) in types {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Library.model())
    NSPersistentStoreCoordinator.registerStoreClass(storeClass, forStoreType: name)
    try coordinator.addPersistentStore(
        ofType: name, configurationName: nil, at: folder.appendingPathComponent(name), options: nil)
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    check(try context.fetch(Note.fetchRequest()).isEmpty, "a store of type \(name) has no notes")
}
check(ReversedTransformer().transformedValue("abc") as? String == "cba", "a transformer reverses")

print("SwiftData")
let garden = folder.appendingPathComponent("Garden.store")
do {
    let container = try ModelContainer(
        for: Schema(versionedSchema: GardenVersion1.self), configurations: ModelConfiguration(url: garden))
    let bed = GardenVersion1.Bed(name: "north")
    container.mainContext.insert(bed)
    bed.plants.append(GardenVersion1.Plant(name: "rose"))
    try container.mainContext.save()
}
let container = try ModelContainer(
    for: Schema(versionedSchema: GardenVersion2.self), migrationPlan: GardenPlan.self,
    configurations: ModelConfiguration(url: garden))
let plants = try container.mainContext.fetch(FetchDescriptor<GardenVersion2.Plant>())
check(plants.map(\.title) == ["rose in north"], "the second version opens the store")
check(plants.first?.height == 2, "a stage of the plan has run")
check(try await Gardener(modelContainer: container).plant(["lily", "iris"], in: "south") == 3, "an actor saves")
let south = try container.mainContext.fetch(
    FetchDescriptor<GardenVersion2.Bed>(predicate: #Predicate { $0.name == "south" }))
check(south.first?.size.width == 3, "the main context reads it")
