import CoreData
import CoreDataSync
import CoreDataSyncModel
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestSupport

/// One history with several versions of the model: devices and a server that are updated at different times.
///
/// No push changes what its version doesn't know. No entry and no tick is lost or counted twice. At the end each device
/// has what the server has, as far as its version knows it.
final class VersionSimulation: FeatureSimulation, @unchecked Sendable {
    final class Device: SimulatedDevice {
        var version: Int

        init(
            _ app: SimulatedStore, _ side: SimulatedStore, version: Int,
            settings: @escaping () -> SyncReplica.Settings
        ) throws {
            self.version = version
            try super.init(app, side, settings: settings)
        }
    }

    let clock = SimulatedClock()
    private let setup: Simulation.Setup
    let store: SimulatedStore
    private var service: SyncService
    private var serverVersion = 1
    private(set) var devices: [Device] = []
    var messages: [SimulatedMessage] = []
    let retriedFailures = [SyncFailure.Reason.unavailable, .unknownModel]
    private var random: SeededGenerator
    private var serial = 0
    /// The ticks of each entry that programs have saved.
    private var ticks: [String: Int64] = [:]
    /// Why groups were refused.
    private var refusals: [String] = []
    private let models = (1...VersionedModel.count).map { VersionedModel.make($0) }
    private let schemas: [SyncSchema]

    /// Stores are files: a store without one can't be migrated.
    init(_ setup: Simulation.Setup) throws {
        random = SeededGenerator(seed: setup.seed ^ 0x7E5)
        self.setup = setup
        schemas = try models.map { try SyncSchema($0) }
        let folder = try TemporaryFolder()
        let kind = setup.stores == .postgresql ? SimulatedStoreKind.postgresql : .sqlite
        store = try SimulatedStore(try Self.merged(models[0]), kind, "server", in: folder)
        service = try SyncService(store.coordinator)
        try startServer()
        for index in 0..<setup.replicas {
            let version = index % VersionedModel.count + 1
            let device = try Device(
                try SimulatedStore(models[version - 1], .sqlite, "app\(index)", in: folder),
                try SimulatedStore(SyncReplica.sideModel, .sqlite, "side\(index)", in: folder), version: version,
                settings: { [unowned self] in settings() })
            devices.append(device)
            try device.start()
        }
    }

    private static func merged(_ model: NSManagedObjectModel) throws -> NSManagedObjectModel {
        guard let merged = SyncServerModel.merged(with: model) else { throw SimulationFailure("No model.") }
        return merged
    }

    private func startServer() throws {
        var limits = SyncLimits()
        limits.pageObjects = 3
        service = try SyncService(
            store.coordinator, versions: Array(models.prefix(serverVersion)), limits: limits,
            variant: setup.serverVariant, now: { [clock] in clock.now },
            makeNonce: { [unowned self] in Int64(truncatingIfNeeded: random.next()) },
            makeUUID: { [unowned self] in random.uuid() })
    }

    private func settings() -> SyncReplica.Settings {
        var settings = SyncReplica.Settings()
        settings.now = { [clock] in clock.now }
        settings.time = { [clock] _ in clock.now }
        settings.makeUUID = { [unowned self] in random.uuid() }
        settings.pushObjects = 4
        settings.variant = setup.replicaVariant
        return settings
    }

    // MARK: Steps

    func run(_ step: VersionStep) throws {
        switch step {
        case .save(let index, let changes):
            let device = device(index)
            try save(changes, SimulatedStore.context(device.app.coordinator), schemas[device.version - 1])
        case .serverSave(let changes):
            try save(changes, SimulatedStore.context(store.coordinator), schemas[serverVersion - 1])
        case .send(let index, let kind): try send(index, kind)
        case .deliver(let index, let isDoubled): try deliver(index, isDoubled: isDoubled)
        case .lose(let index): lose(index)
        case .crash(let index, let step): device(index).stepsToCrash = step
        case .migrate(let index, let isPrepared):
            let device = device(index)
            if device.version < VersionedModel.count { try migrate(device, isPrepared: isPrepared) }
        case .migrateServer(let isPrepared):
            if serverVersion < VersionedModel.count { try migrateServer(isPrepared: isPrepared) }
        case .pass(let seconds): clock.now += seconds
        }
    }

    private func save(_ changes: [VersionChange], _ context: NSManagedObjectContext, _ schema: SyncSchema) throws {
        try context.performAndWait {
            var noted: [(String, Int64)] = []
            for change in changes {
                serial += 1
                if let note = try change.make(in: context, schema, serial: serial) { noted.append(note) }
            }
            do {
                if context.hasChanges { try context.save() }
                for (text, count) in noted { ticks[text, default: 0] += count }
            } catch is CocoaError {
                // A change that the model refuses.
                context.rollback()
            }
        }
    }

