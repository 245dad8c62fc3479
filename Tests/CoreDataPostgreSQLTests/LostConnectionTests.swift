import CoreDataTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Saves while an administrator ends the connections of the store.
@Suite("Saves whose connections are ended", .enabled(if: TestServer.isPresent))
struct LostConnectionTests {
    /// How many saves succeed before the connections are ended again. An end has fewer saves throw.
    private static let savesBetweenEnds = 4

    /// Ends the connections with a name again and again, at random times, until it is told to stop.
    ///
    /// - Parameters:
    ///   - savedCount: how many saves have succeeded so far. On a busy machine they are slower than the random times.
    ///   - didEnd: called with the number of connections that were ended at once.
    private static func endConnections(
        named name: String, seed: UInt64, savedCount: () -> Int, until isStopped: () -> Bool, didEnd: (Int) -> Void
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let connection = try TestServer.connect()
        defer { connection.close() }
        while !isStopped() {
            let enough = savedCount() + savesBetweenEnds
            repeat {
                var pause = PostgreSQLParameters()
                pause.append(double: Double.random(in: 0...0.1, using: &generator))
                try connection.execute("SELECT pg_sleep($1)", pause)
            } while savedCount() < enough && !isStopped()
            var parameters = PostgreSQLParameters()
            parameters.append(text: name)
            let result = try connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", parameters)
            didEnd(result.rowCount)
        }
    }

    @Test("each save happens once, or throws and hasn't happened")
    func exactlyOnce() throws {
        let seed = TestRun.seed(for: "lost connections")
        let folder = try TemporaryFolder()
        let model = LibraryModel.make()
        let name = "ended_\(UUID().uuidString.prefix(8))"
        let url = StoreKind.postgresql.url("store", in: folder)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil,
            at: URL(string: url.absoluteString + "&application_name=\(name)"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator

        let isDone = Atomic<Bool>(false)
        let ended = Mutex<Result<Void, any Error>?>(nil)
        let savedCount = Atomic<Int>(0)
        let endings = Atomic<Int>(0)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            let result = Result {
                try Self.endConnections(
                    named: name, seed: seed, savedCount: { savedCount.load(ordering: .relaxed) },
                    until: { isDone.load(ordering: .relaxed) },
                    didEnd: { endings.add($0, ordering: .relaxed) })
            }
            ended.withLock { $0 = result }
        }
        var saved: Set<String> = []
        var failed: Set<String> = []
        try context.performAndWait {
            // On a busy machine the connections are ended more rarely than saves are made.
            let count = TestRun.quick(1000, long: 10_000)
            for number in 0..<(count * 100) where number < count || endings.load(ordering: .relaxed) <= 10 {
                let text = "\(number)"
                context.make("Book", text, ["author": context.make("Author", text)])
                do {
                    try context.save()
                    saved.insert(text)
                    savedCount.add(1, ordering: .relaxed)
                } catch {
                    expectEqual((error as NSError).domain, NSCocoaErrorDomain)
                    context.rollback()
                    failed.insert(text)
                }
                // The check takes time for each registered object, and these stay registered.
                if failed.contains(text) || number % 50 == 0 { try checkInvariants(of: context) }
            }
        }
        isDone.store(true, ordering: .relaxed)
        group.wait()
        try requireValue(ended.withLock { $0 }).get()
        let endingCount = endings.load(ordering: .relaxed)
        #expect(endingCount > 10)

        let other = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try other.addPersistentStore(ofType: NSPostgreSQLStoreType, configurationName: nil, at: url)
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = other
        try on(reader) {
            let books = try reader.all("Book").compactMap { $0.text("name") }
            let authors = try reader.all("Author").compactMap { $0.text("name") }
            expectEqual(books.sorted(), saved.sorted(), "seed \(seed)")
            expectEqual(authors.sorted(), saved.sorted(), "seed \(seed)")
        }
        #expect(saved.count > failed.count, "\(endingCount) connections ended: \(failed.count) saves threw")
        print("\(endingCount) connections ended: \(saved.count) saves happened, \(failed.count) threw")
    }
}
