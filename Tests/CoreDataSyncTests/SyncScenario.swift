import CoreData
import CoreDataSyncWire
import Foundation
import TestSupport

@testable import CoreDataSync
@testable import CoreDataSyncServer
@testable import sync_simulator

/// A server and devices, whose messages a test sends.
final class SyncScenario: @unchecked Sendable {
    /// The size from which on a value travels apart, and that of its parts.
    static let (leastBlobBytes, partBytes) = (1000, 400)

    let folder: TemporaryFolder
    let model: NSManagedObjectModel
    private let serverStore: SimulatedStore
    private(set) var service: SyncService
    private(set) var devices: [SyncDevice] = []
    var now = 1000.0
    /// The clock of the server in place of that time.
    var clock: (() -> Double)?
    /// The errors for which the server hasn't answered.
    private(set) var errors: [any Error] = []
    /// Decides about properties with the policy `hook`.
    var hook: SyncConflict.Hook = { SimulatedServer.resolve($0) }
    /// Called with each group that the server begins.
    var beforeGroup: (SyncGroup) throws -> Void = { _ in }
    /// The older versions of the model that the server knows.
    private var versions: [NSManagedObjectModel] = []
    private let scopes: [SyncScope]
    private let authorize: SyncWrite.Authorization?

    init(
        devices count: Int, model: NSManagedObjectModel = SimulationModel.model,
        serverModel: NSManagedObjectModel = SimulationModel.model, scopes: [SyncScope] = [],
        authorize: SyncWrite.Authorization? = nil
    ) throws {
        self.scopes = scopes
        self.authorize = authorize
        folder = try TemporaryFolder()
        self.model = model
        let merged = try SyncServerModel.merged(with: serverModel) ?? { throw SimulationFailure("No model.") }()
        serverStore = try SimulatedStore(merged, .sqlite, "server", in: folder)
        service = try SyncService(serverStore.coordinator, hook: { _ in .replica })
        try startServer()
        for _ in 0..<count { try addDevice() }
    }

    func startServer(
        pageObjects: Int = 1000, pushBytes: Int = 256 << 20, blobBytes: Int64 = 4 << 30,
        uploadBytes: Int64 = 16 << 30, partBytes: Int = SyncScenario.partBytes, scopes other: [SyncScope]? = nil
    ) throws {
        var limits = SyncLimits()
        limits.leastBlobBytes = Self.leastBlobBytes
        limits.partBytes = partBytes
        limits.leastPartBytes = 100
        limits.blobBytes = blobBytes
        limits.uploadBytes = uploadBytes
        limits.pushBytes = pushBytes
        limits.pageObjects = pageObjects
        service = try SyncService(
            serverStore.coordinator, versions: versions, scopes: other ?? scopes, authorize: authorize,
            hook: { [unowned self] in try hook($0) }, limits: limits,
            now: { [unowned self] in clock?() ?? now },
            step: { [unowned self] in
                if case .beforeGroup(let group) = $0 { try beforeGroup(group) }
            }, report: { [unowned self] in errors.append($0) })
    }

    /// Updates the server: its store gets another version of its model.
    func migrateServer(to model: NSManagedObjectModel, versions: [NSManagedObjectModel]) throws {
        try serverStore.migrate(to: SyncServerModel.merged(with: model) ?? model)
        self.versions = versions
        try startServer()
    }

    @discardableResult
    func addDevice(_ model: NSManagedObjectModel? = nil, copyOf other: SyncDevice? = nil) throws -> SyncDevice {
        let device = try SyncDevice(self, devices.count, copyOf: other, model ?? self.model)
        devices.append(device)
        return device
    }

    /// A context of the server's own program.
    var serverContext: NSManagedObjectContext { SimulatedStore.context(serverStore.coordinator) }

    func backUpServer() throws { try serverStore.backUp(0) }

    func restoreServer() throws {
        try serverStore.restore(0)
        try startServer()
    }

