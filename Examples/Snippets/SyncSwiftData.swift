// A store of SwiftData for which a server stands in the place of CloudKit.
// snippet.container
import CoreData
import CoreDataCloudKit
import MusicLibrary
import SwiftData

@Model
final class Trip {
    var name = ""

    init(name: String) { self.name = name }
}

NSPersistentCloudKitContainer.register(
    URL(string: "http://127.0.0.1:8080")!, for: "iCloud.org.example.trips"
) { "a-token-of-16-or-more" }
let configuration = ModelConfiguration(
    url: temporaryFolder().appendingPathComponent("Trips.store"),
    cloudKitDatabase: .private("iCloud.org.example.trips"))
let container = try ModelContainer(for: Trip.self, configurations: configuration)
// snippet.end
let context = ModelContext(container)
context.insert(Trip(name: "Lisbon"))
try context.save()

// snippet.problems
/// The names of the trips whose changes the server has refused.
func refusedTrips(of engine: SyncEngine, in container: ModelContainer) async throws -> [String] {
    let ids = try await engine.problems().compactMap(\.objectID)
    let context = ModelContext(container)
    return ids.compactMap { (context.model(for: PersistentIdentifier(objectID: $0)) as? Trip)?.name }
}
// snippet.end
if let engine = NSPersistentCloudKitContainer.syncEngine(forStoreAt: configuration.url) {
    let refused = try await refusedTrips(of: engine, in: container)
    expect(refused.isEmpty)
}
