import CoreData
import Testing

@Suite("Queues of contexts")
struct QueueTests {
    @Test("performAndWait returns results, throws errors, and can be nested", arguments: StoreKind.allCases)
    func waiting(_ kind: StoreKind) throws {
        struct Refusal: Error {}
        let stack = try TestStack(kind)
        let count = stack.context.performAndWait {
            stack.context.performAndWait {
                stack.context.make("Book", "A")
                return stack.context.insertedObjects.count
            }
        }
        expectEqual(count, 1)
        #expect(throws: Refusal.self) { try stack.context.performAndWait { throw Refusal() } }
    }

    @Test("blocks run one after another, in order", arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let context = stack.context
        for index in 0..<200 {
            context.perform { context.make("Book", "\(index)", ["pages": context.insertedObjects.count]) }
        }
        try context.performAndWait {
            try context.save()
            for book in try context.all("Book") { expectEqual(book.text("name"), "\(book.number("pages") ?? -1)") }
        }
    }

    @Test("async perform returns results and throws errors", arguments: StoreKind.allCases)
    func asynchronous(_ kind: StoreKind) async throws {
        struct Refusal: Error {}
        let stack = try TestStack(kind)
        let context = stack.context
        let id = try await context.perform {
            let book = context.make("Book", "A")
            try context.save()
            return book.objectID
        }
        expectFalse(id.isTemporaryID)
        let name = try await context.perform { try context.existingObject(with: id).text("name") }
        expectEqual(name, "A")
        await #expect(throws: Refusal.self) { try await context.perform { throw Refusal() } }
    }

    @Test("many contexts save concurrently", arguments: StoreKind.allCases)
    func parallel(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind)
        let contexts = (0..<8).map { _ in stack.newContext() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, context) in contexts.enumerated() {
                group.addTask {
                    for round in 0..<10 {
                        try await context.perform {
                            let author = context.make("Author", "\(number)")
                            for index in 0..<10 {
                                context.make("Book", "\(number).\(round).\(index)", ["author": author])
                            }
                            try context.save()
                            _ = try context.all("Book", "author.name == %@", ["\(number)"]).map { $0.text("name") }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try inFreshContext(stack) { context in
            let names = try context.names("Book")
            expectEqual(names.count, 800)
            expectEqual(Set(names).count, 800)
            try #expect(context.all("Author").allSatisfy { $0.objects("books").count == 10 })
        }
    }

    @Test("objects can be released on other threads", arguments: StoreKind.allCases)
    func releasing(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind)
        let context = stack.context
        try await context.perform {
            for index in 0..<500 { context.make("Book", "\(index)") }
            try context.save()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                let objects = try await context.perform { UnsafeSender(Box(try context.all("Book"))) }
                group.addTask { objects.value.content = [] }
            }
            try await group.waitForAll()
        }
        try await context.perform { try expectEqual(context.all("Book").count, 500) }
    }

    @Test("a background task has a context of its own")
    func container() async throws {
        let folder = try TemporaryFolder()
        let container = NSPersistentContainer(name: "Library", managedObjectModel: LibraryModel.make())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder.file("library.sqlite"))]
        var failures: [any Error] = []
        container.loadPersistentStores { _, error in if let error { failures.append(error) } }
        expectEmpty(failures)
        expectEqual(container.viewContext.concurrencyType, .mainQueueConcurrencyType)
        let id = try await container.performBackgroundTask { context in
            let book = context.make("Book", "A")
            try context.save()
            return book.objectID
        }
        let context = container.newBackgroundContext()
        let name = try await context.perform { try context.existingObject(with: id).text("name") }
        expectEqual(name, "A")
    }

    @Test("a container passes on the error of a store that can't be loaded")
    func failingContainer() throws {
        let folder = try TemporaryFolder()
        try Data("no store".utf8).write(to: folder.file("file"))
        let container = NSPersistentContainer(name: "Library", managedObjectModel: LibraryModel.make())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.file("file"))
        ]
        var failures: [any Error] = []
        container.loadPersistentStores { _, error in if let error { failures.append(error) } }
        expectEqual(failures.count, 1)
    }
}

private final class Box<Content>: @unchecked Sendable {
    var content: Content
    init(_ content: Content) { self.content = content }
}
