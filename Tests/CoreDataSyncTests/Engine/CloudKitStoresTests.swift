import CoreData
import Foundation
import SwiftData
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataCloudKit
@testable import sync_simulator

@Suite("Stores with a server in place of CloudKit", .timeLimit(.minutes(TestRun.hangMinutes)))
struct CloudKitStoresTests {
    /// Notes travel, drafts stay at home.
    private static func model() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = ["Note", "Draft"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            let title = NSAttributeDescription()
            title.name = "title"
            title.attributeType = .stringAttributeType
            title.isOptional = true
            entity.properties = [title]
            return entity
        }
        model.setEntities(model.entities.filter { $0.name == "Note" }, forConfigurationName: "Cloud")
        model.setEntities(model.entities.filter { $0.name == "Draft" }, forConfigurationName: "Local")
        return model
    }

    private static func container(
        _ server: LocalServer, _ name: String, configurations: [String?] = ["Cloud", "Local"],
        cloudIsLast: Bool = false
    ) throws -> NSPersistentCloudKitContainer {
        let container = NSPersistentCloudKitContainer(name: name, managedObjectModel: model())
        let descriptions = configurations.enumerated().map { index, configuration in
            let description = NSPersistentStoreDescription(url: server.folder.file("\(name)-\(index).sqlite"))
            description.configuration = configuration
            if index == 0 { description.cloudKitContainerOptions = server.cloudKitOptions() }
            return description
        }
        container.persistentStoreDescriptions = cloudIsLast ? descriptions.reversed() : descriptions
        var failure: (any Error)?
        container.loadPersistentStores { failure = failure ?? $1 }
        if let failure { throw failure }
        return container
    }

    private static func titles(_ container: NSPersistentContainer, _ entity: String) async throws -> [String] {
        let context = container.newBackgroundContext()
        return try await context.perform {
            try context.all(entity).compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
    }

    private static func save(
        _ container: NSPersistentContainer, _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void
    ) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            try body(context)
            try context.save()
        }
    }

    @Test(
        "of one container: the one with the options syncs its configuration, the other stays local",
        arguments: [false, true])
    func twoStores(cloudIsLast: Bool) async throws {
        let server = try LocalServer(model: Self.model())
        let one = try Self.container(server, "one", cloudIsLast: cloudIsLast)
        let two = try Self.container(server, "two")
        for title in ["Milk", "Salt"] {
            // The transactions of both stores have the same numbers.
            try await Self.save(one) { context in
                for entity in ["Draft", "Note"] {
                    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                    object.setValue(title, forKey: "title")
                }
            }
        }
        try await Self.save(one) { context in
            for note in try context.all("Note") where note.value(forKey: "title") as? String == "Salt" {
                note.setValue("Sugar", forKey: "title")
            }
        }
        while try await Self.titles(two, "Note") != ["Milk", "Sugar"] { await Task.yield() }
        try await expectEqual(Self.titles(two, "Draft"), [])
        try await expectEqual(Self.titles(one, "Draft"), ["Milk", "Salt"])
        let context = server.serverContext
        try await expectEqual(context.perform { try context.count(for: .init(entityName: "Draft")) }, 0)
    }

    @Test("of a version whose configurations alone differ from those of the server's")
    func otherConfigurations() async throws {
        let model = Self.model()
        model.setEntities(model.entities, forConfigurationName: "Cloud")
        let server = try LocalServer(model: model, versions: [Self.model()])
        let one = try Self.container(server, "one")
        try await Self.save(one) { _ = $0.insert("Note", "title", "Milk") }
        let context = server.serverContext
        while try await context.perform({ try context.all("Note").isEmpty }) { await Task.yield() }
    }

    @Test("that may have the same entities aren't told apart: an event has the error")
    func sharedEntities() async throws {
        let server = try LocalServer(model: Self.model())
        let container = try Self.container(server, "one", configurations: [nil, "Local"])
        let context = container.newBackgroundContext()
        let result = try await context.perform {
            try context.execute(NSPersistentCloudKitContainerEventRequest())
                as? NSPersistentCloudKitContainerEventResult
        }
        let events = result?.result as? [NSPersistentCloudKitContainer.Event]
        expectEqual(events?.map(\.type), [.setup])
        expectFalse(events?[0].succeeded ?? true)
        expectContains(events?[0].error?.localizedDescription ?? "", "shares entities with another store")
    }

    @Test("of SwiftData sync by the name of their CloudKit database")
    func swiftData() async throws {
        let server = try LocalServer(
            model: try requireValue(NSManagedObjectModel.makeManagedObjectModel(for: [Wish.self])))
        let identifier = server.cloudKitOptions().containerIdentifier
        func container(_ name: String) throws -> ModelContainer {
            try ModelContainer(
                for: Wish.self,
                configurations: ModelConfiguration(
                    url: server.folder.file("\(name).sqlite"), cloudKitDatabase: .private(identifier)))
        }
        let (one, two) = (try container("one"), try container("two"))
        let context = ModelContext(one)
        context.insert(Wish(title: "A kite"))
        try context.save()
        while try ModelContext(two).fetch(FetchDescriptor<Wish>()).map(\.title) != ["A kite"] { await Task.yield() }
    }

    @Test("of SwiftData: a problem leads to the model of its object")
    func swiftDataProblem() async throws {
        let server = try LocalServer(model: requireValue(NSManagedObjectModel.makeManagedObjectModel(for: [Wish.self])))
        let url = server.folder.file("one.sqlite")
        let container = try ModelContainer(
            for: Wish.self,
            configurations: ModelConfiguration(
                url: url, cloudKitDatabase: .private(server.cloudKitOptions().containerIdentifier)))
        let context = ModelContext(container)
        let wish = Wish(title: "A kite")
        context.insert(wish)
        try context.save()
        let serverContext = server.serverContext
        while try await serverContext.perform({ try serverContext.all("Wish").isEmpty }) { await Task.yield() }
        let engine = try requireValue(NSPersistentCloudKitContainer.syncEngine(forStoreAt: url))
        try await engine.waitForPending()
        server.refuse(true)
        wish.title = "A boat"
        try context.save()
        try await engine.waitForPending()
        let problem = try requireValue(try await engine.problems().first)
        expectEqual(problem.value(forKey: "title") as? String, "A boat")
        let id = PersistentIdentifier(objectID: try requireValue(problem.objectID))
        expectEqual(id, wish.persistentModelID)
        expectEqual((ModelContext(container).model(for: id) as? Wish)?.title, "A kite")
    }

    @Test("of SwiftData sync again after all data were deleted")
    func deleteAllData() async throws {
        let server = try LocalServer(model: requireValue(NSManagedObjectModel.makeManagedObjectModel(for: [Wish.self])))
        let identifier = server.cloudKitOptions().containerIdentifier
        let container = try ModelContainer(
            for: Wish.self,
            configurations: ModelConfiguration(
                url: server.folder.file("one.sqlite"), cloudKitDatabase: .private(identifier)))
        func save(_ title: String) throws {
            let context = ModelContext(container)
            context.insert(Wish(title: title))
            try context.save()
        }
        func serverTitles() async throws -> [String] {
            let context = server.serverContext
            return try await context.perform {
                try context.all("Wish").compactMap { $0.value(forKey: "title") as? String }.sorted()
            }
        }
        try save("A kite")
        while try await serverTitles() != ["A kite"] { await Task.yield() }
        (container as any Emptied).deleteAllData()
        try save("A boat")
        while try await serverTitles() != ["A boat", "A kite"] { await Task.yield() }
    }

    @Test("whose container names no other one are for the server that was registered first")
    func firstServer() async throws {
        await #expect(processExitsWith: .success) {
            func identifier() -> String? {
                let container = NSPersistentCloudKitContainer(name: "Notes", managedObjectModel: NSManagedObjectModel())
                return container.persistentStoreDescriptions.first?.cloudKitContainerOptions?.containerIdentifier
            }
            let url = URL(fileURLWithPath: "/")
            let before = identifier()
            for name in ["iCloud.first", "iCloud.second"] {
                NSPersistentCloudKitContainer.register(url, for: name) { "token" }
            }
            guard before == nil, identifier() == "iCloud.first" else { exit(1) }
        }
    }
}

/// Calls a deprecated function without a warning.
private protocol Emptied { func deleteAllData() }
extension ModelContainer: Emptied {}

@Model
private final class Wish {
    var title = ""

    init(title: String) { self.title = title }
}
