import CoreData
import CoreDataSync
import CoreDataSyncServer
import Foundation
import Logging
import ServiceLifecycle
import Testing

@testable import ServeCommand

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server over a new store, which listens at a free port.
struct RunningServer {
    static let annsToken = "0123456789abcdef"
    static let bensToken = "fedcba9876543210"
    static let model = """
        List {
            id: uuid, required
            title: string
            owner: string
            secret: string { user-info { syncIgnore: "yes" } }
            picture: binary
            to-many items: Item, inverse: list, delete: cascade
            unique id
        }
        Item {
            name: string
            to-one list: List, inverse: items
        }
        fetch mine: List, predicate: "owner == $USER"
        fetch titled: List, predicate: "title == $TITLE"
        fetch shortItems: List, predicate: "items.@count < $COUNT"
        fetch itemsOf: Item, predicate: "list.title == $TITLE"
        fetch badName: List, predicate: "title == $limit"
        fetch untyped: List, predicate: "SUBQUERY(items, $i, $i.name == $NAME).@count > 0"
        """

    let url: URL
    let folder: URL
    let settings: Server.Settings
    /// Tells the server to end.
    let end: @Sendable () -> Void

    /// Runs a body beside a server.
    ///
    /// - Parameter change: changes the settings of a server with the users ann and ben.
    static func run(
        settings change: (inout Server.Settings) -> Void = { _ in },
        _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-serve-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = folder.appendingPathComponent("Lists.coredata")
        try Self.model.write(to: model, atomically: true, encoding: .utf8)
        var settings = Server.Settings(
            model: model, store: folder.appendingPathComponent("server.sqlite"),
            accounts: Accounts(tokens: try UserTokens("ann \(annsToken)\nben \(bensToken)", name: "tokens")))
        (settings.port, settings.makesStore) = (0, true)
        change(&settings)
        try await serve(settings, folder, body)
    }

    /// Runs a body beside another server over the same store. This one has nothing to do meanwhile.
    func runAgain(
        settings change: (inout Server.Settings) -> Void,
        _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        var settings = settings
        change(&settings)
        try await Self.serve(settings, folder, body)
    }

    private static func serve(
        _ settings: Server.Settings, _ folder: URL, _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let server = try Server(settings)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let services = ServiceGroup(
                services: [server.application { port.yield($0) }], logger: Logger(label: "test"))
            group.addTask { try await services.run() }
            for await number in ports {
                let url = URL(string: "http://127.0.0.1:\(number)")!
                let running = RunningServer(url: url, folder: folder, settings: settings) {
                    Task { await services.triggerGracefulShutdown() }
                }
                try await body(running)
                break
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
        server.close()
    }

    func status(_ path: String, method: String = "GET", token: String? = nil, body: Data? = nil) async throws -> Int {
        try await answer(path, method: method, token: token, body: body).status
    }

    /// The status and the text of an answer.
    ///
    /// - Parameter path: a path, which may have a query.
    func answer(
        _ path: String, method: String = "GET", token: String? = nil, body: Data? = nil
    ) async throws -> (status: Int, text: String) {
        var request = URLRequest(url: try #require(URL(string: "\(url.absoluteString)/\(path)")))
        request.httpMethod = method
        request.httpBody = body
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    /// The app of a device.
    func device(_ name: String, token: String) throws -> (NSPersistentContainer, SyncEngine) {
        guard let model = NSManagedObjectModel(contentsOf: folder.appendingPathComponent("Lists.coredata")) else {
            throw ServeError("No model.")
        }
        let container = NSPersistentContainer(name: name, managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("\(name).sqlite"))
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in
            if let error { Issue.record(error) }
        }
        return (container, try SyncEngine(container, server: url) { token })
    }
}

extension NSPersistentContainer {
    func insert(_ title: String, items: Int, owner: String? = nil) async throws {
        try await performBackgroundTask { context in
            let list = NSEntityDescription.insertNewObject(forEntityName: "List", into: context)
            list.setValue(UUID(), forKey: "id")
            list.setValue(title, forKey: "title")
            list.setValue(owner, forKey: "owner")
            for number in 0..<items {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValue("\(number)", forKey: "name")
                item.setValue(list, forKey: "list")
            }
            try context.save()
        }
    }

    func titles() async throws -> [String] {
        try await performBackgroundTask { context in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "List"))
                .compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
    }
}
