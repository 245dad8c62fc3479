// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// States of the server, while they become changes of the context of the app's store.
struct SyncStateApplication {
    let replica: SyncReplica
    let rows: SyncRows
    let excluded: SyncExclusions
    let ended: SyncOutgoingPush?
    var plan: SyncImportPlan
    /// The states by objects: held ones, corrections of the push that ends, and pages. Later ones win.
    var states: [UUID: SyncObjectState] = [:]
    /// Whether the server was restored: what it lost with that is kept as a problem.
    let isRestored: Bool
    var known: [UUID: SyncKnownObject] = [:]
    /// The changes of the program that the server hasn't answered, by objects.
    var pending: [UUID: [SyncPendingObject]] = [:]
    var objects: [UUID: NSManagedObject] = [:]
    /// The orders of the server, which come after the relationships that make the members.
    var orders: [(object: NSManagedObject, name: String, wanted: [UUID])] = []
    /// The objects of the push that ends that others have deleted.
    var deadAtAnswer: Set<UUID> = []
    /// The large values that the import needs, and that the replica hasn't got.
    var missing: [SyncNeededBlob] = []
    /// The bytes of large values that the program loses: problems have them.
    var lostBytes: [SyncBlob: Data] = [:]
    /// The values that the import has set.
    var assigned: [(object: NSManagedObject, identity: UUID, property: SyncProperty, value: SyncValue)] = []
    /// The objects whose held state only sets back what a class has changed.
    var secondTries: Set<UUID> = []
    /// The objects that were in the store, and get another UUID.
    var isAdopted: Set<UUID> = []
    /// The objects that an import unlinks from those that leave.
    var isolated: Set<NSManagedObject> = []
    /// The objects of the import by their IDs.
    var identities: [NSManagedObjectID: UUID] = [:]

    /// - Parameter page: the last page, if the side store doesn't have it.
    init(_ replica: SyncReplica, _ page: SyncChanges?, reaching last: SyncChanges, _ excluded: SyncExclusions) throws {
        self.replica = replica
        rows = SyncRows(replica)
        self.excluded = excluded
        plan = SyncImportPlan(position: last.position, scopes: last.scopes)
        isRestored = try replica.state().isRestored
        // The pages reach the position of the answer: the replica has asked for them after it.
        ended = try replica.outgoing().flatMap { $0.answerPosition == nil ? nil : $0 }
        plan.endedPush = ended?.number
        plan.repeated = Self.repeatedObjects(of: ended)
        for held in try replica.side.fetch(NSFetchRequest<SyncHeldState>(entityName: "HeldState")) {
            guard let state = held.state else { continue }
            if held.text == SyncImportPlan.Held.changedByClass { secondTries.insert(state.object) }
            add(state)
        }
        for state in ended?.answer?.corrections ?? [] {
            add(state)
            // A saved change may have moved an object out of the scopes: nothing of it is lost.
            if state.kind == .dead { deadAtAnswer.insert(state.object) }
        }
        var paged: Set<UUID> = []
        for states in try replica.pages().map(\.objects) + [page?.objects ?? []] {
            for state in states {
                add(state)
                paged.insert(state.object)
            }
        }
        if try replica.state().position == nil { try addAbsent(paged) }
        known = try replica.known(wantedIdentities())
        for row in try replica.pending(NSPredicate(format: "identity IN %@", Array(states.keys)))
        where !isAnswered(row, of: row.identity) {
            pending[row.identity, default: []].append(row)
        }
    }

    /// The objects of the groups that the server wants again.
    private static func repeatedObjects(of push: SyncOutgoingPush?) -> Set<UUID> {
        func isRepeated(_ result: SyncGroupResult) -> Bool {
            if case .refused(let refusal) = result { refusal.reason == .needsObject } else { false }
        }
        guard let push, push.results.contains(where: isRepeated), let sent = SyncJSON.decode(SyncPush.self, push.body)
        else { return [] }
        return Set(
            zip(sent.groups, push.results).filter { isRepeated($0.1) }.flatMap { $0.0.changes.map(\.object) })
    }

    /// Whether the import has the server's answer to a change of an object.
    func isAnswered(_ row: SyncPendingObject, of identity: UUID) -> Bool {
        row.push == ended?.number && !plan.repeated.contains(identity)
    }

    /// Whether a change is on its way to the server.
    func isSent(_ row: SyncPendingObject) -> Bool { row.push != 0 && !plan.repeated.contains(row.identity) }

    /// Adds the objects that the server had and has no more, when the pages have all that it has. An answer may be
    /// older than the pages.
    private mutating func addAbsent(_ paged: Set<UUID>) throws {
        for (identity, state) in states
        where (state.kind == .put || state.kind == .kept) && !paged.contains(identity) {
            states[identity] = SyncObjectState(
                object: identity, entity: state.entity, kind: .dead, life: state.life, values: [:])
        }
        let request = NSFetchRequest<SyncKnownObject>(entityName: "KnownObject")
        request.predicate = NSPredicate(format: "life > 0 AND key != 0")
        for row in try replica.side.fetch(request) where states[row.identity] == nil {
            states[row.identity] = SyncObjectState(
                object: row.identity, entity: row.entityName, kind: .dead, life: row.life, values: [:])
        }
    }

    /// Whether the import has a state of an object.
    func hasState(of identity: UUID) -> Bool { states[identity] != nil }

