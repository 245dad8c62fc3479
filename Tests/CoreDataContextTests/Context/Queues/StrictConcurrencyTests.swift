import CoreData
import Testing

/// Code of applications with actors and tasks.
@Suite("Application code with actors and tasks")
struct StrictConcurrencyTests {
    /// An actor that owns a stack and returns only IDs and values.
    private actor Archive {
        let container: NSPersistentContainer
        private let context: NSManagedObjectContext

        init(_ container: NSPersistentContainer) {
            self.container = container
            context = container.newBackgroundContext()
        }

        func add(_ names: [String]) async throws -> [NSManagedObjectID] {
            try await context.perform { [context] in
                let books = names.map { context.make("Book", $0) }
                try context.save()
                return books.map(\.objectID)
            }
        }

        func count() async throws -> Int {
            try await container.performBackgroundTask { context in
                try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
            }
        }
    }

    /// A view model.
    @MainActor private final class Shelf {
        let container: NSPersistentContainer
        private(set) var titles: [String] = []

        init(_ container: NSPersistentContainer) { self.container = container }

        func reload() throws {
            titles = try container.viewContext.names("Book")
        }

        func rename(_ id: NSManagedObjectID, to name: String) async throws {
            let context = container.newBackgroundContext()
            try await context.perform {
                try context.existingObject(with: id).setValue(name, forKey: "name")
                try context.save()
            }
            container.viewContext.refreshAllObjects()
            try reload()
        }

        func title(_ id: NSManagedObjectID) async throws -> String? {
            try await container.viewContext.perform {
                try self.container.viewContext.existingObject(with: id).text("name")
            }
        }
    }

    private static func container(_ folder: TemporaryFolder) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: LibraryModel.make())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder.file("library.sqlite"))]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    @Test("an actor, a main-actor class, tasks and task groups share a container and pass IDs")
    func app() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(folder)
        let archive = Archive(container)
        let ids = try await withThrowingTaskGroup(of: [NSManagedObjectID].self) { group in
            for number in 0..<4 { group.addTask { try await archive.add(["\(number).a", "\(number).b"]) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        expectEqual(ids.count, 8)
        try await expectEqual(archive.count(), 8)
        let shelf = await Shelf(container)
        try await shelf.rename(ids[0], to: "renamed")
        expectContains(await shelf.titles, "renamed")
        try await expectEqual(shelf.title(ids[0]), "renamed")
    }

    @Test("blocks capture values that are declared to be used in one place at a time, and return values of any type")
    func captures() async throws {
        final class Notes { var lines: [String] = [] }
        let folder = try TemporaryFolder()
        let container = try Self.container(folder)
        let context = container.newBackgroundContext()
        nonisolated(unsafe) let notes = Notes()
        await context.perform { notes.lines.append("in a block") }
        nonisolated(unsafe) let book = await context.perform { context.make("Book", "b") }
        let name = await context.perform { book.text("name") }
        notes.lines.append(name ?? "")
        context.performAndWait { notes.lines.append("waited") }
        expectEqual(notes.lines, ["in a block", "b", "waited"])
        async let first = context.perform { 1 }
        async let second = container.performBackgroundTask { _ in 2 }
        await expectEqual(first + second, 3)
    }

    @Test("blocks with a completion run as on Apple's platforms")
    func completions() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(folder)
        let id = await withCheckedContinuation { continuation in
            Self.inBackground(container) { context in
                let book = context.make("Book", "b")
                do { try context.save() } catch { Issue.record(error) }
                continuation.resume(returning: book.objectID)
            }
        }
        expectFalse(id.isTemporaryID)
    }

    /// Calls the method of this name that is not async.
    private static func inBackground(
        _ container: NSPersistentContainer, _ block: @escaping @Sendable (NSManagedObjectContext) -> Void
    ) {
        container.performBackgroundTask(block)
    }

    @Test("IDs, coordinators, contexts, containers and enumerations are Sendable")
    func sendable() async throws {
        func isSendable<Value: Sendable>(_ type: Value.Type) -> Bool { true }
        expectTrue(isSendable(NSManagedObjectID.self))
        expectTrue(isSendable(NSPersistentStoreCoordinator.self))
        expectTrue(isSendable(NSManagedObjectContext.self))
        expectTrue(isSendable(NSPersistentContainer.self))
        expectTrue(isSendable(NSManagedObjectContextConcurrencyType.self))
        expectTrue(isSendable(NSManagedObjectContext.ScheduledTaskType.self))
        expectTrue(isSendable(NSManagedObjectContext.ConcurrencyType.self))
        expectTrue(isSendable(NSMergePolicyType.self))
        expectTrue(isSendable(NSAttributeType.self))
        expectTrue(isSendable(NSDeleteRule.self))
        expectTrue(isSendable(NSFetchRequestResultType.self))
        expectTrue(isSendable(NSFetchedResultsChangeType.self))
        expectTrue(isSendable(NSSnapshotEventType.self))
        expectTrue(isSendable(NSFetchIndexElementType.self))
        expectTrue(isSendable(NSPersistentStoreRequestType.self))
        expectTrue(isSendable(NSEntityMappingType.self))
        let folder = try TemporaryFolder()
        let container = try Self.container(folder)
        let coordinator = container.persistentStoreCoordinator
        let count = await Task.detached {
            coordinator.persistentStores.count + container.persistentStoreDescriptions.count
        }.value
        expectEqual(count, 2)
    }
}
