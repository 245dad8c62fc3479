import CoreData
import Testing

@Suite("Queues of children and parents")
struct ChildQueueTests {
    @Test(
        "a private child of a main-queue parent is used from the main queue without a deadlock",
        arguments: StoreKind.allCases)
    @MainActor
    func fromTheMainQueue(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let parent = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        parent.persistentStoreCoordinator = stack.coordinator
        let child = parent.child()
        parent.make("Author", "Anna")
        try child.performAndWait {
            child.make("Book", "A", ["author": try child.one("Author", "Anna")])
            try child.save()
        }
        try expectEqual(parent.names("Book"), ["A"])
        try parent.save()
        try child.performAndWait {
            try expectEqual(child.one("Book", "A").object("author")?.objectID.isTemporaryID, false)
        }
    }

    @Test("a main-queue child has a private parent that saves in the background", arguments: StoreKind.allCases)
    @MainActor
    func mainChild(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind)
        let writer = stack.context
        let view = writer.child(.mainQueueConcurrencyType)
        let book = view.make("Book", "A")
        try view.save()
        try await writer.perform { try writer.save() }
        try expectEqual(view.names("Book"), ["A"])
        expectFalse(book.objectID.isTemporaryID)
    }

    @Test("children and their parent can save concurrently", arguments: StoreKind.allCases)
    func parallel(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind)
        let parent = stack.newContext()
        let children = (0..<4).map { _ in parent.child() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, child) in children.enumerated() {
                group.addTask {
                    for round in 0..<8 {
                        try await child.perform {
                            let author = child.make("Author", "\(number).\(round)")
                            for index in 0..<5 { child.make("Book", "\(number).\(round).\(index)", ["author": author]) }
                            try child.save()
                            let found = try child.all("Book", "name BEGINSWITH %@", ["\(number)."])
                            guard Set(found).count == found.count, found.count == (round + 1) * 5 else {
                                throw TestFailure("\(found.count) books in round \(round)")
                            }
                            for book in found where book.object("author") == nil {
                                throw TestFailure("a book without author")
                            }
                            found[0].setValue(round, forKey: "pages")
                            try child.save()
                        }
                    }
                }
            }
            group.addTask {
                for _ in 0..<8 {
                    try await parent.perform { try parent.save() }
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
        try on(parent) {
            try expectEqual(parent.all("Book").count, 160)
            try parent.save()
        }
        for child in children {
            try on(child) {
                let books = try child.all("Book")
                expectEqual(books.count, 160)
                expectEqual(Set(books).count, 160)
                expectEqual(books.filter { $0.objectID.isTemporaryID || $0.object("author") == nil }.count, 0)
            }
        }
        try inFreshContext(stack) { fresh in
            try expectEqual(fresh.all("Book").count, 160)
            try expectEqual(fresh.all("Author").count, 32)
            try expectEmpty(fresh.all("Book", "author == nil"))
        }
    }
}