    /// Adds a newer state of an object.
    private mutating func add(_ state: SyncObjectState) {
        guard var old = states[state.object], old.kind == .put || old.kind == .kept,
            state.kind == .put || state.kind == .kept, old.life == state.life
        else {
            states[state.object] = state
            return
        }
        if state.kind == .put { old.kind = .put }
        old.values.merge(state.values) { _, new in new }
        states[state.object] = old
    }

    /// The objects of the states, and those that their values refer to.
    private func wantedIdentities() -> Set<UUID> {
        var wanted = Set(states.keys)
        for state in states.values {
            if let target = state.target { wanted.insert(target) }
            for value in state.values.values {
                switch value {
                case .object(let identity): wanted.insert(identity)
                case .objects(let identities): wanted.formUnion(identities)
                default: break
                }
            }
        }
        return wanted
    }

    // MARK: Steps

    /// Changes the context, and makes the plan for the side store.
    mutating func apply() throws {
        objects = try rows.objects(known.values)
        for (identity, object) in objects { identities[object.objectID] = identity }
        var leaving = try adoptUnknown()
        for (identity, id) in excluded.adopted {
            if let former = try rows.known(of: id)?.identity { try adopt(former, as: identity) }
        }
        let order = states.keys.sorted()
        for identity in order {
            if let object = try merge(identity) { leaving.append(object) }
        }
        for identity in order {
            if let object = try replaceIfNeeded(identity) { leaving.append(object) }
            try insertIfNeeded(identity)
        }
        for identity in order { try setValues(identity) }
        for (object, name, wanted) in orders { arrange(object, name, wanted) }
        try deleteObjects(order, leaving)
        // A change of an object that the store hasn't got any more can't be sent again, with the whole object.
        plan.repeated = plan.repeated.filter { identity in
            let isUpdate = pending[identity]?.allSatisfy { $0.kind == .update } ?? true
            return !plan.deleted.contains(identity) && (objects[identity] != nil || !isUpdate)
        }
        try replica.app.obtainPermanentIDs(for: order.compactMap { objects[$0] }.filter(\.isInserted))
        for identity in order {
            guard let object = objects[identity], object.isInserted || isAdopted.contains(identity),
                let name = replica.schema.entity(of: object)?.name
            else { continue }
            identities[object.objectID] = identity
            if object.isInserted { rows.noteNew(object.objectID) }
            plan.keys[identity] = SyncImportPlan.Key(
                entityName: name, key: SyncObjectKey.key(of: object.objectID))
        }
        plan.hasChanges = replica.app.hasChanges
        try rows.loadReferences(of: objects.filter { states[$0.key] != nil && !$0.value.isDeleted }.values)
        for (identity, object) in objects where states[identity] != nil && !object.isDeleted {
            plan.digests[identity] = try digest(object)
        }
        try noteIsolated()
        noteRefusals()
    }

    /// Notes the values of objects that the import unlinks: a later comparison takes them for no change.
    private mutating func noteIsolated() throws {
        let others = isolated.filter { !$0.isDeleted && $0.managedObjectContext != nil }
        try rows.load(others.map(\.objectID))
        try rows.loadReferences(of: others)
        for object in others {
            guard let row = try rows.known(of: object.objectID), plan.digests[row.identity] == nil else { continue }
            // A change that isn't sent yet is to be found by a comparison, too.
            guard try rows.unsent(row) == nil else { continue }
            plan.digests[row.identity] = try digest(object)
            for (name, value) in row.merged {
                guard case .objects(let list) = value else { continue }
                let staying = list.filter { !plan.deleted.contains($0) }
                if staying.count < list.count { plan.merged[row.identity, default: [:]][name] = .objects(staying) }
            }
        }
    }

    /// Finds values that a class has changed while they were saved. The next import sets them again, once.
    mutating func findChangedValues() throws {
        for (object, identity, property, value) in assigned where !object.isDeleted {
            let entity = object.entity.name ?? ""
            guard try property.syncValue(object.value(forKey: property.key), entity: entity) != value else { continue }
            guard !secondTries.contains(identity) else {
                replica.settings.report(.importChanged(object: identity, property: property.key))
                continue
            }
            guard var state = states[identity], plan.held[identity] == nil || isHeldForClass(identity) else { continue }
            state.values = plan.held[identity]?.state.values ?? [:]
            state.values[property.name] = value
            plan.held[identity] = SyncImportPlan.Held(state: state, text: SyncImportPlan.Held.changedByClass)
        }
    }

    func isHeldForClass(_ identity: UUID) -> Bool {
        plan.held[identity]?.text == SyncImportPlan.Held.changedByClass
    }

    func digest(_ object: NSManagedObject) throws -> Int64 {
        let properties = replica.schema.entity(of: object)?.properties ?? [:]
        return try SyncDigest.of(
            properties.mapValues { property in
                try property.value(of: object, known: knownBlob(property, object)) {
                    try identities[$0] ?? rows.identity(of: $0)
                }
            })
    }

    /// The knowledge of a large value of an object, as the import leaves it.
    func knownBlob(_ property: SyncProperty, _ object: NSManagedObject) throws -> SyncKnownBlob? {
        guard property.mayBeBlob else { return nil }
        let identity = identities[object.objectID]
        if let identity, let entry = plan.blobs[identity]?[property.name] { return entry }
        let row = try identity.flatMap { known[$0] } ?? rows.known(of: object.objectID)
        return row?.blobs[property.name]
    }
}