    private func migrate(_ device: Device, isPrepared: Bool) throws {
        if isPrepared {
            do {
                try SyncReplica.prepare(
                    [device.app.model], metadata: device.app.metadata(), side: device.side.coordinator,
                    settings: device.settings(), open: { _, _ in try device.app.otherCoordinator() })
            } catch is SimulatedCrash {
                device.stepsToCrash = nil
            }
        }
        device.version += 1
        try device.app.migrate(to: models[device.version - 1])
        do {
            try device.start()
        } catch is SimulatedCrash {
            device.stepsToCrash = nil
            try device.start()
        }
    }

    private func migrateServer(isPrepared: Bool) throws {
        if isPrepared { try service.noteSaves() }
        serverVersion += 1
        try store.migrate(to: Self.merged(models[serverVersion - 1]))
        try startServer()
    }

    // MARK: The server

    /// Answers, and checks that a push changes nothing that its version doesn't know.
    func answer(_ request: SyncRequest, of device: Device) throws -> SyncResponse {
        let account = SyncAccount("one")
        guard case .push = request, let version = schemas.first(where: { $0.version == request.model })
        else { return service.answer(request, account: account) }
        try service.noteSaves()
        let before = try service.contents()
        let response = service.answer(request, account: account)
        let after = try service.contents()
        if case .push(_, let answer) = response {
            for case .refused(let refusal) in answer.results { refusals.append("\(refusal.reason): \(refusal.text)") }
        }
        for (object, values) in before {
            guard let new = after[object] else { continue }
            let known = version.entities[Self.entity(of: values)]?.properties
            for name in VersionChange.attributes where known?[name] == nil && values[name] != new[name] {
                throw Finding("A push of another version changes \(object).\(name) to \(new[name] ?? .null).")
            }
        }
        return response
    }

    /// The entity of an object, by the properties that it alone has.
    private static func entity(of values: [String: SyncValue]) -> String {
        if values["caption"] != nil { return "Photo" }
        if values["id"] != nil { return "Note" }
        if values["text"] != nil { return "Entry" }
        return values["notes"] != nil ? "Tag" : "Folder"
    }

    // MARK: The end

    func prepareEnd() throws {
        while serverVersion < VersionedModel.count { try migrateServer(isPrepared: true) }
    }

    /// Checks that no entry and no tick is lost, or counted twice.
    func checkEnd() throws {
        var found: [String: Int64] = [:]
        for values in try service.contents().values {
            guard case .text(let text) = values["text"] else { continue }
            guard case .integer(let count) = values["ticks"], found.updateValue(count, forKey: text) == nil else {
                throw Finding("There are two of \(text), or one without ticks.")
            }
        }
        for text in Set(found.keys).union(ticks.keys).sorted() where found[text] != ticks[text] {
            throw Finding("\(text) has \(found[text] ?? -1) ticks in place of \(ticks[text] ?? -1). \(refusals)")
        }
    }

    func difference() throws -> String? {
        let contents = try service.contents()
        let photos = Set(contents.filter { Self.entity(of: $0.value) == "Photo" }.keys)
        var ids: [SyncValue: UUID] = [:]
        for (object, values) in contents {
            guard let id = values["id"] else { continue }
            if let other = ids.updateValue(object, forKey: id) { return "\(object) and \(other) have one identity." }
        }
        for (index, device) in devices.enumerated() {
            let schema = schemas[device.version - 1]
            let found = try device.replica.contents(SimulatedStore.context(device.app.coordinator))
            var wanted: [UUID: [String: SyncValue]] = [:]
            for (object, values) in contents {
                guard let entity = schema.entities[Self.entity(of: values)] else { continue }
                wanted[object] = [:]
                for (name, property) in entity.properties {
                    guard var value = values[name] else { continue }
                    if value == .null, property.isRequired { value = property.defaultValue ?? value }
                    if case .objects(let members) = value, device.version < 3 {
                        value = .objects(members.filter { !photos.contains($0) })
                    }
                    wanted[object]?[name] = value
                }
            }
            for object in Set(wanted.keys).union(found.keys) {
                guard let values = wanted[object] else {
                    return "Device \(index) has \(object), \(found[object] ?? [:])."
                }
                guard let present = found[object] else { return "Device \(index) lacks \(object), \(values)." }
                // A property that the server's version lacks stays on the device.
                let compared = present.filter { values[$0.key] != nil }
                if compared != values { return "Device \(index) has \(object) as \(compared) in place of \(values)." }
            }
        }
        return nil
    }
}
