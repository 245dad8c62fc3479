// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// States of the server, while they become changes of the context of the app's store.
struct SyncStateApplication {
    private let replica: SyncReplica
    private let rows: SyncRows
    private let excluded: SyncExclusions
    private let ended: SyncOutgoingPush?
    private(set) var plan: SyncImportPlan
    /// The states by objects: held ones, corrections of the push that ends, and pages. Later ones win.
    private var states: [UUID: SyncObjectState] = [:]
    /// Whether the server was restored: what it lost with that is kept as a problem.
    private let isRestored: Bool
    private var known: [UUID: SyncKnownObject] = [:]
    /// The changes of the program that the server hasn't answered, by objects.
    private var pending: [UUID: [SyncPendingObject]] = [:]
    private var objects: [UUID: NSManagedObject] = [:]
    /// The orders of the server, which come after the relationships that make the members.
    private var orders: [(object: NSManagedObject, name: String, wanted: [UUID])] = []
    /// The objects of the push that ends that others have deleted.
    private var deadAtAnswer: Set<UUID> = []
    /// The values that the import has set.
    private var assigned: [(object: NSManagedObject, identity: UUID, property: SyncProperty, value: SyncValue)] = []
    /// The objects whose held state only sets back what a class has changed.
    private var secondTries: Set<UUID> = []
    /// The objects that were in the store, and get another UUID.
    private var isAdopted: Set<UUID> = []
    /// The objects of the import by their IDs.
    private(set) var identities: [NSManagedObjectID: UUID] = [:]

    /// - Parameter page: the last page, if the side store doesn't have it.
    init(_ replica: SyncReplica, _ page: SyncChanges?, reaching position: SyncPosition, _ excluded: SyncExclusions) throws {
        self.replica = replica
        rows = SyncRows(replica)
        self.excluded = excluded
        plan = SyncImportPlan(position: position)
        isRestored = try replica.state().isRestored
        // The pages reach the position of the answer: the replica has asked for them after it.
        ended = try replica.outgoing().flatMap { $0.answerPosition == nil ? nil : $0 }
        plan.endedPush = ended?.number
        for held in try replica.side.fetch(NSFetchRequest<SyncHeldState>(entityName: "HeldState")) {
            guard let state = held.state else { continue }
            if held.text == SyncImportPlan.Held.changedByClass { secondTries.insert(state.object) }
            add(state)
        }
        for state in ended?.answer?.corrections ?? [] {
            add(state)
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
        where row.push != ended?.number {
            pending[row.identity, default: []].append(row)
        }
    }

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
        let order = states.keys.sorted { $0.uuidString < $1.uuidString }
        for identity in order {
            if let object = try merge(identity) { leaving.append(object) }
        }
        for identity in order { try insertIfNeeded(identity) }
        for identity in order { try setValues(identity) }
        for (object, name, wanted) in orders { arrange(object, name, wanted) }
        try deleteObjects(order, leaving)
        try replica.app.obtainPermanentIDs(for: Array(replica.app.insertedObjects))
        for identity in order {
            guard let object = objects[identity], object.isInserted || isAdopted.contains(identity), let name = object.entity.name else { continue }
            identities[object.objectID] = identity
            plan.keys[identity] = SyncImportPlan.Key(
                entityName: name, key: SyncObjectKey.key(of: object.objectID))
        }
        plan.hasChanges = replica.app.hasChanges
        try rows.loadReferences(of: objects.filter { states[$0.key] != nil && !$0.value.isDeleted }.values)
        for (identity, object) in objects where states[identity] != nil && !object.isDeleted {
            plan.digests[identity] = try digest(object)
        }
        noteRefusals()
    }

    /// Finds values that a class has changed while they were saved. The next import sets them again, once.
    mutating func findChangedValues() throws {
        for (object, identity, property, value) in assigned where !object.isDeleted {
            let entity = object.entity.name ?? ""
            guard try property.syncValue(object.value(forKey: property.name), entity: entity) != value else { continue }
            guard !secondTries.contains(identity) else {
                replica.settings.report(.importChanged(object: identity, property: property.name))
                continue
            }
            guard var state = states[identity], plan.held[identity] == nil || isHeldForClass(identity) else { continue }
            state.values = plan.held[identity]?.state.values ?? [:]
            state.values[property.name] = value
            plan.held[identity] = SyncImportPlan.Held(state: state, text: SyncImportPlan.Held.changedByClass)
        }
    }

    private func isHeldForClass(_ identity: UUID) -> Bool {
        plan.held[identity]?.text == SyncImportPlan.Held.changedByClass
    }

    private func digest(_ object: NSManagedObject) throws -> Int64 {
        let properties = replica.schema.entity(of: object)?.properties ?? [:]
        return try SyncDigest.of(
            properties.mapValues { try $0.value(of: object) { try identities[$0] ?? rows.identity(of: $0) } })
    }

