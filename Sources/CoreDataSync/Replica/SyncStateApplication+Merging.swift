// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// Objects of the store that are objects of the server under another UUID.
extension SyncStateApplication {
    // MARK: The first start

    /// Finds the server's objects among those that the replica doesn't know.
    ///
    /// - Returns: the objects that leave.
    mutating func adoptUnknown() throws -> [NSManagedObject] {
        guard let choice = try replica.state().firstStart else { return [] }
        try replica.loadRecorded()
        var keys: [String: [String]] = [:]
        if case .match(let names) = choice { keys = names }
        var leaving: [NSManagedObject] = []
        for entity in replica.schema.concreteEntities {
            let names = entity.names(keys[entity.modelName] ?? [])
            var byKey: [[SyncValue]: UUID] = [:]
            for (identity, state) in states where state.kind == .put && state.entity == entity.name && !names.isEmpty {
                byKey[names.map { state.values[$0] ?? .null }] = identity
            }
            for object in try replica.objects(entity) where try rows.known(of: object.objectID) == nil {
                var identity = entity.identity(of: object)
                if identity == nil, let recorded = replica.recordedIdentity(of: object.objectID, entity),
                    states[recorded]?.kind == .put
                {
                    identity = recorded
                }
                if identity == nil, !names.isEmpty {
                    let key = try names.map { name in
                        try entity.properties[name]?.value(of: object, rows.identity(of:)) ?? .null
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
    mutating func adopt(_ former: UUID, as identity: UUID) throws {
        let row = try known[former] ?? replica.known([former])[former]
        guard let row, let object = try objects[former] ?? replica.object(row) else { return }
        plan.adopted[former] = identity
        isAdopted.insert(identity)
        objects[former] = nil
        objects[identity] = object
        identities[object.objectID] = identity
        let rows = try replica.pending(NSPredicate(format: "identity == %@", former as NSUUID))
        pending[identity, default: []] += rows.filter { !isAnswered($0, of: identity) }
        if known[identity] == nil { known[identity] = row }
    }

    /// Makes an object one with the object that the server has in its place.
    ///
    /// - Returns: the object that leaves, if the store has both.
    mutating func merge(_ identity: UUID) throws -> NSManagedObject? {
        guard let target = states[identity]?.target, states[identity]?.kind == .merged,
            let object = objects[identity]
        else { return nil }
        guard let other = objects[target] else {
            try adopt(identity, as: target)
            return nil
        }
        let rows = (pending[identity] ?? []).filter { !isSent($0) && $0.kind != .delete }
        let own = Set((pending[target] ?? []).flatMap(\.maskedNames))
        for name in Set(rows.flatMap { Array($0.bases.keys) }).subtracting(own) {
            guard let property = replica.schema.entity(of: other)?.properties[name] else { continue }
            switch property.kind {
            case .attribute:
                other.setSyncValue(object.value(forKey: property.key), forKey: property.key)
                if property.mayBeBlob { plan.blobs[target, default: [:]][name] = .some(nil) }
            case .toOne: other.setValue(object.value(forKey: property.key), forKey: property.key)
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

    func isDeletedByProgram(_ identity: UUID) -> Bool {
        pending[identity]?.contains { $0.kind == .delete } ?? false
    }

    /// - Returns: the object that leaves, if the server has one of another entity under its UUID.
    mutating func replaceIfNeeded(_ identity: UUID) throws -> NSManagedObject? {
        guard let state = states[identity], state.kind == .put, let object = objects[identity],
            replica.schema.entity(of: object)?.name != state.entity, replica.schema.entities[state.entity] != nil
        else { return nil }
        try noteLostChanges(identity)
        plan.deleted.insert(identity)
        objects[identity] = nil
        pending[identity] = nil
        return object
    }

    mutating func insertIfNeeded(_ identity: UUID) throws {
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
        objects[identity] = NSEntityDescription.insertNewObject(forEntityName: entity.modelName, into: replica.app)
    }

    /// Holds a state that the store has refused.
    mutating func hold(_ state: SyncObjectState) -> Bool {
        guard let text = excluded.states[state.object] else { return false }
        plan.held[state.object] = SyncImportPlan.Held(state: state, text: text)
        return true
    }
}
