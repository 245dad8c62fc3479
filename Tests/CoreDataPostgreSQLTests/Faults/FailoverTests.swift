import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Saves while a replica takes the place of its server.
@Suite("A failover", .enabled(if: TestServer.isPresent))
struct FailoverTests {
    /// A store whose URL names two servers, of which one can be written at a time.
    private struct Library {
        let context: NSManagedObjectContext

        init(_ servers: [PrivateServer], model: NSManagedObjectModel) throws {
            let hosts = servers.map(\.host).joined(separator: ",")
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let url = try requireValue(URL(string: "postgresql:///postgres?host=\(hosts)&user=postgres&schema=shop"))
            try coordinator.addPersistentStore(ofType: NSPostgreSQLStoreType, configurationName: nil, at: url)
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
        }

        func save(_ name: String) -> NSError? {
            context.performAndWait {
                context.make("Book", name, ["author": context.make("Author", name)])
                let error = thrownError { try context.save() }
                if error != nil { context.rollback() }
                return error
            }
        }
    }

    @Test("What several writers are told to be saved is saved on the replica that takes over, and nothing else")
    func underWriters() throws {
        let model = LibraryModel.make()
        var server = try PrivateServer()
        _ = try Library([server], model: model)
        var (saved, thrown) = (0, 0)
        for round in 0..<TestRun.quick(1, long: 10) {
            // A commit is answered when the replica has it.
            let replica = try PrivateServer(replicaOf: server)
            try server.execute(
                "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()", "SELECT pg_sleep(0.2)")
            let signals = Signals()
            let isDone = Signals()
            let writers = 8
            for writer in 0..<writers {
                let library = try Library([server, replica], model: model)
                Thread.detachNewThread {
                    var number = 0
                    while isDone.all.isEmpty {
                        let name = "\(round)-\(writer)-\(number)"
                        signals.add(library.save(name) == nil ? name : "")
                        number += 1
                    }
                    signals.add("end")
                }
            }
            #expect(signals.wait { $0.count > 200 })
            try server.stop(.immediate)
            try replica.promote()
            // The new server has no replica that a commit could wait for.
            try replica.execute("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
            let count = signals.all.count
            #expect(signals.wait { $0.dropFirst(count).contains { !$0.isEmpty } }, "Saves work again.")
            isDone.add("end")
            #expect(signals.wait { $0.filter { $0 == "end" }.count == writers })
            let names = signals.all.filter { !$0.isEmpty && $0 != "end" }
            let reader = try Library([replica], model: model).context
            let found = try reader.performAndWait { try reader.names("Book", "name BEGINSWITH '\(round)-'") }
            expectEqual(Set(names).subtracting(found), [], "Told as saved, and not there")
            expectEqual(Set(found).subtracting(names), [], "There, and told as not saved")
            expectEqual(found.count, Set(found).count, "There twice")
            saved += names.count
            thrown += signals.all.filter(\.isEmpty).count
            server = replica
        }
        print("Crashes with failover: \(saved) saves happened, \(thrown) threw")
    }
}
