import CoreData
import Testing

@Suite("Options of stores with values of other types")
struct StoreOptionTypeTests {
    private let folder: TemporaryFolder
    private let model = LibraryModel.make()

    init() throws { folder = try TemporaryFolder() }

    static let keys = [
        NSReadOnlyPersistentStoreOption, NSIgnorePersistentStoreVersioningOption, NSSQLiteAnalyzeOption,
        NSSQLiteManualVacuumOption, NSMigratePersistentStoresAutomaticallyOption,
        NSInferMappingModelAutomaticallyOption, NSPersistentHistoryTrackingKey,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey, NSPersistentStoreTimeoutOption, NSSQLitePragmasOption,
    ]

    @Test("A value of a type that an option doesn't have is an error, and nothing is made or changed", arguments: keys)
    func wrongType(_ key: String) throws {
        let url = folder.file("store.sqlite")
        for value in [Date(), [1], NSNull(), Data([1])] as [Any] {
            let options: [AnyHashable: Any] = [key: value]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let error = thrownError { try coordinator.addPersistentStore(type: .sqlite, at: url, options: options) }
            #expect(error?.code == 134080, "\(value)")
            #expect(error?.localizedDescription.contains(key) == true)
            #expect(
                thrownError {
                    try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: options)
                }?.code == 134080)
            try #expect(folder.contents.isEmpty)
        }
    }
}
