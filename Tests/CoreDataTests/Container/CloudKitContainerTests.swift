import CoreData
import Testing

@Suite("Containers for CloudKit, without the service")
struct CloudKitContainerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func container(_ change: (NSPersistentStoreDescription) -> Void = { _ in }) throws
        -> NSPersistentCloudKitContainer
    {
        let container = NSPersistentCloudKitContainer(name: "Library", managedObjectModel: LibraryModel.make())
        let description = NSPersistentStoreDescription(url: folder.file("Library.sqlite"))
        change(description)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = failure ?? $1 }
        if let failure { throw failure }
        return container
    }

    private func transactionCount(_ container: NSPersistentContainer) throws -> Int {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return (result?.result as? [NSPersistentHistoryTransaction])?.count ?? -1
        }
    }

    private func save(_ name: String, _ container: NSPersistentContainer) throws {
        let context = container.newBackgroundContext()
        try context.performAndWait {
            context.make("Tag", name)
            try context.save()
        }
    }

    @Test("the store works, and its saves are in the persistent history")
    func history() throws {
        let container = try container {
            $0.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.library")
        }
        try save("one", container)
        try save("two", container)
        let context = container.newBackgroundContext()
        try on(context) { try expectEqual(context.names("Tag"), ["one", "two"]) }
        try expectEqual(transactionCount(container), 2)
    }

    @Test("a store of such a container can be written after it was opened again")
    func reopened() throws {
        let first = try container()
        try save("one", first)
        for store in first.persistentStoreCoordinator.persistentStores {
            try first.persistentStoreCoordinator.remove(store)
        }
        let second = try container()
        try save("two", second)
        try expectEqual(transactionCount(second), 2)
    }

    @Test("a description keeps its options for CloudKit, and so does its copy")
    func options() throws {
        let description = NSPersistentStoreDescription(url: folder.file("Library.sqlite"))
        expectEqual(description.cloudKitContainerOptions, nil)
        description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
            containerIdentifier: "iCloud.library")
        let copy = try requireValue(description.copy() as? NSPersistentStoreDescription)
        expectEqual(copy.cloudKitContainerOptions?.containerIdentifier, "iCloud.library")
    }

    @Test("objects of a local store may be changed and deleted")
    func permissions() throws {
        let container = try container()
        let context = container.newBackgroundContext()
        let id = try context.performAndWait {
            let tag = context.make("Tag", "one")
            try context.save()
            return tag.objectID
        }
        expectTrue(container.canUpdateRecord(forManagedObjectWith: id))
        expectTrue(container.canDeleteRecord(forManagedObjectWith: id))
        for store in container.persistentStoreCoordinator.persistentStores {
            expectTrue(container.canModifyManagedObjects(in: store))
        }
    }

    @Test("there are no events")
    func events() throws {
        let container = try container()
        let context = container.newBackgroundContext()
        try on(context) {
            let request = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: Date.distantPast)
            let result = try requireValue(try context.execute(request) as? NSPersistentCloudKitContainerEventResult)
            expectEqual((result.result as? [NSPersistentCloudKitContainer.Event])?.isEmpty, true)
            request.resultType = .countEvents
            let count = try requireValue(try context.execute(request) as? NSPersistentCloudKitContainerEventResult)
            expectEqual((count.result as? NSNumber)?.intValue, 0)
        }
    }
}
