// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The client's half of sync: a store of the app, and the side store with what the replica knows of the server.
///
/// The replica says which request comes next, and takes the answer. It knows nothing of the network. It is used by one
/// thread at a time; programs may use the app's store meanwhile, by any contexts and processes.
///
/// Built on Apple's public API alone.
package final class SyncReplica: @unchecked Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let schema: SyncSchema
    let side: NSManagedObjectContext
    let app: NSManagedObjectContext
    let settings: Settings
    /// Tells the processes apart that have the side store open.
    let process: UUID
    /// The row of the call that is under way.
    private var stateRecord: SyncReplicaState?
    /// The newest transaction of the app's store when its history was looked at last.
    var seenToken: NSPersistentHistoryToken?
    /// The large values that the push under way and the import under way need.
    var askedBlobs: SyncAskedBlobs?
    /// The value that is on its way in parts.
    var sentBlob: (blob: SyncBlob, data: Data)?
    var neededBlobs: [SyncNeededBlob] = []
    /// Identities of objects by the names of entities and keys, during a first start: see ``loadRecorded()``.
    var recorded: [String: [Int64: UUID]] = [:]
    /// How often changes that were sent became pending again, since a store was restored or copied.
    var returnCount = 0
    /// Values that the server had no more when they were asked for, and how often that was since the last import.
    var missedBlobs: [SyncNeededBlob: Int] = [:]
    /// Saves of imports in a row before which another save came.
    var conflicts = 0

    /// How a replica works.
    package struct Settings {
        /// The time, in seconds since the reference date, by the clock of the device.
        package var now: () -> Double = { Date().timeIntervalSinceReferenceDate }
        /// When a transaction was saved, by the same clock.
        package var time: (NSPersistentHistoryTransaction) -> Double = { $0.timestamp.timeIntervalSinceReferenceDate }
        package var makeUUID: () -> UUID = { UUID() }
        /// Called at each step that a failure may interrupt.
        package var step: (SyncStep) throws -> Void = { _ in }
        /// Called when changes of the server are in the app's store.
        var didImport: () -> Void = {}
        /// Called with what a program should know.
        var report: (SyncEvent) -> Void = { _ in }
        package var variant = SyncReplicaVariant()
        /// The UUID of the app's store, if the coordinator has or gets others; nil if it is the only one.
        var storeIdentifier: String?
        /// The configuration of the app's store; nil for one with all entities.
        var configurationName: String?
        /// The number of changed objects after which a push ends, with its last group.
        package var pushObjects = 500
        /// The most bytes of a push of several groups.
        var pushBytes = 4 << 20
        /// The most bytes of the large values of a push of several groups.
        var pushBlobBytes: Int64 = 64 << 20
        /// The most bytes of a part of a large value.
        package var partBytes = 1 << 20
        /// The size from which on a value travels apart: see ``SyncSchema/Options``.
        package var leastBlobBytes = SyncSchema.Options().leastBlobBytes
        /// The seconds for which a process is the one that syncs: see ``SyncReplica/takeLease()``.
        var leaseSeconds = 60.0
        /// The seconds after which a push that the server has saved is forgotten, if no backup of the server is known.
        var keptSeconds = 7.0 * 24 * 60 * 60

        package init() {}
    }

    /// The author of the replica's saves in the history of the app's store.
    static let author = SyncSideStore.importAuthor

    /// - Parameters:
    ///   - coordinator: has the app's store, with a history.
    ///   - side: a coordinator with the side store, whose model is ``sideModel``.
    /// - Throws: ``SyncSchemaError`` for a mistake in the model's user info, and errors of the stores.
    package init(
        _ coordinator: NSPersistentStoreCoordinator, side sideCoordinator: NSPersistentStoreCoordinator,
        settings: Settings = Settings()
    ) throws {
        self.coordinator = coordinator
        self.settings = settings
        process = settings.makeUUID()
        var options = SyncSchema.Options()
        options.leastBlobBytes = settings.leastBlobBytes
        options.configurationName = settings.configurationName
        schema = try SyncSchema(coordinator.managedObjectModel, options)
        side = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        side.persistentStoreCoordinator = sideCoordinator
        side.undoManager = nil
        side.mergePolicy = NSErrorMergePolicy
        app = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        app.persistentStoreCoordinator = coordinator
        app.transactionAuthor = Self.author
        app.undoManager = nil
        app.mergePolicy = NSErrorMergePolicy
        app.userInfo[NSManagedObjectContext.syncImportKey] = NSNumber(value: true)
    }

    /// The model of the side store.
    package static var sideModel: NSManagedObjectModel { SyncSideModel.model }

    /// Runs a block on the queues of both contexts.
    func onQueue<Result>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try side.performAndWait {
            // Another process may have changed the side store since the last call.
            stateRecord = nil
            return try app.performAndWait { try body() }
        }
    }

    func forgetState() { stateRecord = nil }

    func at(_ step: SyncStep) throws { try settings.step(step) }

    // MARK: Rows of the side store

    func state() throws -> SyncReplicaState {
        if let stateRecord { return stateRecord }
        let request = NSFetchRequest<SyncReplicaState>(entityName: "ReplicaState")
        if let state = try side.fetch(request).first {
            stateRecord = state
            return state
        }
        let state = insert(SyncReplicaState.self, "ReplicaState")
        state.replica = settings.makeUUID()
        try side.save()
        stateRecord = state
        return state
    }

    func insert<Record: NSManagedObject>(_ type: Record.Type, _ name: String) -> Record {
        NSEntityDescription.insertNewObject(forEntityName: name, into: side) as? Record ?? Record(context: side)
    }

    func known(_ identities: some Collection<UUID>) throws -> [UUID: SyncKnownObject] {
        guard !identities.isEmpty else { return [:] }
        let request = NSFetchRequest<SyncKnownObject>(entityName: "KnownObject")
        request.predicate = NSPredicate(format: "identity IN %@", Array(identities))
        return Dictionary(try side.fetch(request).map { ($0.identity, $0) }) { one, _ in one }
    }

    func pending(_ predicate: NSPredicate) throws -> [SyncPendingObject] {
        let request = NSFetchRequest<SyncPendingObject>(entityName: "PendingObject")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "group", ascending: true)]
        return try side.fetch(request)
    }

    /// The pushes that haven't come to their end, and the ended ones that no backup of the server has, by number. Those
    /// of former names of the replica are among them.
    func pushes() throws -> [SyncOutgoingPush] {
        let request = NSFetchRequest<SyncOutgoingPush>(entityName: "OutgoingPush")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        return try side.fetch(request)
    }

    /// The push that is under way.
    func outgoing() throws -> SyncOutgoingPush? {
        let request = NSFetchRequest<SyncOutgoingPush>(entityName: "OutgoingPush")
        request.predicate = NSPredicate(format: "endTime == nil")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        request.fetchLimit = 1
        return try side.fetch(request).first
    }

    func pages() throws -> [SyncIncomingPage] {
        let request = NSFetchRequest<SyncIncomingPage>(entityName: "IncomingPage")
        request.sortDescriptors = [NSSortDescriptor(key: "sequence", ascending: true)]
        return try side.fetch(request)
    }

    /// Whether the last page is among those that are kept: an import waits for large values, or was interrupted.
    var hasAllPages: Bool { get throws { try pages().last?.head?.isLast ?? false } }

    // MARK: The app's store

    /// The app's store, if the coordinator has or gets others; nil if it is the only one.
    var stores: [NSPersistentStore]? {
        settings.storeIdentifier.map { id in coordinator.persistentStores.filter { $0.identifier == id } }
    }

    /// The object of a UUID in the context; nil if the store hasn't got it.
    func object(_ known: SyncKnownObject) throws -> NSManagedObject? {
        guard known.key != 0, let id = id(known.key, known.entityName) else { return nil }
        return try app.objectIfPresent(id)
    }

    /// The ID of an object of the app's store, by its number and the name of its entity in messages.
    func id(_ key: Int64, _ entityName: String) -> NSManagedObjectID? {
        guard let entity = schema.entities[entityName] else { return nil }
        return SyncObjectKey.id(key, entity.modelName, in: stores ?? coordinator.persistentStores)
    }
}

