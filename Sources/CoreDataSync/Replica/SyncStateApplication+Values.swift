// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The values of states.
extension SyncStateApplication {
    // MARK: Values

    mutating func setValues(_ identity: UUID) throws {
        guard let state = states[identity], state.kind == .put, plan.held[identity] == nil,
            let object = objects[identity], let entity = replica.schema.entity(of: object)
        else { return }
        let rows = pending[identity] ?? []
        var missing: [String: SyncValue] = [:]
        for (name, value) in state.values.sorted(by: { $0.key < $1.key }) {
            guard let property = entity.properties[name] else { continue }
            let masking = rows.filter { $0.maskedNames.contains(name) }
            if property.isMerged {
                guard !masking.contains(where: isSent) else { continue }
                let new = try merged(value, property, of: object, isPending: !masking.isEmpty)
                plan.merged[identity, default: [:]][name] = value
                if try !set(new, property, of: object, identity) { missing[name] = value }
            } else if masking.isEmpty {
                if try set(value, property, of: object, identity) {
                    if case .attribute = property.kind, plan.blobs[identity]?[name]??.isLater != true {
                        assigned.append((object, identity, property, value))
                    }
                } else {
                    missing[name] = value
                }
            }
        }
        guard !missing.isEmpty else { return }
        var held = state
        held.values = missing
        plan.held[identity] = SyncImportPlan.Held(
            state: held, text: "It refers to an object, or to a large value, that isn't here.")
    }

    /// The value of a merged property: that of the server, with what the program changed since it was sent last.
    func merged(
        _ value: SyncValue, _ property: SyncProperty, of object: NSManagedObject, isPending: Bool
    ) throws -> SyncValue {
        guard isPending else { return value }
        let present = try property.value(of: object) { try identities[$0] ?? rows.identity(of: $0) }
        let identity = identities[object.objectID]
        let isRepeated = identity.map(plan.repeated.contains) ?? false
        let sent = identity.flatMap {
            isRepeated ? ended?.former[$0]?[property.name] : known[$0]?.merged[property.name]
        }
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
    mutating func set(
        _ value: SyncValue, _ property: SyncProperty, of object: NSManagedObject, _ identity: UUID
    ) throws -> Bool {
        switch (value, property.kind) {
        case (.blob(let blob), .attribute): return try set(blob, property, of: object, identity)
        case (.null, .toOne):
            if object.value(forKey: property.key) != nil { object.setValue(nil, forKey: property.key) }
        case (.object(let identity), .toOne):
            let target = objects[identity].flatMap { $0.isDeleted ? nil : $0 }
            if object.value(forKey: property.key) as? NSManagedObject !== target {
                object.setValue(target, forKey: property.key)
            }
            return target != nil
        case (.objects(let wanted), .members):
            let members = object.mutableSetValue(forKey: property.key)
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
            orders.append((object, property.key, wanted))
        case (_, .attribute):
            let entity = object.entity.name ?? ""
            if try property.syncValue(object.value(forKey: property.key), entity: entity) != value {
                object.setSyncValue(try property.value(value, entity: entity), forKey: property.key)
            }
            if property.mayBeBlob, known[identity]?.hasBlobs ?? false {
                plan.blobs[identity, default: [:]][property.name] = .some(nil)
            }
        default: break
        }
        return true
    }

    /// Gives an object a large value, or a placeholder for one that comes later.
    ///
    /// - Returns: false if the server hasn't got the value.
    private mutating func set(
        _ blob: SyncBlob, _ property: SyncProperty, of object: NSManagedObject, _ identity: UUID
    ) throws -> Bool {
        guard property.mayBeBlob else {
            _ = try property.value(.blob(blob), entity: object.entity.name ?? "")
            return true
        }
        let present = known[identity]?.blobs[property.name]
        if try property.value(of: object, known: present, { _ in nil }) == .blob(blob) {
            let isLater = present?.blob == blob && present?.isLater ?? false
            plan.blobs[identity, default: [:]][property.name] = SyncKnownBlob(blob: blob, isLater: isLater)
            // The object may be a new one, in place of one that waited.
            if isLater, property.isRequired, object.value(forKey: property.key) == nil {
                object.setSyncValue(Data(), forKey: property.key)
            }
            return true
        }
        let needed = SyncNeededBlob(object: identity, property: property.name, blob: blob)
        if let data = try replica.incoming(blob) ?? replica.outgoing(blob) {
            object.setSyncValue(data, forKey: property.key)
            plan.blobs[identity, default: [:]][property.name] = SyncKnownBlob(blob: blob)
        } else if property.isLater {
            object.setSyncValue(property.isRequired ? Data() : nil, forKey: property.key)
            plan.blobs[identity, default: [:]][property.name] = SyncKnownBlob(blob: blob, isLater: true)
        } else if replica.settings.variant.contains(.keepsPlaceholders) {
            object.setSyncValue(nil, forKey: property.key)
        } else if replica.isMissed(needed) {
            return false
        } else {
            missing.append(needed)
        }
        return true
    }

    /// Gives the members of an ordered relationship the places of a list. Other members come last.
    func arrange(_ object: NSManagedObject, _ name: String, _ wanted: [UUID]) {
        let members = object.mutableOrderedSetValue(forKey: name)
        let present = members.compactMap { $0 as? NSManagedObject }
        let listed = wanted.compactMap { objects[$0] }.filter { members.contains($0) }
        let arranged = listed + present.filter { !listed.contains($0) }
        guard arranged != present else { return }
        object.setValue(NSOrderedSet(array: arranged), forKey: name)
    }
}
