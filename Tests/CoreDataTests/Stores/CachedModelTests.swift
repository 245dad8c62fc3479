import CoreData
import Testing

@Suite("The cached model of a store")
struct CachedModelTests {
    @Test("the timeout counts when the cached model is read", .timeLimit(.minutes(TestRun.hangMinutes)))
    func timeout() throws {
        let stack = try TestStack(.sqlite)
        try on(stack.context) {
            stack.context.make("Book", "A")
            try stack.context.save()
        }
        try stack.coordinator.remove(stack.store)
        let lock = try SQLiteFile(creating: stack.url)
        try lock.run("PRAGMA journal_mode = DELETE")
        try lock.run("BEGIN EXCLUSIVE")
        func read() throws -> NSManagedObjectModel {
            try NSPersistentStoreCoordinator.cachedModelForPersistentStore(
                at: stack.url, options: [NSPersistentStoreTimeoutOption: 0.05])
        }
        expectEqual(thrownError { _ = try read() }?.code, 134090)
        try lock.run("ROLLBACK")
        try expectEqual(read().entityVersionHashesByName, stack.model.entityVersionHashesByName)
    }
}
