import CoreData
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("A store that is prepared for a migration", .timeLimit(.minutes(5))) struct MigrationPreparationTests {
    /// Notes travel, drafts stay at home. The second version has another name for titles, and a new attribute.
    private static func model(_ version: Int) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = ["Note", "Draft"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = (version == 1 ? ["title", "place"] : ["heading", "place", "mood"]).map { name in
                let attribute = NSAttributeDescription()
                attribute.name = name
                attribute.attributeType = .stringAttributeType
                attribute.isOptional = true
                if name == "heading" { attribute.renamingIdentifier = "title" }
                return attribute
            }
            return entity
        }
        model.setEntities(model.entities.filter { $0.name == "Note" }, forConfigurationName: "Cloud")
        model.setEntities(model.entities.filter { $0.name == "Draft" }, forConfigurationName: "Local")
        return model
    }

    /// A device, with a store for each configuration or one for both.
    private final class Device: Sendable {
        let container: NSPersistentContainer
        let engine: SyncEngine
        private let key: String

        init(_ server: LocalServer, _ name: String, version: Int, configurations: [String?]) throws {
            key = version == 1 ? "title" : "heading"
            container = NSPersistentContainer(
                name: name, managedObjectModel: MigrationPreparationTests.model(version))
            container.persistentStoreDescriptions = configurations.map {
                MigrationPreparationTests.description(server, name, $0)
            }
            var failure: (any Error)?
            container.loadPersistentStores { failure = failure ?? $1 }
            if let failure { throw failure }
            let coordinator = container.persistentStoreCoordinator
            engine = try SyncEngine(
                coordinator, SyncEngine.Configuration(), LocalTransport(server: server),
                store: coordinator.persistentStores.first)
        }

        func save(_ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
            let context = container.newBackgroundContext()
            try await context.perform {
                try body(context)
                try context.save()
            }
        }

        /// Gives the one note a title.
        func change(_ title: String) async throws {
            try await save { [key] in try $0.first("Note").setValue(title, forKey: key) }
        }

        func titles() async throws -> [String] {
            let context = container.newBackgroundContext()
            return try await context.perform { [key] in
                try context.all("Note").compactMap { $0.value(forKey: key) as? String }.sorted()
            }
        }

        /// Ends the app.
        func end() async throws {
            await engine.stop()
            let coordinator = container.persistentStoreCoordinator
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }

    private static func description(
        _ server: LocalServer, _ name: String, _ configuration: String?
    ) -> NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(url: server.folder.file("\(name)\(configuration ?? "").sqlite"))
        description.configuration = configuration
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        return description
    }

    private static func server() throws -> LocalServer { try LocalServer(model: model(2), versions: [model(1)]) }

    @Test(
        "keeps the times of changes that wait: a later change wins",
        arguments: [[nil], ["Cloud", "Local"]], [true, false])
    func times(_ configurations: [String?], isPrepared: Bool) async throws {
        let server = try Self.server()
        let one = try Device(server, "one", version: 1, configurations: configurations)
        try await one.engine.start()
        try await one.save { _ = $0.insert("Note", "title", "first") }
        try await one.engine.waitForPending()
        await one.engine.stop()
        let two = try Device(server, "two", version: 1, configurations: configurations)
        try await two.engine.start()
        try await two.engine.syncNow()
        try await two.change("two")
        try await two.engine.waitForPending()
        try await one.change("one")
        try await one.end()
        if isPrepared {
            try SyncEngine.prepareForMigration(
                of: Self.description(server, "one", configurations[0]), from: [Self.model(1)])
        }
        let updated = try Device(server, "one", version: 2, configurations: configurations)
        try await updated.engine.start()
        try await updated.engine.waitForPending()
        try await two.engine.syncNow()
        // Without the preparation the time of the change isn't known: it counts as older.
        let expected = isPrepared ? "one" : "two"
        try await expectEqual(updated.titles(), [expected])
        try await expectEqual(two.titles(), [expected])
        for device in [updated, two] { try await device.end() }
    }

    @Test("isn't made: a store that isn't there, that never synced or that has another model stays as it is")
    func nothingToDo() async throws {
        let server = try Self.server()
        let description = Self.description(server, "one", nil)
        try SyncEngine.prepareForMigration(of: description, from: [Self.model(1)])
        expectFalse(FileManager.default.fileExists(atPath: server.folder.file("one.sqlite").path))
        let device = try Device(server, "two", version: 1, configurations: [nil])
        try await device.end()
        let side = server.folder.file("two-sync.sqlite")
        try FileManager.default.removeItem(at: side)
        let other = Self.description(server, "two", nil)
        try SyncEngine.prepareForMigration(of: other, from: [Self.model(1)])
        expectFalse(FileManager.default.fileExists(atPath: side.path))
        let synced = try Device(server, "two", version: 1, configurations: [nil])
        try await synced.end()
        try SyncEngine.prepareForMigration(of: other, from: [])
        try SyncEngine.prepareForMigration(of: other, from: [Self.model(2)])
    }

    @Test("isn't synced by another process meanwhile")
    func otherProcess() async throws {
        let server = try Self.server()
        let device = try Device(server, "one", version: 1, configurations: [nil])
        try await device.engine.start()
        try await device.engine.syncNow()
        #expect(throws: SyncEngineError.otherProcess) {
            try SyncEngine.prepareForMigration(of: Self.description(server, "one", nil), from: [Self.model(1)])
        }
        await device.engine.stop()
        try SyncEngine.prepareForMigration(of: Self.description(server, "one", nil), from: [Self.model(1)])
        try await device.engine.start()
        try await device.engine.syncNow()
        try await device.end()
    }
}
