import CoreData
import CoreDataSync
import CoreDataSyncModel
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestSupport

/// One history with scopes: users with devices, and a server of which each may have a part.
///
/// No answer has a value that its account may not have. At the end each device has what its account may have, and
/// nothing else.
final class ScopeSimulation: FeatureSimulation {
    static let users = ["ada", "grace", "mary"]

    final class Device: SimulatedDevice {
        var account: SyncAccountNames

        init(
            _ app: SimulatedStore, _ side: SimulatedStore, _ account: SyncAccountNames,
            settings: @escaping () -> SyncReplica.Settings
        ) throws {
            self.account = account
            try super.init(app, side, settings: settings)
        }
    }

    let clock = SimulatedClock()
    let store: SimulatedStore
    private var service: SyncService
    private(set) var devices: [Device] = []
    var messages: [SimulatedMessage] = []
    let retriedFailures = [SyncFailure.Reason.unavailable]
    private var random: SeededGenerator
    private let variant: SyncServerVariant
    private var isNarrow = false
    /// The contents of the accounts at the position that was looked at last.
    private var seen: (position: Int64, contents: [SyncAccountNames: Contents])?
    /// The position at which the server was started anew; nil before.
    private var firstPosition: Int64?
    /// The pushes that were answered.
    private var answered: Set<Data> = []

    init(_ setup: Simulation.Setup) throws {
        random = SeededGenerator(seed: setup.seed ^ 0x5C0)
        variant = setup.serverVariant
        let folder = setup.stores == .memory ? nil : try TemporaryFolder()
        let model = ScopedModel.make()
        guard let merged = SyncServerModel.merged(with: model) else { throw SimulationFailure("No model.") }
        store = try SimulatedStore(merged, setup.stores, "server", in: folder)
        service = try SyncService(store.coordinator)
        try startServer()
        let kind: SimulatedStoreKind = setup.stores == .postgresql ? .sqlite : setup.stores
        for index in 0..<setup.replicas {
            let device = try Device(
                try SimulatedStore(model, kind, "app\(index)", in: folder),
                try SimulatedStore(SyncReplica.sideModel, kind, "side\(index)", in: folder),
                SyncAccountNames(user: Self.users[index % Self.users.count]), settings: { [unowned self] in settings() }
            )
            devices.append(device)
            try device.start()
        }
    }

    private func startServer() throws {
        var limits = SyncLimits()
        limits.pageObjects = 3
        service = try SyncService(
            store.coordinator,
            scopes: isNarrow ? ScopedModel.narrowScopes : ScopedModel.scopes,
            limits: limits, variant: variant, now: { [clock] in clock.now },
            makeNonce: { [unowned self] in Int64(truncatingIfNeeded: random.next()) },
            makeUUID: { [unowned self] in random.uuid() })
    }

    private func settings() -> SyncReplica.Settings {
        var settings = SyncReplica.Settings()
        settings.now = { [clock] in clock.now }
        settings.time = { [clock] _ in clock.now }
        settings.makeUUID = { [unowned self] in random.uuid() }
        settings.pushObjects = 4
        return settings
    }

    // MARK: Steps

    func run(_ step: ScopeStep) throws {
        switch step {
        case .save(let index, let changes):
            let device = device(index)
            try save(changes, SimulatedStore.context(device.app.coordinator), device.account.user)
        case .serverSave(let changes):
            try save(changes, SimulatedStore.context(store.coordinator), Self.users[0])
        case .send(let index, let kind): try send(index, kind)
        case .deliver(let index, let isDoubled): try deliver(index, isDoubled: isDoubled)
        case .lose(let index): lose(index)
        case .crash(let index, let step): device(index).stepsToCrash = step
        case .share(let index, let user):
            device(index).account.shared = user.map { [Self.users[$0 % Self.users.count]] } ?? []
        case .forge(let index, let object, let isDeletion):
            try forge(device(index), object, isDeletion)
        case .declare(let isNarrow):
            self.isNarrow = isNarrow
            try startServer()
            (seen, firstPosition) = (nil, try service.newestPosition)
        case .forget: try service.forgetDeadObjects(before: clock.now - 500)
        case .pass(let seconds): clock.now += seconds
        }
        try checkNews()
    }

    private func save(_ changes: [ScopeChange], _ context: NSManagedObjectContext, _ user: String) throws {
        try context.performAndWait {
            for change in changes { try change.make(in: context, user: user) }
            do {
                if context.hasChanges { try context.save() }
            } catch is CocoaError {
                // A change that the model refuses.
                context.rollback()
            }
        }
    }

    // MARK: The server

    private func account(_ names: SyncAccountNames) -> SyncAccount {
        SyncAccount(names.user, constants: ["SHARED": names.shared.map { .text($0) }])
    }

    private func visible(_ names: SyncAccountNames) throws -> (visible: Set<UUID>, all: Set<UUID>) {
        let reference = try ScopeReference(store.coordinator)
        return (try reference.visible(names, isNarrow: isNarrow), reference.all)
    }

    /// Answers, and checks the answer.
    func answer(_ request: SyncRequest, of device: Device) throws -> SyncResponse {
        try answer(request, device.account)
    }

    /// Has the server give the changes of its own program their records.
    private func noteOtherWriters(_ names: SyncAccountNames) {
        let request = SyncSessionRequest(replica: UUID(), positions: [], answeredPush: 0)
        _ = service.answer(.session(request), account: account(names))
    }

