import CoreData
import CoreDataSync
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestSupport

/// The server of a simulation, and the reference, which follows each push that the server saves. One thread uses it.
final class SimulatedServer: @unchecked Sendable {
    private let store: SimulatedStore
    private let clock: SimulatedClock
    private let variant: SyncServerVariant
    private let hasBlobs: Bool
    private var nonces: SeededGenerator
    private(set) var service: SyncService!
    /// The context of the server's own program.
    private var program: NSManagedObjectContext
    private var pageObjects = 3
    /// The number of steps after which the process ends; nil if it doesn't.
    var stepsToCrash: Int?
    private var errors: [any Error] = []

    /// The knowledge that a backup sets back, too.
    private struct Knowledge {
        var reference: Reference
        /// The groups that the server has decided of each push, by replica and number.
        var decided: [String: Int] = [:]
        /// The values that the server has decided on, by objects.
        var sent: [UUID: [String: Set<SyncValue>]] = [:]
        /// The positions at which it has decided on them last.
        var sentAt: [UUID: [String: Int64]] = [:]
    }

    private var knowledge: Knowledge
    private var backups: [Knowledge] = []
    /// The contents of each position that a replica can have.
    private var moments: [SyncPosition: Contents] = [:]

    init(_ setup: Simulation.Setup, clock: SimulatedClock, in folder: TemporaryFolder?) throws {
        guard let model = SyncServerModel.merged(with: SimulationModel.model) else {
            throw SimulationFailure("The model of the server can't be made.")
        }
        (self.clock, variant, hasBlobs) = (clock, setup.serverVariant, setup.hasBlobs)
        nonces = SeededGenerator(seed: setup.seed ^ 0xA5A5)
        knowledge = Knowledge(reference: Reference(inverted: setup.rule))
        store = try SimulatedStore(model, setup.stores, "server", in: folder)
        program = SimulatedStore.context(store.coordinator)
        try start()
    }

    /// Starts the process: nothing but the store is left of an earlier one.
    private func start() throws {
        var limits = SyncLimits()
        limits.pageObjects = pageObjects
        if hasBlobs {
            (limits.leastBlobBytes, limits.partBytes, limits.leastPartBytes) = (SimulationModel.leastBlobBytes, 7, 1)
        }
        program = SimulatedStore.context(store.coordinator)
        service = try SyncService(
            store.coordinator, hook: { Self.resolve($0) }, limits: limits, variant: variant,
            now: { [clock] in clock.now },
            makeNonce: { [unowned self] in Int64(truncatingIfNeeded: nonces.next()) },
            makeUUID: { [unowned self] in nonces.uuid() }, step: { [unowned self] in try reach($0) },
            report: { [unowned self] in errors.append($0) })
        service.log = { [unowned self] in follow($0) }
    }

    /// Saves changes as the server's program does.
    func save(_ changes: [Change]) throws {
        try program.performAndWait {
            program.reset()
            var edit = Edit(program) { [unowned self] in nonces.uuid() }
            for change in changes { try edit.make(change) }
            do {
                if program.hasChanges { try program.save() }
            } catch is CocoaError {
                // A change that the model refuses.
                program.rollback()
            }
        }
    }

    /// The larger number wins.
    static func resolve(_ conflict: SyncConflict) -> SyncConflict.Resolution {
        guard case .integer(let old) = conflict.serverValue, case .integer(let new) = conflict.replicaValue else {
            return .replica
        }
        return new > old ? .replica : .server
    }

    /// Lets the reference make what the server's program has saved.
    private func follow(_ changes: [SyncObjectChange]) {
        // An object may have been deleted, and inserted again under its UUID.
        let inserted = Set(changes.filter { $0.kind == .insert }.map(\.object))
        let former = changes.filter { $0.kind == .delete && inserted.contains($0.object) }
        let rest = changes.filter { $0.kind != .delete || !inserted.contains($0.object) }
        let groups = [former, rest].filter { !$0.isEmpty }.map { SyncGroup(changes: $0) }
        let push = SyncPush(replica: UUID(), number: 0, groups: groups)
        _ = knowledge.reference.apply(push, by: 0, at: clock.now, tryingAll: true)
    }

    private func reach(_ step: SyncServerStep) throws {
        if case .beforeGroup(let group) = step, Reference.isPoison(group) { throw Poison() }
        guard let steps = stepsToCrash else { return }
        stepsToCrash = steps - 1
        if steps <= 0 {
            stepsToCrash = nil
            throw SimulatedCrash()
        }
    }

    private struct Poison: Error {}

    /// Starts the process again, with large pages.
    func begin() throws {
        stepsToCrash = nil
        pageObjects = 1000
        try start()
    }

    func remove() throws { try store.remove() }

