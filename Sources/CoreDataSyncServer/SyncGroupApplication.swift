// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// Groups of a push, while they become changes of the context.
struct SyncGroupApplication {
    let service: SyncService
    let replica: Int64
    /// The most that the bases count for.
    private let newestBase: Int64
    /// The records of the objects that were looked up, and the objects.
    private var lookedUp: Set<UUID> = []
    var records: [UUID: SyncRecord] = [:]
    var objects: [UUID: NSManagedObject] = [:]
    /// The stamps of the properties that were taken, by objects. The position comes at the end.
    var stamps: [UUID: SyncStamps] = [:]
    var inserted: Set<UUID> = []
    /// The large values of the changes, and their names by objects and properties.
    private var contents: [SyncBlob: Data] = [:]
    private(set) var blobs: [UUID: [String: SyncBlob]] = [:]
    /// The moves of the group, which come after its other changes.
    private var moves: [(object: NSManagedObject, name: String, moves: [SyncMove])] = []
    var taken: [UUID: [String: SyncStamps.Stamp]] = [:]
    /// Inserted objects that are other ones, since they have unique values of those.
    let merged: [UUID: UUID]
    let account: SyncAccount
    /// Selects the objects that the account had before the push; nil for all objects.
    let visibility: SyncVisibility?

    var context: NSManagedObjectContext { service.context }

    init(
        _ service: SyncService, replica: SyncReplicaRecord, newestBase: Int64?, account: SyncAccount,
        merged: [UUID: UUID] = [:]
    ) throws {
        self.account = account
        visibility = try service.visibility(account)
        self.service = service
        self.merged = merged
        self.newestBase = newestBase ?? .max
        self.replica = replica.number
    }

    /// Looks up what groups name: objects, and those that values refer to. One fetch for each entity reads them.
    mutating func load(_ groups: [SyncGroup]) throws {
        var new: Set<UUID> = []
        for change in groups.flatMap(\.changes) {
            new.insert(change.object)
            for property in change.properties.values { new.formUnion(property.change.objects) }
        }
        new.formUnion(merged.values)
        // Before the group takes them from the objects that have them.
        for blob in groups.flatMap(\.blobs) where contents[blob] == nil {
            contents[blob] = try service.contents(blob, account, visibility)
        }
        while true {
            new = new.filter { lookedUp.insert($0).inserted }
            if new.isEmpty { return }
            var found = try service.records(Array(new))
            // An object that the account may not have doesn't exist for it.
            if let visibility, !service.variant.contains(.ignoresWriteScopes) {
                let visible = try visibility.visible(Array(found.values))
                found = found.filter { !$0.value.isAlive || visible.contains($0.value) }
            }
            let living = try service.objects(of: Array(found.values))
            for (identity, record) in found {
                records[identity] = record
                objects[identity] = living[record.objectID]
                stamps[identity] = record.stamps
            }
            new = Set(found.values.compactMap(\.target))
        }
    }

    /// - Throws: ``SyncRefusal`` if the group can't be applied as a whole.
    mutating func apply(_ asked: SyncGroup) throws {
        if let object = asked.repeatedObject {
            throw SyncRefusal(reason: .invalid, object: object, text: "The group has two changes of the object.")
        }
        try load([asked])
        let group = resolved(asked)
        for change in group.changes where change.kind == .insert { try insert(change) }
        for change in group.changes where change.kind != .delete { try setProperties(change) }
        // Objects have places in the relationships that the other changes give them.
        for (object, name, moves) in moves { arrange(object, name, moves) }
        moves = []
        for change in group.changes where change.kind != .delete { try authorize(change) }
        for change in group.changes where change.kind == .delete { try delete(change) }
        try checkInsertions(group)
    }

    // MARK: Access

    /// Checks that the new objects are in the scopes of the account, as the group leaves them.
    private func checkInsertions(_ group: SyncGroup) throws {
        guard let visibility, !service.variant.contains(.ignoresWriteScopes) else { return }
        context.processPendingChanges()
        for change in group.changes where inserted.contains(change.object) {
            guard let object = objects[change.object], object.managedObjectContext != nil, !object.isDeleted,
                !visibility.mayHave(object)
            else { continue }
            throw SyncRefusal(
                reason: .notAllowed, object: change.object, text: "The object isn't in what the account may have.")
        }
    }

    private func authorize(_ change: SyncObjectChange) throws {
        guard let object = objects[change.object], !object.isDeleted else { return }
        try authorize(change, object)
    }

    private func authorize(_ change: SyncObjectChange, _ object: NSManagedObject) throws {
        guard let authorize = service.authorize else { return }
        let kind: SyncObjectChange.Kind =
            inserted.contains(change.object) ? .insert : change.kind == .delete ? .delete : .update
        let write = SyncWrite(
            account: account, kind: kind, properties: keys(change), object: object)
        if try !authorize(write) {
            throw SyncRefusal(
                reason: .notAllowed, object: change.object, text: "The account may not make the change.")
        }
    }

