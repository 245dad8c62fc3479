// Opens a store, fetches one object and ends.
import CoreData

guard CommandLine.arguments.count == 3,
    let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: CommandLine.arguments[2]))
else { exit(64) }
// An ordinary program has the classes of its model.
for entity in model.entities { entity.managedObjectClassName = nil }
let container = NSPersistentContainer(name: "Benchmark", managedObjectModel: model)
container.persistentStoreDescriptions = [
    NSPersistentStoreDescription(url: URL(fileURLWithPath: CommandLine.arguments[1]))
]
container.loadPersistentStores { _, error in
    if let error { fatalError("The store can't be opened: \(error)") }
}
let request = NSFetchRequest<NSManagedObject>(entityName: "Reading")
request.fetchLimit = 1
guard let reading = try container.viewContext.fetch(request).first else { exit(1) }
print(reading.value(forKey: "value1") ?? 0)
