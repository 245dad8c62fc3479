// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The server's half of sync: answers the requests of devices over the store of a coordinator.
///
/// The program has the web framework. It gives each POST below the path `sync` to ``respond(to:body:account:)``, with
/// the account that its token belongs to, and sends ``news(for:)`` to those that listen at `sync/news`. The program
/// `coredata-serve` is such a server.
///
/// The store has the model of the app, with what the server keeps beside it: ``model(for:)``. It has a persistent
/// history. The server's own program, and others, may save into it, too: devices get what they save.
///
/// May be used by any task.
public final class SyncServer: @unchecked Sendable {
    // Sendable: the queue guards the service, and the streams have a lock.

    /// How a server works.
    public struct Configuration: @unchecked Sendable {
        // Sendable: models that are in use never change.

        /// The parts of the store that accounts may have; none for the whole store.
        public var scopes: [SyncScope] = []
        /// The older versions of the app's model that devices may have, the oldest first.
        public var versions: [NSManagedObjectModel] = []
        /// Decides whether an account may change an object of its scopes; nil for each change.
        public var authorize: SyncWrite.Authorization?
        /// Decides about properties whose policy is `hook`.
        public var hook: SyncConflict.Hook?
        /// How much the server accepts.
        public var limits = SyncLimits()
        /// The seconds for which the server knows of objects that were deleted, or left a scope: 30 days. A device that
        /// was away for longer compares itself with all objects.
        public var deletionLifetime = 30.0 * 24 * 60 * 60
        /// Called with the error for which a request isn't answered. Devices don't see it.
        public var report: @Sendable (any Error) -> Void = { _ in }

        /// Makes a configuration with the values above.
        public init() {}
    }

    /// An answer.
    public struct Response: Sendable {
        /// The status of HTTP.
        public let status: Int
        /// The type of the body.
        public let contentType: String
        /// The body.
        public let body: Data
        /// The seconds after which the device may try again, for the header `Retry-After`; nil without one.
        public let retryAfter: Int?
    }

    private let service: SyncService
    private let queue = DispatchQueue(label: "CoreDataSync.SyncServer")
    private let watch: SyncPositionWatch
    /// The number of the requests that wait for their answers.
    private let waiting = WaitingCount()
    private static let mostWaiting = 256

    /// Makes a server over the stores of a coordinator.
    ///
    /// - Parameters:
    ///   - coordinator: has the store. No other author of its history calls itself `sync`.
    ///   - configuration: how the server works.
    /// - Throws: errors that name the mistake in the user info of the model, and the template that can't be a scope.
    public init(_ coordinator: NSPersistentStoreCoordinator, _ configuration: Configuration = Configuration()) throws {
        service = try SyncService(
            coordinator, versions: configuration.versions, scopes: configuration.scopes,
            authorize: configuration.authorize, hook: configuration.hook, limits: configuration.limits,
            report: configuration.report)
        watch = SyncPositionWatch(service, coordinator, queue)
        forgetDeletions(after: 60, configuration)
    }

