import CoreData
import CoreDataSync
import CoreDataSyncModel
import CoreDataSyncWire
import TestSupport

/// A device of a simulation: an app with its store, and the replica. It is used by one thread.
final class SimulatedReplica: @unchecked Sendable {
    let index: Int
    private let appStore: SimulatedStore
    private let sideStore: SimulatedStore
    private var app: NSManagedObjectContext
    /// A context of the app that has changes, or had some.
    private var editor: NSManagedObjectContext?
    /// Whether the user has the token of another account.
    private var isOtherAccount = false
    private(set) var replica: SyncReplica!
    /// The names that the replica has had.
    private(set) var names: [UUID] = []
    let clock: SimulatedClock
    /// The difference between the clock of the device and the true time.
    var clockOffset = 0.0
    private let variant: SyncReplicaVariant
    private let hasBlobs: Bool
    private var uuids: SeededGenerator
    /// The number of steps after which the process ends; nil if it doesn't.
    var stepsToCrash: Int?
    /// When the transactions of the app's store were saved, by the clock of the device.
    private var times: [Int64: Double] = [:]
    /// The objects of each save of which no push had one yet.
    private var unsent: [[String]] = []
    /// The number of those saves at the time when the newest push was made.
    private var savesAtFreeze = 0
    /// The inserted objects that no push had when the newest push was made. An object whose deletion an import takes
    /// back, while large values of the push are on their way, is a later one.
    private(set) var insertionsAtFreeze: Set<UUID> = []
    /// The newest position that the app's saves have seen: a replica that compares itself with all objects has none.
    private var newestPosition: Int64 = 0
    /// Whether the store gets the server's objects in place of its own at the next import.
    private var isReplacing = false

    /// A value that the app has saved, and the number of the position whose changes it had seen of the property.
    struct Write {
        let value: SyncValue
        var position: Int64
        /// Whether the app has deleted the object since: undo brings the value back.
        var isDeleted = false
    }

    /// Whether the server has decided on a value of an object's property that the replica sent, up to a position.
    var isDecided: (UUID, String, SyncValue, Int64) -> Bool = { _, _, _, _ in true }

    /// The values that the app saved last, by the URIs of the objects.
    private(set) var writes: [String: [String: Write]] = [:]
    private var backups: [(writes: [String: [String: Write]], times: [Int64: Double])] = []

    init(_ index: Int, _ setup: Simulation.Setup, clock: SimulatedClock, in folder: TemporaryFolder?) throws {
        self.index = index
        self.clock = clock
        variant = setup.replicaVariant
        hasBlobs = setup.hasBlobs
        uuids = SeededGenerator(seed: setup.seed &+ UInt64(index) &* 7919)
        let kind = setup.stores == .postgresql ? .sqlite : setup.stores
        appStore = try SimulatedStore(SimulationModel.model, kind, "app\(index)", in: folder)
        sideStore = try SimulatedStore(SyncReplica.sideModel, kind, "side\(index)", in: folder)
        app = SimulatedStore.context(appStore.coordinator)
        try start()
        try replica.resume()
    }

    /// A device with the contents of another one's backup.
    init(_ index: Int, copyOf other: SimulatedReplica, _ backup: Int, seed: UInt64) throws {
        self.index = index
        clock = other.clock
        variant = other.variant
        hasBlobs = other.hasBlobs
        uuids = SeededGenerator(seed: seed &+ UInt64(index) &* 7919)
        appStore = try other.appStore.copy(backup, to: "app\(index)")
        sideStore = try other.sideStore.copy(backup, to: "side\(index)")
        app = SimulatedStore.context(appStore.coordinator)
        names = other.names
        (writes, times) = other.backups[backup]
        try start()
    }

    // MARK: Backups

    var backupCount: Int { backups.count }

    func backUp() throws {
        guard appStore.hasFile else { return }
        try appStore.backUp(backups.count)
        try sideStore.backUp(backups.count)
        backups.append((writes, times))
    }

    /// Sets both stores back, or one of them.
    func restore(_ moment: Int, _ part: RestoredPart) throws {
        guard !backups.isEmpty else { return }
        let number = moment % backups.count
        if part != .side {
            try appStore.restore(number)
            (writes, times) = backups[number]
            app = SimulatedStore.context(appStore.coordinator)
            editor = nil
        }
        if part != .app { try sideStore.restore(number) }
        (unsent, savesAtFreeze, insertionsAtFreeze) = ([], 0, [])
        try start()
        try run { try $0.resume() }
    }

    /// Deletes the history of the app's store.
    func deleteHistory() throws {
        try app.performAndWait {
            let request = NSPersistentHistoryChangeRequest.deleteHistory(
                before: appStore.coordinator.currentPersistentHistoryToken(fromStores: nil))
            _ = try app.execute(request)
        }
    }

