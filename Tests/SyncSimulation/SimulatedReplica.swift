import CoreData
import CoreDataSync
import CoreDataSyncModel
import CoreDataSyncWire
import TestSupport

/// A device of a simulation: an app with its store, and the replica. It is used by one thread.
final class SimulatedReplica: @unchecked Sendable {
    let index: Int
    let coordinator: NSPersistentStoreCoordinator
    private let sideCoordinator: NSPersistentStoreCoordinator
    private let app: NSManagedObjectContext
    private(set) var replica: SyncReplica!
    let clock: SimulatedClock
    /// The difference between the clock of the device and the true time.
    var clockOffset = 0.0
    private let variant: SyncReplicaVariant
    private var uuids: SeededGenerator
    /// The number of steps after which the process ends; nil if it doesn't.
    var stepsToCrash: Int?
    /// When the transactions of the app's store were saved, by the clock of the device.
    private var times: [Int64: Double] = [:]
    /// The values that the app saved last, by objects.
    private(set) var writes: [NSManagedObjectID: [String: SyncValue]] = [:]

    init(_ index: Int, clock: SimulatedClock, seed: UInt64, variant: SyncReplicaVariant) throws {
        self.index = index
        self.clock = clock
        self.variant = variant
        uuids = SeededGenerator(seed: seed)
        coordinator = try SimulatedStore.open(SimulationModel.model)
        sideCoordinator = try SimulatedStore.open(SyncReplica.sideModel)
        app = SimulatedStore.context(coordinator)
        try start()
    }

    /// Starts the process: nothing but the stores is left of an earlier one.
    func start() throws {
        var settings = SyncReplica.Settings()
        settings.now = { [clock, unowned self] in clock.now + clockOffset }
        settings.time = { [unowned self] in times[$0.transactionNumber] ?? 0 }
        settings.makeUUID = { [unowned self] in makeUUID() }
        settings.variant = variant
        settings.pushObjects = 4
        settings.step = { [unowned self] _ in
            guard let steps = stepsToCrash else { return }
            stepsToCrash = steps - 1
            if steps <= 0 {
                stepsToCrash = nil
                throw SimulatedCrash()
            }
        }
        replica = try SyncReplica(coordinator, side: sideCoordinator, settings: settings)
    }

    private func makeUUID() -> UUID {
        let (high, low) = (uuids.next(), uuids.next())
        return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Runs a part of the replica's work. If its process ends, a new one starts.
    func run(_ body: (SyncReplica) throws -> Void) throws {
        do {
            try body(replica)
        } catch is SimulatedCrash {
            try start()
            try run { try $0.resume() }
        }
    }

    // MARK: The app

    /// Saves changes, as the app does.
    func save(_ changes: [Change]) throws {
        try app.performAndWait {
            app.reset()
            var edit = Edit(app, makeUUID)
            for change in changes { try edit.make(change) }
            guard app.hasChanges else { return }
            let changed = try attributeChanges()
            do {
                try app.save()
            } catch is CocoaError {
                // A change that the app's model refuses.
                return app.rollback()
            }
            for (object, values) in changed { writes[object.objectID, default: [:]].merge(values) { _, new in new } }
            if let number = coordinator.currentPersistentHistoryToken(fromStores: nil)?.transactions.values.first {
                times[number] = clock.now + clockOffset
            }
        }
    }

    /// The attributes that the context changes, without those that are merged.
    private func attributeChanges() throws -> [(NSManagedObject, [String: SyncValue])] {
        let schema = try SyncSchema(SimulationModel.model)
        return try app.updatedObjects.map { object in
            let entity = schema.entity(of: object)
            let old = object.committedValues(forKeys: nil)
            var values: [String: SyncValue] = [:]
            for name in object.changedValues().keys {
                guard let property = entity?.properties[name], case .attribute = property.kind, property.policy != .sum
                else { continue }
                let value = try property.syncValue(object.value(forKey: name), entity: "")
                if try property.syncValue(old[name], entity: "") != value { values[name] = value }
            }
            return (object, values)
        }
    }

    /// The objects of the app's store by their UUIDs.
    func contents() throws -> Contents {
        try app.performAndWait {
            app.reset()
            return try replica.contents(app)
        }
    }
}

/// The objects of a store: their entities and their values.
typealias Contents = [UUID: [String: SyncValue]]

/// The time of a simulation.
final class SimulatedClock {
    var now = 0.0
}
