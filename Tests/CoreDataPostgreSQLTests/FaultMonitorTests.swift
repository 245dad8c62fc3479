import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// The log of programs that fire faults one by one.
@Suite("The log of faults that are fired one by one", .enabled(if: TestServer.isPresent))
struct FaultMonitorTests {
    /// Saves books, each with its own author and tags.
    private static func fill(_ context: NSManagedObjectContext, count: Int) throws {
        try on(context) {
            for number in 0..<count {
                let book = context.make("Book", "\(number)", ["author": context.make("Author", "\(number)")])
                book.setValue(NSSet(object: context.make("Tag", "\(number)")), forKey: "tags")
            }
            try context.save()
        }
    }

    private static func use(_ prefetched: [String], _ body: (NSManagedObject) -> Void) throws {
        let stack = try TestStack(.postgresql)
        try fill(stack.context, count: 120)
        let context = try stack.afresh()
        try on(context) {
            // Twice: each relationship is logged once.
            for _ in 0..<2 {
                context.reset()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.relationshipKeyPathsForPrefetching = prefetched
                for book in try context.fetch(request) { body(book) }
            }
        }
    }

    private static func lines(_ result: ExitTest.Result?) -> [Substring] {
        errorOutput(result).split(separator: "\n").filter { $0.contains("relationshipKeyPathsForPrefetching") }
    }

    @Test("names a to-one relationship, once")
    func toOne() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try FaultMonitorTests.use([]) { _ = $0.object("author")?.text("name") }
        }
        let lines = Self.lines(result)
        expectEqual(lines.count, 1)
        expectEqual(lines.first?.contains("50 faults of Author"), true)
        expectEqual(lines.first?.contains("'author' of Book in relationshipKeyPathsForPrefetching"), true)
    }

    @Test("names a to-many relationship, once for its members and once for their rows")
    func toMany() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try FaultMonitorTests.use([]) { for tag in $0.objects("tags") { _ = tag.text("name") } }
        }
        let lines = Self.lines(result)
        expectEqual(lines.count, 2)
        #expect(lines.contains { $0.contains("The relationship tags of 50 objects of Book") })
        #expect(lines.contains { $0.contains("50 faults of Tag") && $0.contains("'tags' of Book") })
    }

    @Test("is empty for relationships that are prefetched")
    func prefetched() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try FaultMonitorTests.use(["author", "tags"]) { book in
                _ = book.object("author")?.text("name")
                for tag in book.objects("tags") { _ = tag.text("name") }
            }
        }
        expectEmpty(Self.lines(result))
    }

    @Test("is empty for a few faults after each of many fetches")
    func fewFaults() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let stack = try TestStack(.postgresql)
            try FaultMonitorTests.fill(stack.context, count: 70)
            let context = try stack.afresh()
            try on(context) {
                for book in try context.all("Book") {
                    _ = book.object("author")?.text("name")
                    _ = try context.all("Shelf")
                }
            }
        }
        expectEmpty(Self.lines(result))
    }

    @Test("proposes a fetch for objects to which no relationship leads")
    func withoutRelationship() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let model = model([entity("Item", [attribute("name", .stringAttributeType)])])
            let stack = try TestStack(.postgresql, model: model)
            var ids: [NSManagedObjectID] = []
            try on(stack.context) {
                for number in 0..<60 { stack.context.make("Item", "\(number)") }
                try stack.context.save()
                ids = try stack.context.all("Item").map(\.objectID)
            }
            let other = try stack.afresh()
            try on(other) {
                for id in ids {
                    let known = try requireValue(
                        other.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: id.uriRepresentation()))
                    try #expect(other.existingObject(with: known).text("name") != nil)
                }
            }
        }
        expectContains(errorOutput(result), "50 faults of Item")
        expectContains(errorOutput(result), "returnsObjectsAsFaults")
    }
}