    /// Changes objects without reading them.
    func execute(_ batch: Batch, _ value: Int) throws {
        try app.performAndWait {
            app.reset()
            switch batch {
            case .update:
                let request = NSBatchUpdateRequest(entityName: "Note")
                request.predicate = NSPredicate(format: "pair == nil OR pair %% 2 == 0")
                request.propertiesToUpdate = ["pair": NSNumber(value: value)]
                _ = try app.execute(request)
                for id in writes.keys { writes[id]?["pair"] = nil }
            case .delete:
                let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Line")
                fetch.predicate = NSPredicate(format: "text ENDSWITH %@", "\(value % 10)")
                _ = try app.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            case .deleteNotes:
                let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
                fetch.predicate = NSPredicate(format: "title ENDSWITH %@", "\(value % 10)")
                _ = try app.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            case .insert:
                let objects = (0..<3).map { ["name": "batch \(value) \($0)"] }
                _ = try app.execute(NSBatchInsertRequest(entityName: "Folder", objects: objects))
            }
            noteTime()
        }
    }

    private func noteTime() {
        let token = appStore.coordinator.currentPersistentHistoryToken(fromStores: nil)
        if let number = token?.transactions.values.first { times[number] = clock.now + clockOffset }
    }

    /// Starts the process: nothing but the stores is left of an earlier one.
    func start() throws {
        var settings = SyncReplica.Settings()
        settings.now = { [clock, unowned self] in clock.now + clockOffset }
        settings.time = { [unowned self] in times[$0.transactionNumber] ?? 0 }
        settings.makeUUID = { [unowned self] in uuids.uuid() }
        settings.variant = variant
        settings.pushObjects = 4
        if hasBlobs { (settings.leastBlobBytes, settings.partBytes) = (SimulationModel.leastBlobBytes, 7) }
        settings.step = { [unowned self] step in
            if step == .afterFreeze {
                savesAtFreeze = unsent.count
                insertionsAtFreeze = try replica.masks().unsentInsertions
            }
            guard let steps = stepsToCrash else { return }
            stepsToCrash = steps - 1
            if steps <= 0 {
                stepsToCrash = nil
                throw SimulatedCrash()
            }
        }
        replica = try SyncReplica(appStore.coordinator, side: sideStore.coordinator, settings: settings)
        try noteName()
    }

    private func noteName() throws {
        let name = try replica.name
        if names.last != name { names.append(name) }
    }

    /// Runs a part of the replica's work. If its process ends, a new one starts.
    func run(_ body: (SyncReplica) throws -> Void) throws {
        do {
            try body(replica)
            try noteName()
        } catch is SimulatedCrash {
            try start()
            try run { try $0.resume() }
        } catch SyncReplicaError.accountChanged {
            isOtherAccount = false
        } catch SyncReplicaError.storesDiffer {
            // The user takes what the server has.
            writes = [:]
            isReplacing = true
            try run { try $0.begin(.replaceLocal) }
        }
    }

    // MARK: The account

    /// The account of the user's token.
    var account: String {
        get throws { try isOtherAccount ? "two" : replica.account ?? "one" }
    }

    /// The token of another account is there by mistake: the store has one already.
    func signIn(isOther: Bool) throws { isOtherAccount = try isOther && replica.account != nil }

    // MARK: The app

    /// Saves changes, as the app does.
    func save(_ changes: [Change]) throws {
        app.performAndWait { app.reset() }
        try make(changes, in: app)
        try save(app)
    }

    /// Saves changes, as another process does.
    func saveElsewhere(_ changes: [Change]) throws {
        let context = SimulatedStore.context(try appStore.otherCoordinator())
        try make(changes, in: context)
        try save(context)
    }

    /// Changes objects in a context that stays.
    func edit(_ changes: [Change]) throws {
        let editor = editor ?? SimulatedStore.context(appStore.coordinator)
        if self.editor == nil {
            editor.undoManager = UndoManager()
            editor.undoManager?.groupsByEvent = false
            editor.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        }
        self.editor = editor
        try editor.performAndWait {
            editor.undoManager?.beginUndoGrouping()
            try make(changes, in: editor)
            editor.processPendingChanges()
            editor.undoManager?.endUndoGrouping()
        }
    }

    func endEdit(_ end: EditEnd) throws {
        guard let editor else { return }
        try editor.performAndWait {
            switch end {
            case .rollBack: editor.rollback()
            case .undoAndSave:
                editor.undo()
                try save(editor)
            case .save: try save(editor)
            }
        }
    }