    // MARK: The first start

    /// Finds the server's objects among those that the replica doesn't know.
    ///
    /// - Returns: the objects that leave.
    private mutating func adoptUnknown() throws -> [NSManagedObject] {
        guard let choice = try replica.state().firstStart else { return [] }
        var keys: [String: [String]] = [:]
        if case .match(let names) = choice { keys = names }
        var leaving: [NSManagedObject] = []
        for entity in replica.schema.entities.values where !entity.isAbstract {
            let names = keys[entity.name] ?? []
            var byKey: [[SyncValue]: UUID] = [:]
            for (identity, state) in states where state.kind == .put && state.entity == entity.name && !names.isEmpty {
                byKey[names.map { state.values[$0] ?? .null }] = identity
            }
            for object in try replica.objects(entity) where try rows.known(of: object.objectID) == nil {
                var identity = entity.identityAttribute.flatMap {
                    SyncIdentity.uuid(entity.rootName, object.value(forKey: $0))
                }
                if identity == nil, !names.isEmpty {
                    let key = try names.map { name in
                        try entity.properties[name]?.syncValue(object.value(forKey: name), entity: entity.name) ?? .null
                    }
                    identity = byKey[key]
                }
                if let identity, states[identity]?.kind == .put, objects[identity] == nil {
                    objects[identity] = object
                    identities[object.objectID] = identity
                    isAdopted.insert(identity)
                } else if choice == .replaceLocal {
                    leaving.append(object)
                }
            }
        }
        return leaving
    }

    // MARK: Merged objects

    /// Makes an object of the program that of another UUID.
    private mutating func adopt(_ former: UUID, as identity: UUID) throws {
        let row = try known[former] ?? replica.known([former])[former]
        guard let row, let object = try objects[former] ?? replica.object(row) else { return }
        plan.adopted[former] = identity
        isAdopted.insert(identity)
        objects[former] = nil
        objects[identity] = object
        identities[object.objectID] = identity
        let rows = try replica.pending(NSPredicate(format: "identity == %@", former as NSUUID))
        pending[identity, default: []] += rows.filter { $0.push != ended?.number }
        if known[identity] == nil { known[identity] = row }
    }

    /// Makes an object one with the object that the server has in its place.
    ///
    /// - Returns: the object that leaves, if the store has both.
    private mutating func merge(_ identity: UUID) throws -> NSManagedObject? {
        guard let target = states[identity]?.target, states[identity]?.kind == .merged,
            let object = objects[identity]
        else { return nil }
        guard let other = objects[target] else {
            try adopt(identity, as: target)
            return nil
        }
        let rows = (pending[identity] ?? []).filter { $0.push == 0 && $0.kind != .delete }
        let own = Set((pending[target] ?? []).flatMap { Array($0.bases.keys) })
        for name in Set(rows.flatMap { Array($0.bases.keys) }).subtracting(own) {
            guard let property = replica.schema.entity(of: other)?.properties[name] else { continue }
            switch property.kind {
            case .attribute: other.setSyncValue(object.value(forKey: name), forKey: name)
            case .toOne: other.setValue(object.value(forKey: name), forKey: name)
            case .members, .order: break
            }
        }
        for (name, relationship) in object.entity.relationshipsByName where relationship.isToMany {
            for member in Self.members(of: object, relationship) {
                if relationship.isOrdered {
                    other.mutableOrderedSetValue(forKey: name).add(member)
                } else {
                    other.mutableSetValue(forKey: name).add(member)
                }
            }
        }
        plan.adopted[identity] = target
        objects[identity] = nil
        pending[target, default: []] += rows
        return object
    }

    private func isDeletedByProgram(_ identity: UUID) -> Bool {
        pending[identity]?.contains { $0.kind == .delete } ?? false
    }

