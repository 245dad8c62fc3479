import CoreData
import CoreDataSyncWire
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataCloudKit
@testable import CoreDataSync
@testable import sync_simulator

@Suite("A container with a server in place of CloudKit", .timeLimit(.minutes(TestRun.hangMinutes)))
struct CloudKitContainerTests {
    @Test("brings saves to another device, and posts events of both directions")
    func twoDevices() async throws {
        let server = try LocalServer()
        let (one, two) = (try CloudApp(server, "one"), try CloudApp(server, "two"))
        let events = two.events()
        try await one.save { $0.insertNote("Milk") }
        while try await two.titles() != ["Milk"] { await Task.yield() }
        let imported = await events.first { $0.type == .import && $0.endDate != nil }
        let event = try requireValue(imported)
        expectTrue(event.succeeded)
        expectEqual(event.error as NSError?, nil)
        expectEqual(event.storeIdentifier, two.store.identifier)
        let exported = try await one.recorded { $0.type == .export && $0.endDate != nil }
        expectTrue(exported.succeeded)
        let setup = try await one.recorded { $0.type == .setup && $0.endDate != nil }
        expectTrue(setup.succeeded)
        expectTrue(setup.startDate <= exported.startDate)
    }

    @Test("answers a request for events by date, by event, by a fetch request, and with their number")
    func requests() async throws {
        let server = try LocalServer()
        let app = try CloudApp(server, "one")
        let setup = try await app.recorded { $0.type == .setup && $0.endDate != nil }
        try await app.save { $0.insertNote("Milk") }
        let export = try await app.recorded { $0.type == .export && $0.endDate != nil }
        typealias Request = NSPersistentCloudKitContainerEventRequest
        try expectEqual(app.fetch(Request.fetchEvents(after: export)).map(\.identifier), [])
        try expectTrue(app.fetch(Request.fetchEvents(after: setup)).contains { $0.identifier == export.identifier })
        try expectEqual(app.fetch(Request.fetchEvents(after: Date.distantFuture)).count, 0)
        let fetch = Request.fetchForEvents()
        fetch.predicate = NSPredicate(format: "type == %d AND succeeded == YES", 0)
        fetch.sortDescriptors = [NSSortDescriptor(key: "startDate", ascending: false)]
        try expectEqual(app.fetch(Request.fetchEvents(matchingFetch: fetch)).map(\.identifier), [setup.identifier])
        let count = Request.fetchEvents(matchingFetch: fetch)
        count.resultType = .countEvents
        try expectEqual(app.result(count).result as? NSNumber, 1)
    }

    @Test("posts an event with the error while the server can't be reached, and goes on afterwards")
    func unreachable() async throws {
        let server = try LocalServer()
        server.connect(false)
        let app = try CloudApp(server, "one")
        try await app.save { $0.insertNote("Milk") }
        let failed = try await app.recorded { $0.type == .import && $0.error != nil }
        expectFalse(failed.succeeded)
        expectEqual((failed.error as? URLError)?.code, .cannotConnectToHost)
        server.connect(true)
        try await app.engine().syncNow()
        let exported = try await app.recorded { $0.type == .export && $0.endDate != nil }
        expectTrue(exported.succeeded)
    }

    @Test("sends the objects that a store had before")
    func objectsBefore() async throws {
        let server = try LocalServer()
        let file = server.folder.file("one.sqlite")
        let local = NSPersistentContainer(name: "one", managedObjectModel: SimulationModel.model)
        local.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        local.persistentStoreDescriptions[0].setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        local.loadPersistentStores { expectEqual($1 as NSError?, nil) }
        let context = local.newBackgroundContext()
        try await context.perform {
            context.insertNote("Milk")
            try context.save()
        }
        try local.persistentStoreCoordinator.remove(local.persistentStoreCoordinator.persistentStores[0])
        let (one, two) = (try CloudApp(server, "one"), try CloudApp(server, "two"))
        while try await two.titles() != ["Milk"] { await Task.yield() }
        try await expectEqual(one.titles(), ["Milk"])
    }

    @Test("syncs no store whose description names no container")
    func localStore() async throws {
        let server = try LocalServer()
        let app = try CloudApp(server, "one", identifier: nil)
        expectTrue(app.container.syncEngine(for: app.store) == nil)
        #expect(throws: CocoaError.self) { try app.container.initializeCloudKitSchema() }
        expectEqual(server.takePaths(), [])
    }

    @Test("stops when it is released, and another one goes on at once")
    func released() async throws {
        let server = try LocalServer()
        var app: CloudApp? = try CloudApp(server, "one")
        let engine = try requireValue(try app?.engine())
        _ = try await app?.recorded { $0.type == .setup && $0.endDate != nil }
        app = nil
        let next = try CloudApp(server, "one")
        while await engine.status.phase != .stopped { await Task.yield() }
        try await next.save { $0.insertNote("Milk") }
        _ = try await next.recorded { $0.type == .export && $0.endDate != nil }
    }

    @Test("stops for a store that is removed")
    func removed() async throws {
        let server = try LocalServer()
        let app = try CloudApp(server, "one")
        let engine = try app.engine()
        _ = try await app.recorded { $0.type == .setup && $0.endDate != nil }
        try app.container.persistentStoreCoordinator.remove(app.store)
        while await engine.status.phase != .stopped { await Task.yield() }
    }