    private func answer(_ request: SyncRequest, _ names: SyncAccountNames) throws -> SyncResponse {
        noteOtherWriters(names)
        let before = try visible(names)
        let response = service.answer(request, account: account(names))
        let after = try visible(names)
        switch response {
        case .changes(let changes): try check(changes.objects, after.visible, names)
        case .push(_, let answer):
            try check(answer.corrections, after.visible, names)
            if case .push(let push) = request { try check(push, answer, before, after, names) }
        default: break
        }
        return response
    }

    private func check(_ states: [SyncObjectState], _ visible: Set<UUID>, _ names: SyncAccountNames) throws {
        for state in states {
            if state.kind == .gone || state.kind == .dead {
                guard state.values.isEmpty else {
                    throw Finding("\(names) gets values of \(state.object), which left.")
                }
                continue
            }
            guard visible.contains(state.object) else {
                throw Finding("\(names) gets \(state.object), \(state.values).")
            }
            for (name, value) in state.values {
                let objects: [UUID] =
                    switch value {
                    case .object(let object): [object]
                    case .objects(let objects): objects
                    default: []
                    }
                guard let hidden = objects.first(where: { !visible.contains($0) }) else { continue }
                throw Finding("\(names) gets the object \(hidden) in \(state.object).\(name).")
            }
        }
    }

    /// Checks that a push changed nothing that its account had not, and inserted nothing that it hasn't.
    private func check(
        _ request: SyncPushRequest, _ answer: SyncPushAnswer, _ before: (visible: Set<UUID>, all: Set<UUID>),
        _ after: (visible: Set<UUID>, all: Set<UUID>), _ names: SyncAccountNames
    ) throws {
        guard answered.insert(request.body).inserted else { return }
        let push = try JSONDecoder().decode(SyncPush.self, from: request.body)
        for (group, result) in zip(push.groups, answer.results) where result == .saved {
            for change in group.changes {
                let (existed, exists) = (before.all.contains(change.object), after.all.contains(change.object))
                if existed, !before.visible.contains(change.object), !exists || change.kind == .insert {
                    throw Finding("\(names) changes \(change.object).")
                }
                // Another group of the push may have taken it out again.
                if !existed, exists, !after.visible.contains(change.object), push.groups.count == 1,
                    change.kind == .insert
                {
                    throw Finding("\(names) inserts \(change.object), which it may not have.")
                }
            }
        }
    }

    /// Changes an object of the server by its UUID, as no replica does.
    private func forge(_ device: Device, _ number: Int, _ isDeletion: Bool) throws {
        noteOtherWriters(device.account)
        let (visible, all) = try visible(device.account)
        let order = all.sorted { $0.uuidString < $1.uuidString }
        guard !order.isEmpty else { return }
        let object = order[number % order.count]
        let record = try service.contents()[object] ?? [:]
        let key = record["title"] != nil ? "title" : record["user"] != nil ? "user" : "name"
        let entity = record["title"] != nil ? "Note" : record["user"] != nil ? "Member" : "Task"
        let change = SyncObjectChange(
            object: object, entity: entity, kind: isDeletion ? .delete : .update, life: 0, time: clock.now,
            properties: isDeletion
                ? [:] : [key: SyncPropertyChange(base: .max, change: .value(.text("forged \(number)")))])
        let push = SyncPush(replica: random.uuid(), number: 1, groups: [SyncGroup(changes: [change])])
        let request = SyncPushRequest(body: try JSONEncoder().encode(push), attempt: 1, newestBase: nil)
        _ = try answer(.push(request), device.account)
        if !visible.contains(object), try service.contents()[object] != record {
            throw Finding("\(device.account) has changed \(object) by its UUID.")
        }
    }

    /// Checks that the news of saves are for each account whose objects the saves have changed. A server that was
    /// started anew tells all of its first new position: see `SyncPositionWatch`.
    private func checkNews() throws {
        let position = try service.newestPosition
        guard position != seen?.position, position != firstPosition else { return }
        let nodes = try seen.flatMap { try service.newsNodes(after: $0.position) }
        let all = try service.contents()
        var contents: [SyncAccountNames: Contents] = [:]
        for names in Set(devices.map(\.account)) {
            contents[names] = Self.shown(all, try visible(names).visible)
            guard let nodes, let former = seen?.contents[names], former != contents[names],
                service.newsNodes(of: account(names))?.isDisjoint(with: nodes) ?? false
            else { continue }
            throw Finding("\(names) doesn't hear of its changes up to \(position).")
        }
        seen = (position, contents)
    }

    /// The contents that an account may have.
    private static func shown(_ contents: Contents, _ visible: Set<UUID>) -> Contents {
        contents.filter { visible.contains($0.key) }.mapValues { values in
            values.mapValues { value in
                if case .object(let target) = value, !visible.contains(target) { return .null }
                return value
            }
        }
    }

    // MARK: The end

    func prepareEnd() {}

    func checkEnd() {}

    func difference() throws -> String? {
        let all = try service.contents()
        for (index, device) in devices.enumerated() {
            let visible = try visible(device.account).visible
            let contents = Self.shown(all, visible)
            let found = try device.replica.contents(SimulatedStore.context(device.app.coordinator))
            for object in visible.union(found.keys) {
                guard visible.contains(object) else { return "Device \(index) has \(object), \(found[object] ?? [:])." }
                guard let values = found[object] else { return "Device \(index) lacks \(object)." }
                let wanted = contents[object] ?? [:]
                if values != wanted { return "Device \(index) has \(object) as \(values) in place of \(wanted)." }
            }
        }
        return nil
    }
}