    /// Forgets old deletions, and does so again each day.
    private func forgetDeletions(after seconds: Double, _ configuration: Configuration) {
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self else { return }
            do {
                let now = Date().timeIntervalSinceReferenceDate
                try service.forgetDeadObjects(before: now - configuration.deletionLifetime)
            } catch {
                configuration.report(error)
            }
            forgetDeletions(after: 24 * 60 * 60, configuration)
        }
    }

    /// The model of a server's store: that of the app, with the entities in which the server keeps what it knows of the
    /// devices.
    ///
    /// - Parameter model: the model of the app. It isn't changed.
    /// - Throws: an error if the app has entities of the same names.
    public static func model(for model: NSManagedObjectModel) throws -> NSManagedObjectModel {
        guard let merged = SyncServerModel.merged(with: model) else {
            throw SyncSchemaError(
                entity: "", property: nil,
                text: "The model of the app has an entity with the name of one of the server's, such as SyncObject.")
        }
        return merged
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - path: the path of the request below the server's URL, such as `sync/push`.
    ///   - body: the body, of ``mostBytes(of:)`` at most.
    ///   - account: the account that the request's token belongs to.
    /// - Returns: the answer; nil for a path of no request.
    public func respond(to path: String, body: Data, account: SyncAccount) async -> Response? {
        let request: SyncRequest
        do {
            guard let read = try SyncHTTP.request(path: path, body: body) else { return nil }
            request = read
        } catch {
            return Self.message(.failure(error))
        }
        // Devices whose connections have ended try again: their requests don't pile up.
        guard waiting.take(most: Self.mostWaiting) else {
            return Self.message(.failure(SyncFailure(.unavailable, "The server is busy.")))
        }
        defer { waiting.giveBack() }
        let service = service
        return Self.message(await queue.run { service.answer(request, account: account) })
    }

    /// The most bytes that the body of a request may have. The program reads no more.
    ///
    /// - Parameter path: the path of the request below the server's URL.
    public func mostBytes(of path: String) -> Int {
        switch path {
        case "sync/push": service.limits.pushBytes + Self.headBytes
        case "sync/upload": service.limits.partBytes + Self.headBytes
        default: Self.headBytes
        }
    }

    /// The most bytes of a request without the bytes of a push or of a part.
    private static let headBytes = 64 << 10

    private static func message(_ response: SyncResponse) -> Response {
        do {
            let message = try SyncHTTP.message(response)
            // Devices that wait for the same server don't come back together.
            return Response(
                status: message.status, contentType: message.type, body: message.body,
                retryAfter: message.status == 503 ? .random(in: 1...5) : nil)
        } catch {
            return Response(status: 500, contentType: SyncHTTP.json, body: Data(), retryAfter: nil)
        }
    }

    /// Selects the objects of an entity that an account may have, for requests of the program itself: the objects of
    /// its scopes, or all objects of a server without scopes. Subentities have other predicates: fetch without them.
    ///
    /// - Parameters:
    ///   - account: the account, with the constants of its token.
    ///   - entity: the entity of the objects, of the model of the server's store.
    /// - Returns: a predicate that selects nothing for an entity that doesn't travel.
    /// - Throws: an error that names the constant which a scope needs and the account hasn't.
    public func predicate(for account: SyncAccount, of entity: NSEntityDescription) throws -> NSPredicate {
        try service.predicate(for: account, of: entity)
    }

    /// The names of the attributes of an entity that travel; none for an entity that doesn't.
    ///
    /// - Parameter entity: an entity of the model of the server's store.
    public func attributes(of entity: NSEntityDescription) -> Set<String> {
        let keys = service.schema.entity(entity)?.properties.values.map(\.key) ?? []
        return Set(keys).intersection(entity.attributesByName.keys)
    }

    /// The number of the newest position that the server has noticed, without asking the store.
    public var noticedPosition: Int64? { watch.noticedPosition }

    /// News for a device that listens: an element when the store may have a new position. Several saves may be one.
    public func news() -> AsyncStream<Void> { watch.listen(nil) }

    /// News for a device of an account: an element when the store may have changes of the account's scopes. On a server
    /// without scopes these are all news.
    ///
    /// - Parameter account: the account that the request's token belongs to.
    public func news(for account: SyncAccount) -> AsyncStream<Void> { watch.listen(account) }

    /// The number of streams of ``news()`` and ``news(for:)`` that are read.
    public var listenerCount: Int { watch.listenerCount }

    /// The text of an element of ``news()`` in the form of server-sent events.
    public static let event = "event: \(SyncHTTP.newsEvent)\ndata: \n\n"

    /// The number of the newest position. A copy of the store that is made after the call has it.
    ///
    /// - Throws: errors of the store.
    public func position() async throws -> Int64 { try await onQueue { try $0.newestPosition } }

    /// Notes that a backup of the store has a position: devices forget what they keep for the case that the server is
    /// restored from an older one.
    ///
    /// - Parameter position: ``position()`` as it was before the copy was begun.
    /// - Throws: errors of the store.
    public func noteBackup(of position: Int64) async throws { try await onQueue { try $0.noteBackup(of: position) } }

    /// Gives positions to all that the server's program has saved. Call it before a migration of the store, which may
    /// end the history: otherwise devices get all objects again.
    ///
    /// - Throws: errors of the store.
    public func noteSaves() async throws { try await onQueue { try $0.noteSaves() } }

    /// Says that the store was set back by other means than a backup of it that has all its files.
    ///
    /// - Throws: errors of the store.
    public func beginEpoch() async throws { try await onQueue { try $0.beginEpoch() } }

    /// Runs a piece of work on the server's queue: it blocks.
    private func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable (SyncService) throws -> Result
    ) async throws -> Result {
        let service = service
        return try await queue.run { try body(service) }
    }
}

/// A number with a lock.
private final class WaitingCount: @unchecked Sendable {
    // Sendable: the lock guards the number.
    private let lock = NSLock()
    private var number = 0

    /// Adds one, unless there are this many.
    func take(most: Int) -> Bool {
        lock.withLock {
            guard number < most else { return false }
            number += 1
            return true
        }
    }

    func giveBack() { lock.withLock { number -= 1 } }
}