    private func make(_ changes: [Change], in context: NSManagedObjectContext) throws {
        try context.performAndWait {
            var edit = Edit(context, { [unowned self] in uuids.uuid() })
            for change in changes { try edit.make(change) }
        }
    }

    /// Drops new notes whose identifying value another context has saved since: a program's task.
    private func dropSecondNotes(_ context: NSManagedObjectContext) throws {
        context.processPendingChanges()
        context.undoManager?.disableUndoRegistration()
        defer {
            context.processPendingChanges()
            context.undoManager?.enableUndoRegistration()
        }
        for note in context.insertedObjects where note.entity.name == "Note" {
            guard let id = note.value(forKey: "id") as? UUID else { continue }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "id == %@", id as NSUUID)
            request.includesPendingChanges = false
            if try !context.fetch(request).allSatisfy(\.isDeleted) { context.delete(note) }
        }
    }

    private func save(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            try dropSecondNotes(context)
            guard context.hasChanges else { return }
            let changed = try attributeChanges(context)
            let objects = context.insertedObjects.union(changed.filter { !$0.1.isEmpty }.map(\.0))
            let missing = try missingObjects(changed.map(\.0.objectID))
            let deleted = context.deletedObjects.map { $0.objectID.uriRepresentation().absoluteString }
            do {
                try context.save()
            } catch is CocoaError {
                // A change that the app's model refuses.
                return context.rollback()
            }
            // An object that is inserted again is no longer the one of earlier saves.
            let again = Set(missing.map { $0.uriRepresentation().absoluteString })
            if !again.isEmpty { unsent = unsent.map { $0.filter { !again.contains($0) } } }
            unsent.append(objects.map { $0.objectID.uriRepresentation().absoluteString })
            let position = try replica.position?.number
            if let position { (isReplacing, newestPosition) = (false, position) }
            // Until the first import the user gets what the server has.
            if isReplacing { return noteTime() }
            for (object, values) in changed {
                // An object that was deleted meanwhile is inserted again with all its values.
                if missing.contains(object.objectID) {
                    writes[object.objectID.uriRepresentation().absoluteString] = nil
                    continue
                }
                let id = object.objectID.uriRepresentation().absoluteString
                for (name, value) in values {
                    let position = try seenPosition(id, name)
                    writes[id, default: [:]][name] = Write(value: value, position: position)
                }
            }
            for id in deleted {
                for name in writes[id, default: [:]].keys {
                    let position = try seenPosition(id, name)
                    writes[id]?[name]?.position = position
                    writes[id]?[name]?.isDeleted = true
                }
            }
            noteTime()
        }
    }

    /// The position whose changes the app has seen of a property. As long as the server hasn't answered the app's own
    /// value, the app sees that one alone.
    private func seenPosition(_ id: String, _ name: String) throws -> Int64 {
        guard let write = writes[id]?[name], !write.isDeleted, write.value != .null, write.position < newestPosition,
            let identity = try identity(of: id), !isDecided(identity, name, write.value, newestPosition)
        else { return newestPosition }
        return write.position
    }

    /// The objects that the store hasn't got.
    private func missingObjects(_ ids: [NSManagedObjectID]) throws -> Set<NSManagedObjectID> {
        let context = SimulatedStore.context(appStore.coordinator)
        return try context.performAndWait {
            try Set(ids.filter { try context.objectIfPresent($0) == nil })
        }
    }

    /// The objects of the saves before a push was made, of which no earlier push had one. They are sent with this one.
    func takeSaves(_ isSent: (UUID) -> Bool) throws -> [[UUID]] {
        let saves = try unsent.prefix(savesAtFreeze).map { try $0.compactMap(identity) }
        unsent =
            zip(saves, unsent).filter { !$0.0.contains(where: isSent) }.map(\.1)
            + unsent.dropFirst(savesAtFreeze)
        savesAtFreeze = 0
        return saves
    }

    /// The UUID of an object that the app saved.
    func identity(of id: String) throws -> UUID? {
        guard let url = URL(string: id), let id = appStore.coordinator.managedObjectID(forURIRepresentation: url)
        else { return nil }
        return try replica.identity(of: id)
    }

    /// The attributes that the context changes, without those that are merged.
    private func attributeChanges(_ context: NSManagedObjectContext) throws -> [(NSManagedObject, [String: SyncValue])]
    {
        var options = SyncSchema.Options()
        if hasBlobs { options.leastBlobBytes = SimulationModel.leastBlobBytes }
        let schema = try SyncSchema(SimulationModel.model, options)
        // Tags take over changes of those that are merged with them.
        return try context.updatedObjects.filter { $0.entity.name != "Tag" }.map { object in
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
