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
    let makeUUID: () -> UUID
    /// The newest transaction of the store when its history was looked at last.
    var seenToken: NSPersistentHistoryToken?
    /// Called with the changes of the server's own program that get a position.
    package var log: (([SyncObjectChange]) -> Void)?
    let limits: SyncLimits
    let variant: SyncServerVariant
    /// Called before each group of a push, and after each save.
    private let step: (SyncServerStep) throws -> Void
    let report: (any Error) -> Void
    let hook: SyncConflict.Hook?
    /// The parts of the store that accounts may have; nil for all objects.
    let scopes: SyncScopes?
    let authorize: SyncWrite.Authorization?
    let versions: SyncVersions
    /// The large value of which a replica has asked for a part last.
    var sentValue: (object: UUID, blob: SyncBlob, data: Data)?
    /// The rows that a request looks up several times.
    var found = SyncFoundRows()
    /// The last changes of scopes that a page had, and what they depend on.
    var knownScopeChanges: (key: [Int64], changes: SyncScopeChanges)?

    /// - Parameters:
    ///   - coordinator: has the app's stores. No other author calls itself ``author``.
    ///   - versions: the older versions of the model that replicas may have, the oldest first.
    ///   - scopes: the parts that replicas may have, as templates of the model; none for all objects.
    ///   - authorize: decides whether an account may change an object of its scopes.
    ///   - hook: decides about properties whose policy is `hook`.
    ///   - now: the clock.
    ///   - makeNonce: random numbers.
    ///   - makeUUID: identifies an object of the server's own program.
    ///   - step: called at each step that a failure may interrupt.
    ///   - report: called with the error for which a request isn't answered. Replicas don't see it.
    /// - Throws: ``SyncSchemaError`` for a mistake in the model's user info, and for a policy `hook` without a hook;
    ///   ``SyncScopeError`` for a template that can't be a scope.
    package init(
        _ coordinator: NSPersistentStoreCoordinator, versions: [NSManagedObjectModel] = [], scopes: [SyncScope] = [],
        authorize: SyncWrite.Authorization? = nil, hook: SyncConflict.Hook? = nil, limits: SyncLimits = SyncLimits(),
        variant: SyncServerVariant = SyncServerVariant(),
        now: @escaping () -> Double = { Date().timeIntervalSinceReferenceDate },
        makeNonce: @escaping () -> Int64 = { .random(in: .min ... .max) },
        makeUUID: @escaping () -> UUID = { UUID() }, step: @escaping (SyncServerStep) throws -> Void = { _ in },
        report: @escaping (any Error) -> Void = { _ in }
    ) throws {
        var options = SyncSchema.Options()
        options.renames = !variant.contains(.ignoresRenames)
        options.leastBlobBytes = limits.leastBlobBytes
        schema = try SyncSchema(coordinator.managedObjectModel, options)
        self.versions = try SyncVersions(versions, before: coordinator.managedObjectModel, schema, variant)
        if hook == nil { try Self.checkHooks(schema) }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = Self.author
        context.undoManager = nil
        context.mergePolicy = NSErrorMergePolicy
        self.scopes = scopes.isEmpty ? nil : try SyncScopes(scopes, coordinator.managedObjectModel, schema)
        self.authorize = authorize
        self.hook = hook
        self.now = now
        self.makeNonce = makeNonce
        self.limits = limits
        self.variant = variant
        self.makeUUID = makeUUID
        self.step = step
        self.report = report
    }

    private static func checkHooks(_ schema: SyncSchema) throws {
        for entity in schema.entities.values.sorted(by: { $0.name < $1.name }) {
            guard let property = entity.properties.values.first(where: { $0.policy == .hook }) else { continue }
            throw SyncSchemaError(
                entity: entity.modelName, property: property.key,
                text: "The server needs a hook that decides about the property.")
        }
    }

    /// The author of the server's saves in the history of the store.
    static let author = "sync"

    /// Answers a request of an account without constants but its name.
    package func answer(_ request: SyncRequest, account: String) -> SyncResponse {
        answer(request, account: SyncAccount(account))
    }

    /// Answers a request.
    ///
    /// - Parameter account: the account that the token of the request belongs to, and the constants of the token.
    package func answer(_ request: SyncRequest, account: SyncAccount) -> SyncResponse {
        context.performAndWait {
            do {
                return try answerOnQueue(request, account: account)
            } catch let failure as SyncFailure {
                return .failure(failure)
            } catch {
                report(error)
                undo()
                return .failure(SyncFailure(.unavailable, "The server can't answer now. Try again later."))
            }
        }
    }

    private func answerOnQueue(_ request: SyncRequest, account: SyncAccount) throws -> SyncResponse {
        try retrying { try answerOnce(request, account: account) }
    }

    /// Runs a body again if another writer saves meanwhile.
    private func retrying<Result>(_ body: () throws -> Result) throws -> Result {
        for _ in 1..<limits.tries {
            do {
                return try body()
            } catch is ChangedMeanwhile {
                undo()
            } catch let error as CocoaError where error.code == .managedObjectMerge {
                undo()
            }
        }
        return try body()
    }

    /// Gives positions to what others have saved.
    ///
    /// - Returns: the number of the newest position.
    /// - Throws: errors of the store.
    func notedPosition() throws -> Int64 {
        try context.performAndWait {
            try retrying {
                forget()
                try noteScopes()
                try noteOtherWriters()
                return try state().number
            }
        }
    }

    /// Another writer has saved since the last look.
    struct ChangedMeanwhile: Error {}

    private func answerOnce(_ request: SyncRequest, account: SyncAccount) throws -> SyncResponse {
        if let store = request.account, store != account.name {
            throw SyncFailure(.accountChanged, "The token belongs to another account than the replica's store.")
        }
        let version = try versions.version(request.model)
        forget()
        try noteScopes()
        try noteOtherWriters()
        switch request {
        case .session(let request): return .session(try session(request, account: account.name))
        case .changes(let request): return .changes(try changes(request, account, version))
        case .push(let request): return try SyncPushRun(self, request, account, version).answer()
        case .blob(let request): return .blob(try part(request, account))
        case .upload(let request): return .upload(received: try keep(request, account))
        }
    }

    private func session(_ request: SyncSessionRequest, account: String) throws -> SyncSession {
        guard request.positions.count <= limits.positions else {
            throw SyncFailure(.badRequest, "A request has at most \(limits.positions) positions.")
        }
        let state = try state()
        return SyncSession(
            account: account, position: state.position, common: try request.positions.first { try isKnown($0, state) },
            answeredPush: try replicaRecord(request.replica)?.answeredPush ?? 0, time: now())
    }

    /// Selects the objects that an account may have, as the store is now; nil for all objects.
    func visibility(_ account: SyncAccount) throws -> SyncVisibility? {
        try scopes.map { try SyncVisibility(self, $0, account) }
    }

    /// Notes that a backup of the store has everything up to now. Replicas forget pushes that are in a backup.
    ///
    /// - Parameter position: the number of ``newestPosition`` before the backup was begun.
    /// - Throws: errors of the store.
    package func noteBackup(of position: Int64) throws {
        try context.performAndWait {
            forget()
            let state = try state()
            state.backup = max(state.backup, min(position, state.number))
            try context.save()
        }
    }

    /// Gives positions to all that the server's program has saved. Call it before a migration of the store, which may
    /// end the history: otherwise the replicas get all objects again.
    ///
    /// - Throws: errors of the store.
    package func noteSaves() throws {
        try context.performAndWait {
            forget()
            try noteEnd()
        }
    }

    /// The number of the newest position.
    package var newestPosition: Int64 {
        get throws {
            try context.performAndWait {
                forget()
                return try state().number
            }
        }
    }

    /// Forgets objects that died, or were merged, before a time. A replica that hasn't asked since then compares itself
    /// with all objects.
    ///
    /// - Parameter time: in seconds since the reference date; usually 30 days ago.
    /// - Throws: errors of the store.
    package func forgetDeadObjects(before time: Double) throws {
        try context.performAndWait {
            forget()
            let state = try state()
            let fetch = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
            fetch.predicate = NSPredicate(format: "isAlive == NO")
            fetch.fetchBatchSize = 1000
            for record in try context.fetch(fetch) where record.stamps.common.time < time {
                state.horizon = max(state.horizon, record.position)
                context.delete(record)
            }
            let edges = NSFetchRequest<SyncEdgeRecord>(entityName: "SyncEdge")
            edges.predicate = NSPredicate(format: "time < %lf", time)
            edges.fetchBatchSize = 1000
            for edge in try context.fetch(edges) {
                state.horizon = max(state.horizon, edge.position)
                context.delete(edge)
            }
            if context.hasChanges { try context.save() }
        }
    }

    /// Begins an epoch: the server knows no older position. Every replica compares itself with all objects, and offers
    /// again what the server hasn't. For a store that something else than sync has set back or changed.
    ///
    /// - Throws: errors of the store.
    func beginEpoch() throws {
        try context.performAndWait {
            forget()
            let state = try state()
            state.epoch += 1
            // The edges of the scopes are found anew.
            state.scopes = -1
            try context.save()
        }
    }

    func at(_ step: SyncServerStep) throws { try self.step(step) }
}

