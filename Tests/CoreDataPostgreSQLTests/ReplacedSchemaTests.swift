import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// A store whose schema gets another store while a program has it open.
@Suite(
    "A store that another process replaces", .enabled(if: TestServer.isPresent && !TestServer.cluster.isCluster))
struct ReplacedSchemaTests {
    private let database: TestDatabase
    private let coordinator: NSPersistentStoreCoordinator
    private var schema: String { "\"\(database.schema("store"))\"" }
    private var formerSchema: String { "\"\(database.schema("former"))\"" }

    init() throws {
        database = try TestDatabase()
        coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
    }

    @Test("refuses the saves of those who have opened the former one, with 134070")
    func replaced() throws {
        let error = try database.use(coordinator) { context in
            let author = try context.one("Author", "Ada")
            try database.execute("ALTER SCHEMA \(schema) RENAME TO \(formerSchema)")
            let other = try database.coordinator(at: database.url())
            try database.fill(other)
            author.setValue("lost", forKey: "genre")
            context.make("Tag", "lost")
            return try requireError { try context.save() }
        }
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreOperationError, "\(error)")
        expectEqual(error.localizedFailureReason?.contains("replaced"), true, "\(error)")
        let present = try database.coordinator(at: database.url())
        try expectEqual(database.contents(present), TestDatabase.expected)
        // All further requests say the same.
        let next = try requireError { _ = try database.use(coordinator) { try $0.all("Tag") } }
        expectEqual(next.code, NSPersistentStoreOperationError)
    }

    @Test("and one that was destroyed says so")
    func destroyed() throws {
        let error = try database.use(coordinator) { context in
            let author = try context.one("Author", "Ada")
            try database.execute("DROP SCHEMA \(schema) CASCADE")
            author.setValue("lost", forKey: "genre")
            return try requireError { try context.save() }
        }
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreOperationError, "\(error)")
        expectEqual(error.localizedFailureReason?.contains("destroyed"), true, "\(error)")
    }

    @Test("A batch request doesn't change the other store")
    func batch() throws {
        try database.execute("ALTER SCHEMA \(schema) RENAME TO \(formerSchema)")
        try database.fill(database.coordinator(at: database.url()))
        let error = try requireError {
            try database.use(coordinator) { context in
                let request = NSBatchUpdateRequest(entityName: "Author")
                request.propertiesToUpdate = ["genre": "lost"]
                try context.execute(request)
            }
        }
        expectEqual(error.code, NSPersistentStoreOperationError, "\(error)")
        try expectEqual(database.contents(database.coordinator(at: database.url())), TestDatabase.expected)
    }
}