    @Test("gives a store that was destroyed and made again the objects of the server")
    func destroyed() async throws {
        let server = try LocalServer()
        var app: CloudApp? = try CloudApp(server, "one")
        try await app?.save { $0.insertNote("Milk") }
        _ = try await app?.recorded { $0.type == .export && $0.endDate != nil }
        let coordinator = try requireValue(app?.container.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
        app = nil
        try coordinator.destroyPersistentStore(at: server.folder.file("one.sqlite"), type: .sqlite)
        let next = try CloudApp(server, "one")
        while try await next.titles() != ["Milk"] { await Task.yield() }
        try await next.save { $0.insertNote("Salt") }
        let other = try CloudApp(server, "two")
        while try await other.titles() != ["Milk", "Salt"] { await Task.yield() }
    }

    @Test("says what to do if the server can't be asked for its model")
    func unaskedSchema() async throws {
        let server = try LocalServer()
        let app = try CloudApp(server, "one")
        server.connect(false)
        let error = await #expect(throws: CocoaError.self) {
            try await onThread { try app.container.initializeCloudKitSchema() }
        }
        expectContains((error as NSError?)?.localizedRecoverySuggestion ?? "", "whether the server runs")
    }

    @Test("compares its model with the server's")
    func schema() async throws {
        let server = try LocalServer()
        let app = try CloudApp(server, "one")
        try await onThread { try app.container.initializeCloudKitSchema() }
        let model = try requireValue(SimulationModel.model.copy() as? NSManagedObjectModel)
        let entity = NSEntityDescription()
        entity.name = "Unknown"
        model.entities.append(entity)
        let other = try CloudApp(server, "two", model: model)
        let error = await #expect(throws: CocoaError.self) {
            try await onThread { try other.container.initializeCloudKitSchema(options: .dryRun) }
        }
        expectEqual(error?.code.rawValue, NSPersistentStoreOperationError)
        expectContains((error as NSError?)?.localizedFailureReason ?? "", "doesn't know the version")
    }

    /// Runs blocking work on a thread that no task needs.
    private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// An app with a container of CloudKit.
struct CloudApp: Sendable {
    let container: NSPersistentCloudKitContainer

    init(
        _ server: LocalServer, _ name: String, identifier: String? = "own",
        model: NSManagedObjectModel = SimulationModel.model
    ) throws {
        container = NSPersistentCloudKitContainer(name: name, managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: server.folder.file("\(name).sqlite"))
        description.cloudKitContainerOptions = identifier.map { _ in server.cloudKitOptions() }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }

    var store: NSPersistentStore { container.persistentStoreCoordinator.persistentStores[0] }

    func engine() throws -> SyncEngine { try requireValue(container.syncEngine(for: store)) }

    func save(_ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            try body(context)
            try context.save()
        }
    }

    func titles() async throws -> [String] {
        let context = container.newBackgroundContext()
        return try await context.perform {
            try context.all("Note").compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
    }

    /// The events that are posted from now on.
    func events() -> AsyncStream<NSPersistentCloudKitContainer.Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: NSPersistentCloudKitContainer.Event.self)
        let observer = NotificationCenter.default.addObserver(
            forName: NSPersistentCloudKitContainer.eventChangedNotification, object: container, queue: nil
        ) {
            let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
            if let event = $0.userInfo?[key] as? NSPersistentCloudKitContainer.Event { continuation.yield(event) }
        }
        let kept = Kept(observer)
        continuation.onTermination = { _ in NotificationCenter.default.removeObserver(kept.value) }
        return stream
    }

    private struct Kept<Value>: @unchecked Sendable {
        // Sendable: nothing changes the value meanwhile.
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    func result(
        _ request: NSPersistentCloudKitContainerEventRequest
    ) throws -> NSPersistentCloudKitContainerEventResult {
        let (context, request) = (container.newBackgroundContext(), Kept(request))
        let result = try context.performAndWait { Kept(try context.execute(request.value)) }
        return try requireValue(result.value as? NSPersistentCloudKitContainerEventResult)
    }

    func fetch(
        _ request: NSPersistentCloudKitContainerEventRequest = NSPersistentCloudKitContainerEventRequest()
    ) throws -> [NSPersistentCloudKitContainer.Event] {
        try requireValue(try result(request).result as? [NSPersistentCloudKitContainer.Event])
    }

    /// Waits for an event that a request finds.
    func recorded(
        _ isWanted: (NSPersistentCloudKitContainer.Event) -> Bool
    ) async throws -> NSPersistentCloudKitContainer.Event {
        while true {
            if let event = try fetch().first(where: isWanted) { return event }
            await Task.yield()
        }
    }
}

extension LocalServer {
    /// The options of stores that sync with the server.
    func cloudKitOptions() -> NSPersistentCloudKitContainerOptions {
        let identifier = "iCloud.\(folder.url.lastPathComponent)"
        let transport = RegisteredTransport(server: self)
        NSPersistentCloudKitContainer.register(identifier, isFirst: false) { transport }
        return NSPersistentCloudKitContainerOptions(containerIdentifier: identifier)
    }
}

/// The way to a server that goes with its test, while its registration stays.
private struct RegisteredTransport: SyncTransport, @unchecked Sendable {
    // Sendable: weak references are atomic, and nothing writes this one.
    weak var server: LocalServer?

    func answer(_ request: SyncRequest) async throws -> SyncResponse {
        guard let server else { throw URLError(.cannotConnectToHost) }
        return try await LocalTransport(server: server).answer(request)
    }

    func news() -> AsyncThrowingStream<Void, any Error> {
        server?.listen() ?? AsyncThrowingStream { $0.finish(throwing: URLError(.cannotConnectToHost)) }
    }
}
