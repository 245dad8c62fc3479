// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The rows of the side store for the objects of one piece of work, and the objects. Each kind is read at once: a fetch
/// for each object costs more than all the rest.
final class SyncRows {
    private let replica: SyncReplica
    private var rows: [NSManagedObjectID: SyncKnownObject] = [:]
    /// The objects whose rows were looked up, with the keys of their IDs.
    private var keys: [NSManagedObjectID: Int64] = [:]
    private var rowsByIdentity: [UUID: SyncKnownObject] = [:]
    private var lookedUpIdentities: Set<UUID> = []
    private var unsent: [UUID: SyncPendingObject] = [:]
    private var sent: [UUID: [SyncPendingObject]] = [:]
    private var lookedUpPending: Set<UUID> = []

    init(_ replica: SyncReplica) { self.replica = replica }

    // MARK: Known objects

    /// Looks up the rows of objects.
    func load(_ ids: some Collection<NSManagedObjectID>) throws {
        let new = ids.filter { keys[$0] == nil }
        for id in new { keys[id] = SyncObjectKey.key(of: id) }
        for (name, ids) in Dictionary(grouping: new, by: { replica.schema.entity(of: $0)?.name ?? "" }) {
            let byKey = Dictionary(ids.map { (key(of: $0), $0) }) { one, _ in one }
            let request = NSFetchRequest<SyncKnownObject>(entityName: "KnownObject")
            request.predicate = NSPredicate(format: "entityName == %@ AND key IN %@", name, Array(byKey.keys))
            for row in try replica.side.fetch(request) {
                if let id = byKey[row.key], row.key != 0 { add(row, id) }
            }
        }
    }

    private func key(of id: NSManagedObjectID) -> Int64 { keys[id] ?? SyncObjectKey.key(of: id) }

    private func add(_ row: SyncKnownObject, _ id: NSManagedObjectID) {
        rows[id] = row
        keys[id] = row.key
        rowsByIdentity[row.identity] = row
        lookedUpIdentities.insert(row.identity)
    }

    /// Looks up rows by UUIDs.
    func load(identities: some Collection<UUID>) throws {
        let new = identities.filter { lookedUpIdentities.insert($0).inserted }
        rowsByIdentity.merge(try replica.known(new)) { one, _ in one }
    }

    func known(of id: NSManagedObjectID) throws -> SyncKnownObject? {
        if keys[id] == nil { try load([id]) }
        return rows[id]
    }

    func known(_ identity: UUID) throws -> SyncKnownObject? {
        if !lookedUpIdentities.contains(identity) { try load(identities: [identity]) }
        return rowsByIdentity[identity]
    }

    /// Notes that a new object has no row yet. A row with its key is that of an object that is gone.
    func noteNew(_ id: NSManagedObjectID) { keys[id] = SyncObjectKey.key(of: id) }

    func identity(of id: NSManagedObjectID) throws -> UUID? { try known(of: id)?.identity }

    /// Makes a row for an object that has none. Its UUID may have a row from an earlier life.
    ///
    /// - Returns: nil for a second object with the identifying value of another one.
    func makeKnown(_ object: NSManagedObject, _ entity: SyncEntity) throws -> SyncKnownObject? {
        let id = object.objectID
        let named = identity(of: object, entity)
        let identity = named ?? replica.settings.makeUUID()
        // A fetch for each new object would compare it with all others that aren't saved.
        if named == nil { lookedUpIdentities.insert(identity) }
        if entity.identityAttribute != nil, let row = try known(identity), row.key != key(of: id),
            let other = try replica.object(row), entity.identity(of: other) == identity
        {
            replica.settings.report(.sameIdentity(object: identity))
            return nil
        }
        let row = try known(identity) ?? replica.insert(SyncKnownObject.self, "KnownObject")
        if row.isInserted, row.key == 0 {
            lookedUpPending.insert(identity)
            row.identity = identity
        }
        row.entityName = entity.name
        row.key = key(of: id)
        add(row, id)
        return row
    }

    /// The UUID that an object has by its identifying value, or by the record of another store; nil for an object that
    /// gets a new one.
    func identity(of object: NSManagedObject, _ entity: SyncEntity) -> UUID? {
        entity.identity(of: object) ?? replica.recordedIdentity(of: object.objectID, entity)
    }

    /// Forgets that an object has a row.
    func removeKnown(_ row: SyncKnownObject, of id: NSManagedObjectID?) {
        row.key = 0
        // A program may insert the object again, as undo does.
        if let entity = replica.schema.entities[row.entityName] { row.keepPlaceholders(of: nil, entity) }
        if let id { rows[id] = nil }
    }