    // MARK: Messages

    func answer(_ request: SyncRequest, _ device: SyncDevice? = nil) -> SyncResponse {
        service.answer(request, account: device?.account ?? SyncAccount("one"))
    }

    /// Sends what a device has, with the large values that the server asks for, and takes the answer.
    func push(_ device: SyncDevice) throws {
        while let request = try device.replica.pushRequest() {
            let response = answer(request, device)
            try device.replica.receive(response, to: request)
            switch response {
            case .needsBlobs, .upload: continue
            default: return
            }
        }
    }

    /// Takes the large values that objects wait for.
    func pullLater(_ device: SyncDevice) throws {
        while let request = try device.replica.laterRequest() {
            try device.replica.receive(answer(request, device), to: request)
        }
    }

    /// Takes all pages.
    func pull(_ device: SyncDevice) throws {
        for _ in 0..<1000 {
            let request = try device.replica.pullRequest()
            let response = answer(request, device)
            try device.replica.receive(response, to: request)
            if case .changes(let changes) = response, changes.isLast { return }
        }
    }

    /// Exchanges everything until all are quiet.
    func sync() throws {
        for _ in 0..<30 {
            for device in devices {
                do {
                    try push(device)
                    try pull(device)
                } catch let failure as SyncFailure where failure.reason == .unavailable {
                    // The next round tries again.
                }
            }
            if try devices.allSatisfy({ try $0.replica.isQuiet() }), try isEqual() { return }
        }
        throw SimulationFailure("The devices don't become quiet and equal: \(try differences())")
    }

    /// Exchanges everything a few times.
    func exchange() throws {
        for _ in 0..<3 {
            for device in devices {
                try push(device)
                try pull(device)
            }
        }
    }

    private func isEqual() throws -> Bool { try differences().isEmpty }

    private func differences() throws -> [String] {
        let expected = Self.stripped(try service.contents())
        return try devices.compactMap { device in
            let found = Self.stripped(try device.contents())
            let different = Set(found.keys).union(expected.keys).first { found[$0] != expected[$0] }
            return different.map { object in
                let (one, other) = (found[object].map { "\($0)" }, expected[object].map { "\($0)" })
                return "device \(device.number): \(object) is \(one ?? "missing") in place of \(other ?? "missing")"
            }
        }
    }

    static func stripped(_ contents: Contents) -> Contents {
        contents.mapValues { $0.filter { $0.value != .null && $0.value != .objects([]) } }
    }
}

/// A device of a scenario.
final class SyncDevice: @unchecked Sendable {
    let number: Int
    private unowned let scenario: SyncScenario
    let appStore: SimulatedStore
    let sideStore: SimulatedStore
    private(set) var replica: SyncReplica
    private(set) var context: NSManagedObjectContext
    private(set) var events: [SyncEvent] = []
    /// The most bytes of a push of several groups, from the next start on.
    var pushBytes = 4 << 20
    /// The account and the constants of the device's token.
    var account = SyncAccount("one")
    /// The step at which the process ends.
    var crash: SyncStep?
    /// Called at each step.
    var atStep: (SyncStep) throws -> Void = { _ in }

    fileprivate init(
        _ scenario: SyncScenario, _ number: Int, copyOf other: SyncDevice?, _ model: NSManagedObjectModel
    ) throws {
        (self.scenario, self.number) = (scenario, number)
        if let other {
            try other.backUp()
            appStore = try other.appStore.copy(0, to: "app\(number)")
            sideStore = try other.sideStore.copy(0, to: "side\(number)")
        } else {
            appStore = try SimulatedStore(model, .sqlite, "app\(number)", in: scenario.folder)
            sideStore = try SimulatedStore(SyncReplica.sideModel, .sqlite, "side\(number)", in: scenario.folder)
        }
        context = SimulatedStore.context(appStore.coordinator)
        replica = try SyncReplica(appStore.coordinator, side: sideStore.coordinator)
        try start()
        try replica.resume()
    }