/// News of the work of a replica that a program should know.
enum SyncEvent: Hashable, Sendable {
    /// The program has deleted history before the replica had seen it. The replica has compared all objects.
    case historyDeleted
    /// The server was restored from a backup. The replica compares itself with it.
    case serverRestored
    /// Another store uses the name of the replica: this one or that one is a copy. The replica takes another name.
    case copied
    /// Changes that the server refused, or that came too late, are among the problems.
    case problems
    /// The program has saved a second object with the identifying value of another one. It doesn't travel.
    case sameIdentity(object: UUID)
    /// A class of the app, in `willSave` or a setter, has changed what an import has set, and insists on it.
    case importChanged(object: UUID, property: String)
}

/// The steps of a replica's work, in their order, that a failure may interrupt.
package enum SyncStep: String, CaseIterable, Sendable {
    case beforeDrain, afterDrain
    case beforeFreeze, afterFreeze
    case beforeAnswer, afterAnswer
    case beforeStage, afterStage
    case beforeImport, afterIdentify, afterImport, afterMark
}

/// Mistakes that a simulation makes in a replica, to see that its checks find them. A program's replica has none.
package struct SyncReplicaVariant: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A push that has no answer is made anew of the present values, under the same number.
    package static let thawsPushes = SyncReplicaVariant(rawValue: 1 << 0)
    /// The base of a change is the position at the time of the push.
    package static let basesOfPush = SyncReplicaVariant(rawValue: 1 << 1)
    /// Pages count that were asked for before the answer to a push.
    package static let takesOldPages = SyncReplicaVariant(rawValue: 1 << 2)
    /// The position is marked before the import is saved.
    package static let marksBeforeSave = SyncReplicaVariant(rawValue: 1 << 3)
    /// An import doesn't look for changes that the program has saved since the last look.
    package static let importsWithoutDrain = SyncReplicaVariant(rawValue: 1 << 4)
    /// Imports are drained like saves of the program.
    package static let drainsImports = SyncReplicaVariant(rawValue: 1 << 5)
    /// An answer older than the replica's position counts.
    package static let keepsOldAnswers = SyncReplicaVariant(rawValue: 1 << 8)
    /// Each save is a group.
    package static let splitsGroups = SyncReplicaVariant(rawValue: 1 << 6)
    /// Pages are applied as they come.
    package static let appliesHalves = SyncReplicaVariant(rawValue: 1 << 7)
    /// Objects are deleted with their delete rules.
    package static let appliesDeleteRules = SyncReplicaVariant(rawValue: 1 << 9)
    /// A new version of the model goes on at the position of the former one.
    package static let keepsModel = SyncReplicaVariant(rawValue: 1 << 11)
    /// A group goes without the new objects that it refers to.
    package static let leavesTargets = SyncReplicaVariant(rawValue: 1 << 12)
    /// An object is saved with a placeholder for good.
    package static let keepsPlaceholders = SyncReplicaVariant(rawValue: 1 << 13)
    /// A group that a later save extends goes behind the deletions, and the unique values, in between.
    package static let passesOthers = SyncReplicaVariant(rawValue: 1 << 14)
    /// The number of a push isn't counted up.
    package static let reusesNumbers = SyncReplicaVariant(rawValue: 1 << 10)
}