    private mutating func insertIfNeeded(_ identity: UUID) throws {
        guard let state = states[identity] else { return }
        if state.kind == .kept { plan.lives[identity] = state.life }
        guard state.kind == .put, !hold(state) else { return }
        plan.lives[identity] = state.life
        guard objects[identity] == nil, !isDeletedByProgram(identity) else { return }
        guard let entity = replica.schema.entities[state.entity], !entity.isAbstract else {
            plan.held[identity] = SyncImportPlan.Held(state: state, text: "The model has no such entity.")
            return
        }
        // The row of an object that the program deleted may be there; a held state of one that is gone is whole.
        objects[identity] = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: replica.app)
    }

    /// Holds a state that the store has refused.
    private mutating func hold(_ state: SyncObjectState) -> Bool {
        guard let text = excluded.states[state.object] else { return false }
        plan.held[state.object] = SyncImportPlan.Held(state: state, text: text)
        return true
    }

    // MARK: Values

    private mutating func setValues(_ identity: UUID) throws {
        guard let state = states[identity], state.kind == .put, plan.held[identity] == nil,
            let object = objects[identity], let entity = replica.schema.entity(of: object)
        else { return }
        let rows = pending[identity] ?? []
        var missing: [String: SyncValue] = [:]
        for (name, value) in state.values.sorted(by: { $0.key < $1.key }) {
            guard let property = entity.properties[name] else { continue }
            let masking = rows.filter { $0.bases[name] != nil }
            if property.isMerged {
                guard !masking.contains(where: { $0.push != 0 }) else { continue }
                let new = try merged(value, property, of: object, isPending: !masking.isEmpty)
                plan.merged[identity, default: [:]][name] = value
                if try !set(new, property, of: object) { missing[name] = value }
            } else if masking.isEmpty {
                if try set(value, property, of: object) {
                    if case .attribute = property.kind { assigned.append((object, identity, property, value)) }
                } else {
                    missing[name] = value
                }
            }
        }
        guard !missing.isEmpty else { return }
        var held = state
        held.values = missing
        plan.held[identity] = SyncImportPlan.Held(state: held, text: "It refers to an object that isn't here.")
    }

    /// The value of a merged property: that of the server, with what the program changed since it was sent last.
    private func merged(
        _ value: SyncValue, _ property: SyncProperty, of object: NSManagedObject, isPending: Bool
    ) throws -> SyncValue {
        guard isPending else { return value }
        let present = try property.value(of: object) { try identities[$0] ?? rows.identity(of: $0) }
        let sent = identities[object.objectID].flatMap { known[$0]?.merged[property.name] }
        switch property.change(to: present, from: sent) {
        case .difference(let difference):
            let sum = try property.sum(
                property.value(value, entity: object.entity.name ?? ""), difference, entity: object.entity.name ?? "")
            return try property.syncValue(sum, entity: object.entity.name ?? "")
        case .members(let added, let removed):
            guard case .objects(let members) = value else { return value }
            return .objects(Set(members).union(added).subtracting(removed).sorted())
        case .moves(let moves):
            guard case .objects(let members) = value, case .objects(let all) = present else { return value }
            // Members that the server doesn't know have the places that the program gave them.
            return .objects(SyncMove.apply(moves, to: members + all.filter { !members.contains($0) }))
        case .value(let value): return value
        case nil: return value
        }
    }

    /// Sets a property, if its value differs.
    ///
    /// - Returns: false if the value refers to an object that isn't in the store.
    private mutating func set(
        _ value: SyncValue, _ property: SyncProperty, of object: NSManagedObject
    ) throws -> Bool {
        switch (value, property.kind) {
        case (.null, .toOne):
            if object.value(forKey: property.name) != nil { object.setValue(nil, forKey: property.name) }
        case (.object(let identity), .toOne):
            let target = objects[identity].flatMap { $0.isDeleted ? nil : $0 }
            if object.value(forKey: property.name) as? NSManagedObject !== target {
                object.setValue(target, forKey: property.name)
            }
            return target != nil
        case (.objects(let wanted), .members):
            let members = object.mutableSetValue(forKey: property.name)
            let targets = wanted.compactMap { objects[$0] }
            for case let member as NSManagedObject in members.allObjects where !targets.contains(member) {
                // An object that doesn't travel yet stays.
                if try identities[member.objectID] ?? rows.identity(of: member.objectID) != nil {
                    members.remove(member)
                }
            }
            for target in targets where !members.contains(target) { members.add(target) }
            return targets.count == wanted.count
        case (.objects(let wanted), .order):
            orders.append((object, property.name, wanted))
        case (_, .attribute):
            let entity = object.entity.name ?? ""
            if try property.syncValue(object.value(forKey: property.name), entity: entity) != value {
                object.setSyncValue(try property.value(value, entity: entity), forKey: property.name)
            }
        default: break
        }
        return true
    }

    /// Gives the members of an ordered relationship the places of a list. Other members come last.
    private func arrange(_ object: NSManagedObject, _ name: String, _ wanted: [UUID]) {
        let members = object.mutableOrderedSetValue(forKey: name)
        let present = members.compactMap { $0 as? NSManagedObject }
        let listed = wanted.compactMap { objects[$0] }.filter { members.contains($0) }
        let arranged = listed + present.filter { !listed.contains($0) }
        guard arranged != present else { return }
        object.setValue(NSOrderedSet(array: arranged), forKey: name)
    }

    // MARK: Deletions

    private mutating func deleteObjects(_ order: [UUID], _ others: [NSManagedObject]) throws {
        var leaving: [(UUID, NSManagedObject)] = others.map { (UUID(), $0) }
        for identity in order {
            guard let state = states[identity], state.kind == .dead else { continue }
            // The program made it again, and the server hasn't heard of that.
            if pending[identity]?.contains(where: {
                $0.kind == .insert
                    || !isRestored && $0.kind == .update && $0.push == 0
                        && state.life > 0 && state.life < (known[identity]?.life ?? 0)
            }) ?? false {
                continue
            }
            plan.deleted.insert(identity)
            plan.lives[identity] = state.life
            try noteLostChanges(identity)
            if let object = objects[identity] { leaving.append((identity, object)) }
        }
        for (id, text) in excluded.local {
            let object = try replica.app.existingObject(with: id)
            leaving.append((UUID(), object))
            if let row = try rows.known(of: id) {
                plan.deleted.insert(row.identity)
                try notePrograms(object, row, because: text)
            }
        }
        let ids = Set(leaving.map(\.1.objectID))
        for (_, object) in leaving where !replica.settings.variant.contains(.appliesDeleteRules) {
            isolate(object, except: ids)
        }
        for (_, object) in leaving { replica.app.delete(object) }
    }

    /// Removes an object from everything that stays, so that no delete rule runs.
    private func isolate(_ object: NSManagedObject, except leaving: Set<NSManagedObjectID>) {
        for (name, relationship) in object.entity.relationshipsByName {
            if relationship.isToMany {
                for member in Self.members(of: object, relationship) where !leaving.contains(member.objectID) {
                    if relationship.isOrdered {
                        object.mutableOrderedSetValue(forKey: name).remove(member)
                    } else {
                        object.mutableSetValue(forKey: name).remove(member)
                    }
                }
            } else if let target = object.value(forKey: name) as? NSManagedObject,
                !leaving.contains(target.objectID)
            {
                object.setValue(nil, forKey: name)
            }
        }
    }

    private static func members(
        of object: NSManagedObject, _ relationship: NSRelationshipDescription
    ) -> [NSManagedObject] {
        switch object.value(forKey: relationship.name) {
        case let ordered as NSOrderedSet: ordered.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    // MARK: Problems

    /// Keeps the unsent changes of an object that the server has deleted.
    private mutating func noteLostChanges(_ identity: UUID) throws {
        guard let row = known[identity], let object = objects[identity],
            isRestored || pending[identity]?.contains(where: { $0.push == 0 && $0.kind != .delete }) ?? false
        else { return }
        if isRestored {
            return try note(object, row, because: "The server was set back to a state without the object.")
        }
        try notePrograms(object, row, because: "The object was deleted.")
    }

    private mutating func notePrograms(
        _ object: NSManagedObject, _ row: SyncKnownObject, because text: String
    ) throws {
        let request = NSPredicate(format: "identity == %@ AND push == 0", row.identity as NSUUID)
        for pending in try replica.pending(request) where pending.kind != .delete {
            var change = SyncObjectChange(
                object: row.identity, entity: row.entityName, kind: pending.kind, life: row.life, time: pending.time,
                properties: [:])
            for (name, base) in pending.bases {
                guard let property = replica.schema.entities[row.entityName]?.properties[name] else { continue }
                let value = try property.value(of: object, rows.identity(of:))
                change.properties[name] = SyncPropertyChange(base: base, change: .value(value))
            }
            plan.problems.append(SyncImportPlan.Problem(change: change, text: text))
        }
    }

    /// Keeps an object whole.
    private mutating func note(_ object: NSManagedObject, _ row: SyncKnownObject, because text: String) throws {
        var change = SyncObjectChange(
            object: row.identity, entity: row.entityName, kind: .insert, life: row.life, time: 0, properties: [:])
        for (name, property) in replica.schema.entities[row.entityName]?.properties ?? [:] {
            let value = try property.value(of: object, rows.identity(of:))
            change.properties[name] = SyncPropertyChange(base: 0, change: .value(value))
        }
        plan.problems.append(SyncImportPlan.Problem(change: change, text: text))
    }

    /// Keeps the groups of the push that the server refused, and changes of objects that others have deleted.
    private mutating func noteRefusals() {
        guard let results = ended?.results, results.contains(where: { $0 != .saved }) || !deadAtAnswer.isEmpty,
            let push = SyncJSON.decode(SyncPush.self, ended?.body)
        else { return }
        for (group, result) in zip(push.groups, results) {
            for change in group.changes {
                if case .refused(let refusal) = result {
                    plan.problems.append(SyncImportPlan.Problem(change: change, text: refusal.text))
                } else if change.kind != .delete, deadAtAnswer.contains(change.object) {
                    plan.problems.append(SyncImportPlan.Problem(change: change, text: "The object was deleted."))
                }
            }
        }
    }
}
