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
        NSMigratePersistentStoresToFormerVersionOption, NSPersistentStoreDeferredLightweightMigrationOptionKey,
        NSPersistentStoreForceDestroyOption, NSBinaryStoreInsecureDecodingCompatibilityOption,
        NSPersistentStoreConnectionPoolMaxSizeKey, NSPersistentStoreStagedMigrationManagerOptionKey,
        NSBinaryStoreSecureDecodingClasses,
    ]

    /// The values that no option takes. One takes an array.
    private func wrongValues(_ key: String) -> [Any] {
        [Date(), key == NSBinaryStoreSecureDecodingClasses ? 1 : [1], NSNull(), Data([1]), NSObject()]
    }

    @Test("A value of a type that an option doesn't have is an error, and nothing is made or changed", arguments: keys)
    func wrongType(_ key: String) throws {
        let url = folder.file("store.sqlite")
        for value in wrongValues(key) {
            let options: [AnyHashable: Any] = [key: value]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let error = thrownError { try coordinator.addPersistentStore(type: .sqlite, at: url, options: options) }
            expectEqual(error?.code, 134080, "\(value)")
            expectEqual(error?.localizedDescription.contains(key), true)
            expectEqual(
                thrownError {
                    try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: options)
                }?.code, 134080)
            try expectEmpty(folder.contents)
        }
    }

    @Test(
        "Every operation on a store refuses an option of a wrong type, and changes nothing",
        arguments: [StoreKind.sqlite, .binary, .xml], keys)
    func everyOperation(_ kind: StoreKind, _ key: String) throws {
        let stack = try TestStack(kind, model: model, folder: folder)
        let url = stack.url
        try on(stack.context) {
            stack.context.make("Tag", "kept")
            try stack.context.save()
        }
        let before = try folder.contents
        for value in wrongValues(key) {
            let options: [AnyHashable: Any] = [key: value]
            let copy = folder.file("copy")
            let type = kind.type
            let other = NSPersistentStoreCoordinator(managedObjectModel: model)
            let operations: [(String, () throws -> Void)] = [
                (
                    "adding",
                    { try other.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options) }
                ),
                (
                    "copying",
                    {
                        try stack.coordinator.migratePersistentStore(
                            stack.store, to: copy, options: options, withType: type)
                    }
                ),
                (
                    "replacing",
                    {
                        try other.replacePersistentStore(
                            at: copy, destinationOptions: options, withPersistentStoreFrom: url, sourceOptions: nil,
                            ofType: type)
                    }
                ),
                (
                    "replacing from",
                    {
                        try other.replacePersistentStore(
                            at: copy, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: options,
                            ofType: type)
                    }
                ),
                ("destroying", { try other.destroyPersistentStore(at: url, ofType: type, options: options) }),
                (
                    "reading metadata",
                    {
                        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                            ofType: type, at: url, options: options)
                    }
                ),
                (
                    "writing metadata",
                    {
                        try NSPersistentStoreCoordinator.setMetadata(
                            ["a": "b"], forPersistentStoreOfType: type, at: url, options: options)
                    }
                ),
            ]
            for (name, operation) in operations {
                expectEqual(thrownError { try operation() }?.code, 134080, "\(name): \(value)")
            }
        }
        try expectEqual(folder.contents, before)
        try on(stack.context) { try expectEqual(stack.context.names("Tag"), ["kept"]) }
    }

    @Test(
        "Not-a-number is no number", arguments: [StoreKind.sqlite, .binary, .xml, .memory],
        [NSPersistentStoreTimeoutOption, NSPersistentStoreConnectionPoolMaxSizeKey])
    func notANumber(_ kind: StoreKind, _ key: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let error = thrownError {
            try coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: folder.file("store"), options: [key: Double.nan])
        }
        expectEqual(error?.code, 134080)
    }

    private static let numbers: [Double] = [
        .infinity, -.infinity, -1, 0, 0.5, 1e300, -1e300, Double(Int64.max), Double(Int32.max) + 1,
        .leastNonzeroMagnitude,
    ]

    @Test(
        "A number of any size is one for a timeout and a number of connections",
        arguments: [StoreKind.sqlite, .binary, .xml, .memory],
        [NSPersistentStoreTimeoutOption, NSPersistentStoreConnectionPoolMaxSizeKey])
    func numbers(_ kind: StoreKind, _ key: String) throws {
        for number in Self.numbers {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: folder.file("store"),
                options: [key: NSNumber(value: number)])
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try on(context) {
                context.make("Tag", "a")
                try context.save()
                try #expect(!context.all("Tag").isEmpty, "\(number)")
            }
            try coordinator.remove(store)
        }
    }

    @Test(
        "A timeout that is no time to wait ends at once on a locked store", .timeLimit(.minutes(TestRun.hangMinutes)),
        arguments: [-Double.infinity, -1, 0, -1e300, Double.leastNonzeroMagnitude])
    func lockedStore(_ timeout: Double) throws {
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        let lock = try SQLiteFile(creating: stack.url)
        try lock.run("BEGIN IMMEDIATE")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let options = [NSPersistentStoreTimeoutOption: NSNumber(value: timeout)]
        let error = thrownError {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url, options: options)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try on(context) {
                context.make("Tag", "a")
                try context.save()
            }
        }
        expectEqual(error?.code, 134090, "\(error?.description ?? "none")")
        try lock.run("ROLLBACK")
    }
}
