// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The objects that leave, and the changes that a program loses.
extension SyncStateApplication {
    // MARK: Deletions

    mutating func deleteObjects(_ order: [UUID], _ others: [NSManagedObject]) throws {
        var leaving: [(UUID, NSManagedObject)] = others.map { (UUID(), $0) }
        let needed = try neededObjects(order)
        for identity in order {
            guard let state = states[identity], state.isAbsent else { continue }
            // The program made it again, and the server hasn't heard of that.
            if pending[identity]?.contains(where: {
                $0.kind == .insert
                    || !isRestored && $0.kind == .update && !isSent($0)
                        && state.life > 0 && state.life < (known[identity]?.life ?? 0)
            }) ?? false {
                continue
            }
            if reviveIfNeeded(identity, state) { continue }
            if needed.contains(identity) {
                plan.held[identity] = SyncImportPlan.Held(state: state, text: "An unsent change refers to it.")
                if isRestored { try noteLostChanges(identity) }
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

    /// The objects that leave later: by a change of the program, an object of the server can't be without them now. The
    /// answer to the change has the server's state of that object.
    private func neededObjects(_ order: [UUID]) throws -> Set<UUID> {
        let absent = order.filter { states[$0]?.isAbsent ?? false }
        var needed = try absent.filter { identity in
            guard let object = objects[identity] else { return false }
            return try object.entity.relationshipsByName.values.contains { relationship in
                guard let inverse = relationship.inverseRelationship, !inverse.isOptional, !inverse.isToMany else {
                    return false
                }
                return try Self.members(of: object, relationship).contains { try isChanged($0, inverse.name) }
            }
        }
        var result = Set(needed)
        // A needed object needs others, too.
        while let object = needed.popLast().flatMap({ objects[$0] }) {
            for relationship in object.entity.relationshipsByName.values
            where !relationship.isOptional && !relationship.isToMany {
                guard let target = object.value(forKey: relationship.name) as? NSManagedObject,
                    let identity = identities[target.objectID], states[identity]?.isAbsent ?? false,
                    result.insert(identity).inserted
                else { continue }
                needed.append(identity)
            }
        }
        return result
    }

    /// Whether a relationship of an object that stays, and that the server has, has a change without an answer.
    private func isChanged(_ object: NSManagedObject, _ key: String) throws -> Bool {
        let known = try identities[object.objectID].flatMap { self.known[$0] } ?? rows.known(of: object.objectID)
        guard let known, states[known.identity].map({ !$0.isAbsent }) ?? (known.life > 0),
            let name = replica.schema.entity(of: object)?.properties.first(where: { $0.value.key == key })?.key
        else { return false }
        return try replica.pending(NSPredicate(format: "identity == %@", known.identity as NSUUID)).contains { row in
            row.kind == .update && row.maskedNames.contains(name) && !isAnswered(row, of: row.identity)
        }
    }

    /// - Returns: whether a change of the program wins against the deletion. One that is on its way has to wait: its
    ///   answer has the state again.
    private mutating func reviveIfNeeded(_ identity: UUID, _ state: SyncObjectState) -> Bool {
        guard !isRestored, state.kind == .dead, objects[identity] != nil, let row = known[identity],
            replica.schema.entities[row.entityName]?.isRevived ?? false,
            let changes = pending[identity], !changes.isEmpty, changes.allSatisfy({ $0.kind == .update })
        else { return false }
        if !changes.contains(where: isSent) {
            plan.revived.insert(identity)
            plan.lives[identity] = state.life
        }
        return true
    }

    /// Removes an object from everything that stays, so that no delete rule runs.
    mutating func isolate(_ object: NSManagedObject, except leaving: Set<NSManagedObjectID>) {
        for (name, relationship) in object.entity.relationshipsByName {
            if relationship.isToMany {
                for member in Self.members(of: object, relationship) where !leaving.contains(member.objectID) {
                    isolated.insert(member)
                    if relationship.isOrdered {
                        object.mutableOrderedSetValue(forKey: name).remove(member)
                    } else {
                        object.mutableSetValue(forKey: name).remove(member)
                    }
                }
            } else if let target = object.value(forKey: name) as? NSManagedObject,
                !leaving.contains(target.objectID)
            {
                isolated.insert(target)
                object.setValue(nil, forKey: name)
            }
        }
    }

    static func members(
        of object: NSManagedObject, _ relationship: NSRelationshipDescription
    ) -> [NSManagedObject] {
        switch object.value(forKey: relationship.name) {
        case let object as NSManagedObject: [object]
        case let ordered as NSOrderedSet: ordered.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    // MARK: Problems

    /// Keeps the unsent changes of an object that the server has deleted.
    mutating func noteLostChanges(_ identity: UUID) throws {
        guard let row = known[identity], let object = objects[identity],
            isRestored || pending[identity]?.contains(where: { $0.push == 0 && $0.kind != .delete }) ?? false
        else { return }
        if isRestored {
            return try note(object, row, because: "The server was set back to a state without the object.")
        }
        let isGone = states[identity]?.kind == .gone
        try notePrograms(
            object, row,
            because: isGone ? "The object isn't in what the account may have." : "The object was deleted.")
    }

    mutating func notePrograms(
        _ object: NSManagedObject, _ row: SyncKnownObject, because text: String
    ) throws {
        let request = NSPredicate(format: "identity == %@ AND push == 0", row.identity as NSUUID)
        for pending in try replica.pending(request) where pending.kind != .delete {
            var change = SyncObjectChange(
                object: row.identity, entity: row.entityName, kind: pending.kind, life: row.life, time: pending.time,
                properties: [:])
            for (name, base) in pending.bases {
                guard let property = replica.schema.entities[row.entityName]?.properties[name] else { continue }
                let value = try lostValue(property, of: object)
                change.properties[name] = SyncPropertyChange(base: base, change: .value(value))
            }
            plan.problems.append(SyncImportPlan.Problem(change: change, text: text))
        }
    }

    /// Keeps an object whole.
    mutating func note(_ object: NSManagedObject, _ row: SyncKnownObject, because text: String) throws {
        var change = SyncObjectChange(
            object: row.identity, entity: row.entityName, kind: .insert, life: row.life, time: 0, properties: [:])
        for (name, property) in replica.schema.entities[row.entityName]?.properties ?? [:] {
            let value = try lostValue(property, of: object)
            change.properties[name] = SyncPropertyChange(base: 0, change: .value(value))
        }
        plan.problems.append(SyncImportPlan.Problem(change: change, text: text))
    }

    /// The value of an object that leaves. The bytes of a large value are kept.
    private mutating func lostValue(_ property: SyncProperty, of object: NSManagedObject) throws -> SyncValue {
        let value = try property.value(of: object, known: knownBlob(property, object), rows.identity(of:))
        if case .blob(let blob) = value, let data = object.value(forKey: property.key) as? Data, !data.isEmpty {
            lostBytes[blob] = data
        }
        return value
    }

    /// Keeps the groups of the push that the server refused, and changes of objects that others have deleted.
    mutating func noteRefusals() {
        guard let results = ended?.results, results.contains(where: { $0 != .saved }) || !deadAtAnswer.isEmpty,
            let push = SyncJSON.decode(SyncPush.self, ended?.body)
        else { return }
        for (group, result) in zip(push.groups, results) {
            for change in group.changes {
                if plan.repeated.contains(change.object) || plan.revived.contains(change.object) { continue }
                if case .refused(let refusal) = result {
                    plan.problems.append(SyncImportPlan.Problem(change: change, text: refusal.text))
                } else if change.kind != .delete, deadAtAnswer.contains(change.object) {
                    plan.problems.append(SyncImportPlan.Problem(change: change, text: "The object was deleted."))
                }
            }
        }
    }
}

extension SyncObjectState {
    /// Whether the replica doesn't keep the object.
    var isAbsent: Bool { kind == .dead || kind == .gone }
}
