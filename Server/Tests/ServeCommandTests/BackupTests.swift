import CoreData
import CoreDataSync
import CoreDataSyncServer
import Foundation
import Testing

@testable import ServeCommand

@Suite("A backup", .timeLimit(.minutes(2))) struct BackupTests {
    /// The position of the newest backup that a server's store knows.
    private static func notedPosition(_ server: RunningServer) throws -> Int64? {
        let model = try #require(
            NSManagedObjectModel(contentsOf: server.folder.appendingPathComponent("Lists.coredata")))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try SyncServer.model(for: model))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: server.settings.store,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let state = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "SyncServerState")).first
            return (state?.value(forKey: "backup") as? NSNumber)?.int64Value
        }
    }

    @Test("is noted by the administrator alone")
    func administrator() async throws {
        try await RunningServer.run(settings: { $0.administrator = "ann" }) { server in
            for method in ["GET", "POST"] {
                let body = method == "POST" ? Data("0".utf8) : nil
                let stranger = try await server.status("backup", method: method, body: body)
                #expect(stranger == 401)
                let ben = try await server.status(
                    "backup", method: method, token: RunningServer.bensToken, body: body)
                #expect(ben == 403)
            }
        }
        try await RunningServer.run { server in
            let status = try await server.status("backup", token: RunningServer.annsToken)
            #expect(status == 404)
        }
    }

    @Test("is noted with the position that the server had before the copy")
    func position() async throws {
        try await RunningServer.run(settings: { $0.administrator = "ann" }) { server in
            let token = RunningServer.annsToken
            let (container, engine) = try server.device("one", token: token)
            try await engine.start()
            try await container.insert("Food", items: 1)
            try await engine.waitForPending()
            let answer = try await server.answer("backup", token: token)
            #expect(answer.status == 200)
            try await container.insert("Tea", items: 1)
            try await engine.waitForPending()
            await engine.stop()
            let body = Data(answer.text.utf8)
            #expect(try await server.status("backup", method: "POST", token: token, body: body) == 204)
            let position = try #require(Int64(answer.text.trimmingCharacters(in: .newlines)))
            #expect(position > 0)
            #expect(try Self.notedPosition(server) == position)
        }
    }

    @Test("has a position that the server has had", arguments: ["", "one", "-1", "1000", "1 1"])
    func badPositions(_ text: String) async throws {
        try await RunningServer.run(settings: { $0.administrator = "ann" }) { server in
            let body = Data(text.utf8)
            let token = RunningServer.annsToken
            let status = try await server.status("backup", method: "POST", token: token, body: body)
            #expect(status == 400)
        }
    }
}