    // MARK: Requests

    /// Answers a request.
    ///
    /// - Returns: nil if the process ends before the answer is on its way.
    func answer(_ request: SyncRequest, account: String) throws -> SyncResponse? {
        errors = []
        let from = knowledge.reference.position
        let response = service.answer(request, account: account)
        let isEnded = errors.contains { $0 is SimulatedCrash }
        if isEnded { try start() }
        if case .push(let push) = request { try follow(push) }
        for number in from...knowledge.reference.position { try keepMoment(number) }
        if let error = errors.first, !(error is SimulatedCrash), !(error is Poison) {
            throw Finding("The server can't answer: \(error)")
        }
        return isEnded ? nil : response
    }

    /// Lets the reference make what the server has decided of a push.
    private func follow(_ request: SyncPushRequest) throws {
        guard let push = try? JSONDecoder().decode(SyncPush.self, from: request.body),
            let results = try service.storedResults(of: push)
        else { return }
        let key = "\(push.replica) \(push.number)"
        let first = knowledge.decided[key] ?? 0
        guard results.count > first else { return }
        knowledge.decided[key] = results.count
        var clipped = push
        clipped.groups = Array(push.groups[first..<results.count])
        if let newest = request.newestBase { clipped = clipped.clipped(newest) }
        let isWhole = results.count == push.groups.count && first == 0 && request.attempt < 2
        guard let number = try service.number(of: push.replica) else { return }
        let saved = knowledge.reference.apply(
            clipped, by: number, at: clock.now, tryingAll: isWhole, isOfferedAgain: request.newestBase != nil)
        for change in clipped.groups.flatMap(\.changes) {
            for (name, property) in change.properties {
                if case .value(let value) = property.change {
                    let object = knowledge.reference.end(change.object)
                    let key = "\(push.replica) \(name)"
                    knowledge.sent[object, default: [:]][key, default: []].insert(value)
                    knowledge.sentAt[object, default: [:]][key] = knowledge.reference.position
                }
            }
        }
        let engine = results[first...].map { $0 == .saved }
        if engine != saved {
            throw Finding(
                "The server decides \(Array(results[first...])) of a push, and the rules \(saved): "
                    + String(decoding: request.body, as: UTF8.self))
        }
    }

    private func keepMoment(_ number: Int64) throws {
        guard let position = try service.position(number) else { return }
        moments[position] = knowledge.reference.snapshots[number]
    }

    /// The contents that the rules give a position; nil if they don't say.
    func contents(at position: SyncPosition) -> Contents? {
        position.number == 0 ? [:] : moments[position]
    }

    var expected: Contents { knowledge.reference.contents }

    /// The values of a property that a replica has sent, and that the server has decided on.
    func sent(_ identity: UUID, _ name: String, by names: [UUID]) -> Set<SyncValue> {
        names.reduce(into: []) { $0.formUnion(knowledge.sent[identity]?["\($1) \(name)"] ?? []) }
    }

    /// Whether the server has decided on a value that a replica sent, up to a position.
    func hasDecided(_ value: SyncValue, _ name: String, of identity: UUID, by names: [UUID], at position: Int64) -> Bool
    {
        sent(identity, name, by: names).contains(value)
            && names.contains { self.position(ofSent: name, of: identity, by: $0).map { $0 <= position } ?? false }
    }

    /// Forgets dead objects.
    func forget() throws {
        try service.forgetDeadObjects(before: clock.now + 1)
        knowledge.reference.forget()
    }

    /// The position at which the server has decided on the last value of a property that a replica sent.
    func position(ofSent name: String, of identity: UUID, by replica: UUID) -> Int64? {
        knowledge.sentAt[identity]?["\(replica) \(name)"]
    }

    // MARK: Backups

    func backUp(isNoted: Bool) throws {
        guard store.hasFile else { return }
        let position = try service.newestPosition
        try store.backUp(backups.count)
        backups.append(knowledge)
        if isNoted { try service.noteBackup(of: position) }
    }

    /// Sets the store back to a backup: the newest one, if replicas forget what it has.
    func restore() throws {
        guard store.hasFile, !backups.isEmpty else { return }
        try store.restore(backups.count - 1)
        knowledge = backups[backups.count - 1]
        try start()
    }
}

extension SyncPush {
    /// The push with bases that are at most a number.
    fileprivate func clipped(_ newest: Int64) -> SyncPush {
        var push = self
        for group in push.groups.indices {
            for change in push.groups[group].changes.indices {
                for name in push.groups[group].changes[change].properties.keys {
                    let base = push.groups[group].changes[change].properties[name]?.base ?? 0
                    push.groups[group].changes[change].properties[name]?.base = min(base, newest)
                }
            }
        }
        return push
    }
}