    /// Deletes the row of an object that the server never heard of.
    func delete(_ row: SyncKnownObject) {
        rowsByIdentity[row.identity] = nil
        replica.side.delete(row)
    }

    // MARK: Pending changes

    /// Looks up the changes of objects that aren't sent, and whether others are.
    func loadPending(_ identities: some Collection<UUID>) throws {
        let new = identities.filter { lookedUpPending.insert($0).inserted }
        guard !new.isEmpty else { return }
        for row in try replica.pending(NSPredicate(format: "identity IN %@", new)) {
            if row.push == 0 { unsent[row.identity] = row } else { sent[row.identity, default: []].append(row) }
        }
    }

    func unsent(_ row: SyncKnownObject) throws -> SyncPendingObject? {
        if !lookedUpPending.contains(row.identity) { try loadPending([row.identity]) }
        return unsent[row.identity]
    }

    /// Whether neither the server nor a push has the object.
    func isUnsent(_ row: SyncKnownObject) throws -> Bool {
        if !lookedUpPending.contains(row.identity) { try loadPending([row.identity]) }
        return row.life == 0 && sent[row.identity] == nil
    }

    /// The changes of an object that the server hasn't answered.
    func unanswered(_ row: SyncKnownObject) throws -> [SyncPendingObject] {
        try [unsent(row)].compactMap { $0 } + (sent[row.identity] ?? [])
    }

    /// The bases of properties that the program changes now. A property with a change that the server hasn't answered
    /// has the base of that: imports have left it alone since, so the program hasn't seen what others made of it.
    func bases(of names: some Sequence<String>, _ row: SyncKnownObject, _ base: Int64) throws -> [String: Int64] {
        var bases = Dictionary(uniqueKeysWithValues: names.map { ($0, base) })
        for change in try unanswered(row) {
            let former = change.bases
            let every = former[SyncPendingObject.everyProperty]
            for (name, base) in bases {
                if let older = former[name] ?? every, older < base { bases[name] = older }
            }
        }
        return bases
    }

    func makePending(_ row: SyncKnownObject, _ kind: SyncObjectChange.Kind) -> SyncPendingObject {
        let pending = replica.insert(SyncPendingObject.self, "PendingObject")
        pending.identity = row.identity
        pending.entityName = row.entityName
        pending.kind = kind
        pending.push = 0
        pending.group = 0
        unsent[row.identity] = pending
        return pending
    }

    func delete(_ pending: SyncPendingObject) {
        unsent[pending.identity] = nil
        replica.side.delete(pending)
    }

    // MARK: Objects

    /// The objects of the app's store that have rows, by UUIDs.
    func objects(_ rows: some Collection<SyncKnownObject>) throws -> [UUID: NSManagedObject] {
        var result: [UUID: NSManagedObject] = [:]
        for (name, rows) in Dictionary(grouping: rows.filter { $0.key != 0 }, by: \.entityName) {
            var ids: [NSManagedObjectID: UUID] = [:]
            for row in rows {
                guard let id = replica.id(row.key, name) else { continue }
                ids[id] = row.identity
                add(row, id)
            }
            for object in try objects(ids.keys, replica.schema.entities[name]) {
                if let identity = ids[object.objectID] { result[identity] = object }
            }
        }
        return result
    }

    /// The objects of an entity that are in the store.
    func objects(_ ids: some Collection<NSManagedObjectID>, _ entity: SyncEntity?) throws -> [NSManagedObject] {
        guard let entity, !ids.isEmpty else { return [] }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.modelName)
        request.predicate = NSPredicate(format: "SELF IN %@", Array(ids))
        request.returnsObjectsAsFaults = false
        request.relationshipKeyPathsForPrefetching = entity.properties.values
            .filter { $0.kind == .members || $0.kind == .order }.map(\.key)
        return try replica.app.fetch(request)
    }

    /// Looks up the rows of all objects that objects refer to.
    func loadReferences(of objects: some Collection<NSManagedObject>) throws {
        var ids: Set<NSManagedObjectID> = []
        for object in objects {
            for property in replica.schema.entity(of: object)?.properties.values ?? [:].values {
                ids.formUnion(property.references(of: object))
            }
        }
        try load(ids)
    }

    /// The values of an object, as messages contain them.
    ///
    /// - Parameter blobs: what is known of the large values; nil for what the object's row says.
    func values(of object: NSManagedObject, blobs: [String: SyncKnownBlob]? = nil) throws -> [String: SyncValue] {
        guard let entity = replica.schema.entity(of: object) else { return [:] }
        let blobs = try entity.mayHaveBlobs ? blobs ?? known(of: object.objectID)?.blobs ?? [:] : [:]
        return try entity.properties.mapValues { try $0.value(of: object, known: blobs[$0.name], identity(of:)) }
    }
}