    /// Starts the process: nothing but the stores is left of an earlier one.
    func start() throws { replica = try makeReplica(sideStore.coordinator) }

    /// Updates the app: its store gets another version of the model.
    ///
    /// - Parameter mapping: a mapping model by which the store is copied; nil for a migration in place.
    func migrate(to model: NSManagedObjectModel, by mapping: NSMappingModel? = nil, isPrepared: Bool) throws {
        if isPrepared {
            try SyncReplica.prepare(
                [appStore.model], metadata: appStore.metadata(), side: sideStore.coordinator, settings: settings(),
                open: { _, _ in try appStore.otherCoordinator() })
        }
        try appStore.migrate(to: model, by: mapping)
        context = SimulatedStore.context(appStore.coordinator)
        try start()
        try replica.resume()
    }

    func makeReplica(_ side: NSPersistentStoreCoordinator) throws -> SyncReplica {
        try SyncReplica(appStore.coordinator, side: side, settings: settings())
    }

    private func settings() -> SyncReplica.Settings {
        var settings = SyncReplica.Settings()
        settings.now = { [unowned scenario] in scenario.now }
        settings.pushBytes = pushBytes
        settings.leastBlobBytes = SyncScenario.leastBlobBytes
        settings.partBytes = SyncScenario.partBytes
        settings.time = { [unowned scenario] _ in scenario.now }
        settings.report = { [unowned self] in events.append($0) }
        settings.step = { [unowned self] step in
            if step == crash {
                crash = nil
                throw SimulatedCrash()
            }
            try atStep(step)
        }
        return settings
    }

    /// A side store that knows nothing, in place of the one that was lost.
    func loseSideStore() throws {
        let store = try SimulatedStore(SyncReplica.sideModel, .sqlite, "new\(number)", in: scenario.folder)
        lost = store
        replica = try makeReplica(store.coordinator)
    }

    private var lost: SimulatedStore?

    func backUp() throws {
        try appStore.backUp(0)
        try sideStore.backUp(0)
    }

    func restore(app: Bool = true, side: Bool = true) throws {
        if app { try appStore.restore(0) }
        if side { try sideStore.restore(0) }
        context = SimulatedStore.context(appStore.coordinator)
        try start()
    }

    // MARK: The app

    /// Changes objects, and saves.
    func save(_ body: @Sendable (NSManagedObjectContext) throws -> Void) throws {
        try context.performAndWait {
            context.reset()
            try body(context)
            try context.save()
        }
        scenario.now += 1
    }

    /// Reads what is in the store.
    func read<Result>(_ body: @Sendable (NSManagedObjectContext) throws -> Result) throws -> Result {
        try context.performAndWait {
            context.reset()
            return try body(context)
        }
    }

    func count(_ entity: String) throws -> Int { try read { try $0.all(entity).count } }

    /// The values of an attribute of all objects.
    func values(_ entity: String, _ key: String) throws -> [String] {
        try read { context in
            try context.all(entity).compactMap { object in object.value(forKey: key).map { "\($0)" } }.sorted()
        }
    }

    func contents() throws -> Contents {
        try context.performAndWait {
            context.reset()
            return try replica.contents(context)
        }
    }
}

extension NSManagedObjectContext {
    @discardableResult
    func insertNote(_ title: String, id: UUID = UUID()) -> NSManagedObject {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: self)
        note.setValue(id, forKey: "id")
        note.setValue(title, forKey: "title")
        return note
    }

    @discardableResult
    func insert(_ entity: String, _ key: String, _ value: String) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        object.setValue(value, forKey: key)
        return object
    }

    func all(_ entity: String) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        return try fetch(request)
    }

    func first(_ entity: String) throws -> NSManagedObject {
        guard let object = try all(entity).first else { throw SimulationFailure("There is no \(entity).") }
        return object
    }
}
