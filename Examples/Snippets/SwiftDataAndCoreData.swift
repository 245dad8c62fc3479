// SwiftData and Core Data on one store.
// snippet.model
import CoreData
// snippet.hide
import MusicLibrary
// snippet.show
import SwiftData

@Model
final class Trip {
    var name: String
    var start: Date

    init(name: String, start: Date) {
        self.name = name
        self.start = start
    }
}
// snippet.end

// snippet.hide
expect(FileManager.default.changeCurrentDirectoryPath(temporaryFolder().path))
// snippet.show
// snippet.containers
let file = URL(fileURLWithPath: "Trips.store")
let trips = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: file))

let model = NSManagedObjectModel.makeManagedObjectModel(for: [Trip.self])!
let description = NSPersistentStoreDescription(url: file)
description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
let container = NSPersistentContainer(name: "Trips", managedObjectModel: model)
container.persistentStoreDescriptions = [description]
container.loadPersistentStores { description, error in
    if let error { fatalError("\(description): \(error)") }
}
// snippet.end

// snippet.both
trips.mainContext.insert(Trip(name: "Lisbon", start: .now))
try trips.mainContext.save()

let request = NSFetchRequest<NSManagedObject>(entityName: "Trip")
for trip in try container.viewContext.fetch(request) {
    trip.setValue("Porto", forKey: "name")
}
try container.viewContext.save()

let names = try ModelContext(trips).fetch(FetchDescriptor<Trip>()).map(\.name)
print(names)
// snippet.end
// snippet.hide
expect(names == ["Porto"])
