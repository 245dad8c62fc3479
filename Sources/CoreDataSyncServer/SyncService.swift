// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The server's half of sync: answers requests over the stores of a container, whose model has the entities of
/// ``SyncServerModel``. It knows nothing of the network.
///
/// Any thread may ask. Requests are answered one after the other on the queue of a context.
package final class SyncService: @unchecked Sendable {
    let schema: SyncSchema
    let context: NSManagedObjectContext
    /// The time, in seconds since the reference date.
    let now: () -> Double
    /// A random number for a new position.
    let makeNonce: () -> Int64
    let limits: SyncLimits
    let variant: SyncServerVariant

    /// - Parameters:
    ///   - coordinator: has the app's stores. No other author calls itself ``author``.
    ///   - now: the clock.
    ///   - makeNonce: random numbers.
    /// - Throws: ``SyncSchemaError`` for a mistake in the model's user info.
    package init(
        _ coordinator: NSPersistentStoreCoordinator, limits: SyncLimits = SyncLimits(),
        variant: SyncServerVariant = SyncServerVariant(),
        now: @escaping () -> Double = { Date().timeIntervalSinceReferenceDate },
        makeNonce: @escaping () -> Int64 = { .random(in: .min ... .max) }
    ) throws {
        schema = try SyncSchema(coordinator.managedObjectModel)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = Self.author
        context.undoManager = nil
        context.mergePolicy = NSErrorMergePolicy
        self.now = now
        self.makeNonce = makeNonce
        self.limits = limits
        self.variant = variant
    }

    /// The author of the server's saves in the history of the store.
    static let author = "sync"

    /// Answers a request.
    ///
    /// - Parameter account: the account that the token of the request belongs to.
    package func answer(_ request: SyncRequest, account: String) -> SyncResponse {
        context.performAndWait {
            context.reset()
            do {
                switch request {
                case .session(let replica): return .session(try session(replica, account: account))
                case .changes(let replica, let since, let after):
                    return .changes(try changes(replica, since: since, after: after))
                case .push(let bytes):
                    let (number, answer) = try SyncPushRun(self, bytes).answer()
                    return .push(number: number, answer)
                }
            } catch let failure as SyncFailure {
                return .failure(failure)
            } catch {
                return .failure(SyncFailure(.unavailable, "The server can't answer now. Try again later."))
            }
        }
    }

    private func session(_ replica: UUID, account: String) throws -> SyncSession {
        SyncSession(
            account: account, position: try state().position,
            answeredPush: try replicaRecord(replica)?.answeredPush ?? 0, time: now())
    }

    // MARK: Rows

    /// The row with the counters. The first request makes it.
    func state() throws -> SyncServerState {
        let request = NSFetchRequest<SyncServerState>(entityName: "SyncServerState")
        if let state = try context.fetch(request).first { return state }
        return NSEntityDescription.insertNewObject(forEntityName: "SyncServerState", into: context) as? SyncServerState
            ?? SyncServerState(context: context)
    }

    func replicaRecord(_ replica: UUID) throws -> SyncReplicaRecord? {
        let request = NSFetchRequest<SyncReplicaRecord>(entityName: "SyncReplica")
        request.predicate = NSPredicate(format: "replica == %@", replica as NSUUID)
        return try context.fetch(request).first
    }

    func records(_ identities: [UUID]) throws -> [UUID: SyncRecord] {
        guard !identities.isEmpty else { return [:] }
        let request = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
        request.predicate = NSPredicate(format: "identity IN %@", identities)
        return Dictionary(uniqueKeysWithValues: try context.fetch(request).map { ($0.identity, $0) })
    }

    /// The records of objects, by their IDs.
    func records(of objects: some Collection<NSManagedObjectID>) throws -> [NSManagedObjectID: SyncRecord] {
        guard !objects.isEmpty else { return [:] }
        let byName = Dictionary(grouping: objects) { $0.entity.name ?? "" }
        var result: [NSManagedObjectID: SyncRecord] = [:]
        for (name, ids) in byName {
            let byKey = Dictionary(ids.map { (SyncObjectKey.key(of: $0), $0) }) { one, _ in one }
            let request = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
            request.predicate = NSPredicate(
                format: "isAlive == YES AND entityName == %@ AND key IN %@", name, Array(byKey.keys))
            for record in try context.fetch(request) {
                if let id = byKey[record.key] { result[id] = record }
            }
        }
        return result
    }

    /// The object of a record; nil if it isn't in the store.
    func object(of record: SyncRecord) throws -> NSManagedObject? {
        guard record.isAlive, let id = id(of: record) else { return nil }
        do {
            return try context.existingObject(with: id)
        } catch CocoaError.managedObjectReferentialIntegrity {
            return nil
        }
    }

    func id(of record: SyncRecord) -> NSManagedObjectID? {
        guard let coordinator = context.persistentStoreCoordinator else { return nil }
        return SyncObjectKey.id(record.key, record.entityName, in: coordinator)
    }
}

/// How much a server accepts.
package struct SyncLimits: Sendable {
    /// The largest push, in bytes.
    var pushBytes = 16 << 20
    /// The number of objects after which a page of changes ends.
    package var pageObjects = 1000

    package init() {}
}

/// Mistakes that a simulation makes in the server, to see that its checks find them. A server has none.
package struct SyncServerVariant: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A position is accepted whatever its nonce is.
    package static let ignoresNonces = SyncServerVariant(rawValue: 1 << 0)
    /// A push that was answered is done again.
    package static let forgetsAnswers = SyncServerVariant(rawValue: 1 << 1)
    /// A change always wins.
    package static let ignoresBases = SyncServerVariant(rawValue: 1 << 2)
    /// A page ends wherever it is full, and counts as the last.
    package static let cutsPages = SyncServerVariant(rawValue: 1 << 5)
    /// The time of a change may be in the future.
    package static let trustsClocks = SyncServerVariant(rawValue: 1 << 6)
}