/// How much a server accepts.
public struct SyncLimits: Sendable {
    /// The largest push, in bytes. The changes of one save are never divided, so this is the largest save, too.
    public var pushBytes = 256 << 20
    /// The number of objects after which a page of changes ends.
    public var pageObjects = 1000
    /// The most positions that a request for a session has.
    var positions = 64
    /// The most combinations of constants that a token gives for the scopes.
    var scopeValues = 10_000
    /// The most bytes of a large value.
    public var blobBytes: Int64 = 4 << 30
    /// The most bytes of all large values that an account has uploaded and no push has used.
    public var uploadBytes: Int64 = 16 << 30
    /// The most bytes of a part of a large value.
    package var partBytes = 1 << 20
    /// The fewest bytes of an uploaded part, apart from the last one of a value.
    package var leastPartBytes = 16 << 10
    /// The seconds for which an uploaded value waits for its push.
    public var uploadSeconds = 24.0 * 60 * 60
    /// The size from which on a value travels apart: see ``SyncSchema/Options``.
    package var leastBlobBytes = SyncSchema.Options().leastBlobBytes
    /// How often a group is begun before it is refused.
    var tries = 3

    /// Makes the limits above.
    public init() {}
}

/// The steps of the work for a push, in their order, that a failure may interrupt.
package enum SyncServerStep: Sendable {
    case beforeGroup(SyncGroup)
    case beforeSave, afterSave
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
    /// Replicas get objects of all scopes.
    package static let ignoresScopes = SyncServerVariant(rawValue: 1 << 8)
    /// An object that comes into a scope doesn't bring those that it leads to.
    package static let forgetsClosure = SyncServerVariant(rawValue: 1 << 9)
    /// Replicas don't hear of objects that left their scopes.
    package static let keepsLeavers = SyncServerVariant(rawValue: 1 << 10)
    /// An object that left comes with its values.
    package static let showsLeavers = SyncServerVariant(rawValue: 1 << 11)
    /// Replicas may change what they may not have.
    package static let ignoresWriteScopes = SyncServerVariant(rawValue: 1 << 12)
    /// A change of a root's values isn't noted.
    package static let forgetsMembership = SyncServerVariant(rawValue: 1 << 13)
    /// Names of the server's version are names in messages.
    package static let ignoresRenames = SyncServerVariant(rawValue: 1 << 14)
    /// A replica gets null where its version needs a value.
    package static let ignoresDefaults = SyncServerVariant(rawValue: 1 << 15)
    /// An object has the UUID that the server's hierarchy makes.
    package static let ignoresRoots = SyncServerVariant(rawValue: 1 << 16)
    /// A page ends wherever it is full, and counts as the last.
    package static let cutsPages = SyncServerVariant(rawValue: 1 << 5)
    /// An inserted object with a unique value of another one is refused.
    package static let refusesDuplicates = SyncServerVariant(rawValue: 1 << 3)
    /// A replica whose position is older than forgotten deletions gets changes.
    package static let forgetsHorizon = SyncServerVariant(rawValue: 1 << 4)
    /// A push that is sent again isn't asked for its large values.
    package static let trustsUploads = SyncServerVariant(rawValue: 1 << 17)
    /// The saves of the server's program get no position.
    package static let overlooksWriters = SyncServerVariant(rawValue: 1 << 7)
    /// The time of a change may be in the future.
    package static let trustsClocks = SyncServerVariant(rawValue: 1 << 6)
}