    /// The names that the changed properties have in the model of the server.
    private func keys(_ change: SyncObjectChange) -> Set<String> {
        let properties = service.schema.entities[change.entity]?.properties
        return Set(change.properties.keys.compactMap { properties?[$0]?.key })
    }

    /// The group with the objects that merged ones are.
    private func resolved(_ group: SyncGroup) -> SyncGroup {
        func target(_ identity: UUID) -> UUID? { merged[identity] ?? records[identity]?.target }
        let names = group.changes.flatMap { [$0.object] + $0.properties.values.flatMap(\.change.objects) }
        guard names.contains(where: { target($0) != nil }) else { return group }
        func end(_ identity: UUID) -> UUID {
            var identity = identity
            while let next = target(identity) { identity = next }
            return identity
        }
        return SyncGroup(
            changes: group.changes.compactMap { change in
                let object = end(change.object)
                // A replica that deletes the merged object hasn't seen the one that it is.
                if object != change.object, change.kind == .delete { return nil }
                var change = change
                if object != change.object { change.life = 0 }
                change.object = object
                change.properties = change.properties.mapValues { property in
                    SyncPropertyChange(base: property.base, change: property.change.mapped(end))
                }
                return change
            })
    }

    // MARK: Objects

    private func entity(_ change: SyncObjectChange) throws -> SyncEntity {
        guard let entity = service.schema.entities[change.entity], !entity.isAbstract else {
            throw SyncRefusal(
                reason: .unknown, object: change.object, text: "The server has no entity “\(change.entity)”.")
        }
        return entity
    }

    private mutating func insert(_ change: SyncObjectChange) throws {
        let entity = try entity(change)
        if let record = records[change.object], record.isAlive {
            guard record.entityName == entity.name else {
                throw SyncRefusal(
                    reason: .notUnique, object: change.object, text: "The object has another entity on the server.")
            }
            return
        }
        let record: SyncRecord
        if let known = records[change.object] {
            record = known
        } else {
            record = try service.makeRecord(change.object)
        }
        record.entityName = entity.name
        record.life += 1
        record.isAlive = true
        records[change.object] = record
        objects[change.object] = NSEntityDescription.insertNewObject(forEntityName: entity.modelName, into: context)
        inserted.insert(change.object)
        stamps[change.object] = SyncStamps(SyncStamps.Stamp(position: 0, time: time(of: change), replica: replica))
    }

    /// The time of a change. A clock that is ahead gains nothing.
    private func time(of change: SyncObjectChange) -> Double {
        service.variant.contains(.trustsClocks) ? change.time : min(change.time, service.now())
    }

    private mutating func delete(_ change: SyncObjectChange) throws {
        guard let record = records[change.object], record.isAlive, isSameLife(change, record) else { return }
        guard let object = objects[change.object] else { return }
        try authorize(change, object)
        context.delete(object)
    }

    /// Whether a change is one of the life that an object has. A replica that was told no life changed an object that
    /// it had inserted itself.
    private func isSameLife(_ change: SyncObjectChange, _ record: SyncRecord) -> Bool {
        change.life == 0 || change.life == record.life
    }

    // MARK: Properties

    private mutating func setProperties(_ change: SyncObjectChange) throws {
        let entity = try entity(change)
        let isRevived = entity.isRevived && change.kind == .update
        guard let record = records[change.object] else {
            // An object that the account may not have exists, perhaps.
            if isRevived, visibility == nil { throw SyncRefusal.needsObject(change) }
            // The server had the object, and has forgotten that it was deleted. One that was restored may get it again.
            if change.life > 0, newestBase == .max { return }
            throw SyncRefusal(reason: .missingObject, object: change.object, text: "The server hasn't the object.")
        }
        guard record.isAlive, let object = objects[change.object] else {
            if isRevived, !record.isAlive { throw SyncRefusal.needsObject(change) }
            // The deletion wins.
            return
        }
        guard inserted.contains(change.object) || change.kind == .insert || isSameLife(change, record) else { return }
        for (name, new) in change.properties.sorted(by: { $0.key < $1.key }) {
            guard let property = service.schema.entities[record.entityName]?.properties[name] else {
                throw SyncRefusal(
                    reason: .unknown, object: change.object, property: name,
                    text: "The entity “\(entity.name)” of the server has no property “\(name)”.")
            }
            if let new = try decided(new, property, of: object, change) {
                try set(new, property, of: object, change)
            }
        }
    }

    /// Decides between a change and the value that the server has.
    ///
    /// - Returns: nil if the value stays.
    private mutating func decided(
        _ new: SyncPropertyChange, _ property: SyncProperty, of object: NSManagedObject, _ change: SyncObjectChange
    ) throws -> SyncPropertyChange.Change? {
        let name = property.name
        let time = time(of: change)
        let present = taken[change.object]?[name] ?? stamps[change.object]?[name]
        if let present, !inserted.contains(change.object), present.position > min(new.base, newestBase),
            present.replica != replica,
            !property.isMerged, !service.variant.contains(.ignoresBases)
        {
            switch property.policy {
            case .latest: guard (time, replica) > (present.time, present.replica) else { return nil }
            case .server: return nil
            case .hook:
                switch try resolution(new, property, of: object, change, present.time) {
                case .server: return nil
                case .replica: break
                case .value(let value):
                    taken[change.object, default: [:]][name] = SyncStamps.Stamp(
                        position: 0, time: service.now(), replica: 0)
                    return .value(value)
                }
            case .client, .sum: break
            case .refuse:
                throw SyncRefusal(
                    reason: .conflict, object: change.object, property: name,
                    text: "Another replica changed the property.")
            }
        }
        taken[change.object, default: [:]][name] = SyncStamps.Stamp(position: 0, time: time, replica: replica)
        return new.change
    }

    private func resolution(
        _ new: SyncPropertyChange, _ property: SyncProperty, of object: NSManagedObject, _ change: SyncObjectChange,
        _ serverTime: Double
    ) throws -> SyncConflict.Resolution {
        guard let hook = service.hook, case .value(let value) = new.change else { return .replica }
        let present = try property.wholeValue(of: object) { id in
            try objects.first { $0.value.objectID == id }?.key ?? service.records(of: [id])[id]?.identity
        }
        return try hook(
            SyncConflict(
                object: change.object, entity: object.entity.name ?? "", property: property.key, serverValue: present,
                serverTime: serverTime, replicaValue: whole(value), replicaTime: time(of: change)))
    }

    /// A value with the bytes of a large one.
    private func whole(_ value: SyncValue) -> SyncValue {
        guard case .blob(let blob) = value, let data = contents[blob] else { return value }
        return .data(data)
    }

    private mutating func set(
        _ new: SyncPropertyChange.Change, _ property: SyncProperty, of object: NSManagedObject,
        _ change: SyncObjectChange
    ) throws {
        do {
            switch (new, property.kind) {
            case (.value(.blob(let blob)), .attribute(.binaryDataAttributeType)):
                blobs[change.object, default: [:]][property.name] = blob
                if let data = contents[blob] {
                    object.setSyncValue(data, forKey: property.key)
                } else if (object.value(forKey: property.key) as? Data).map(SyncBlob.init(of:)) == blob {
                    // A hook has decided for the value of the server.
                    return
                } else if service.variant.contains(.trustsUploads) {
                    object.setSyncValue(nil, forKey: property.key)
                } else {
                    throw SyncMissingBlobs(blobs: [blob])
                }
            case (.value(let value), .attribute):
                blobs[change.object]?[property.name] = nil
                object.setSyncValue(try property.value(value, entity: change.entity), forKey: property.key)
            case (.difference(let difference), .attribute):
                let sum = try property.sum(object.value(forKey: property.key), difference, entity: change.entity)
                object.setSyncValue(sum, forKey: property.key)
            case (.value(.null), .toOne):
                object.setValue(nil, forKey: property.key)
            case (.value(.object(let identity)), .toOne):
                object.setValue(try target(identity, property, change), forKey: property.key)
            case (.members(let added, let removed), .members):
                let members = object.mutableSetValue(forKey: property.key)
                for identity in removed { if let member = objects[identity] { members.remove(member) } }
                for identity in added {
                    if let member = try target(identity, property, change) { members.add(member) }
                }
            case (.moves(let new), .order):
                moves.append((object, property.key, new))
            default:
                throw SyncRefusal(
                    reason: .unknown, object: change.object, property: property.name,
                    text: "The property has another kind on the server.")
            }
        } catch let error as SyncValueError {
            throw SyncRefusal(
                reason: .unknown, object: change.object, property: property.name, text: error.description)
        }
    }

    /// The object that a value refers to; nil for one that was deleted.
    private func target(
        _ identity: UUID, _ property: SyncProperty, _ change: SyncObjectChange
    ) throws -> NSManagedObject? {
        guard let record = records[identity] else {
            throw SyncRefusal(
                reason: .missingObject, object: change.object, property: property.name,
                text: "The server hasn't the object that the property refers to.")
        }
        guard let object = record.isAlive ? objects[identity] : nil, !object.isDeleted else { return nil }
        guard property.accepts(object.entity) else {
            throw SyncRefusal(
                reason: .unknown, object: change.object, property: property.name,
                text: "The relationship has objects of another entity.")
        }
        return object
    }

    private func arrange(_ object: NSManagedObject, _ name: String, _ moves: [SyncMove]) {
        let members = object.mutableOrderedSetValue(forKey: name)
        let identities = Dictionary(objects.map { ($0.value, $0.key) }) { one, _ in one }
        // An object that the group doesn't name has a stand-in, so that it keeps its place.
        let list = members.map { ($0 as? NSManagedObject).flatMap { identities[$0] } ?? UUID() }
        let byIdentity = Dictionary(zip(list, members.array)) { one, _ in one }
        let arranged = SyncMove.apply(moves, to: list)
        guard arranged != list else { return }
        object.setValue(NSOrderedSet(array: arranged.compactMap { byIdentity[$0] }), forKey: name)
    }
}
