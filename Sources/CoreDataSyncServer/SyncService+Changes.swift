// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncService {
    /// A page of the changes since a position.
    ///
    /// - Throws: ``SyncFailure`` for a position that this server never had.
    func changes(
        _ request: SyncChangesRequest, _ account: SyncAccount, _ version: SyncVersion?
    ) throws -> SyncChanges {
        let state = try state()
        let audience = SyncAudience(visibility: try visibility(account), version: version)
        let visibility = audience.visibility
        if request.since != nil || request.cursor != nil, request.scopes != visibility?.digest {
            throw SyncFailure(.expired, "The replica has other scopes now: it takes all objects again.")
        }
        // A page before may have had an object that was deleted and forgotten since.
        for position in [request.since, request.begun].compactMap({ $0 })
        where position.number < state.horizon && !variant.contains(.forgetsHorizon) {
            throw SyncFailure(
                .expired, "The server has forgotten what was deleted after the position \(position.number).")
        }
        let positions = [request.since, request.cursor?.position, request.begun, request.paged, request.awaited]
        for position in positions.compactMap({ $0 }) {
            guard try isKnown(position, state) else {
                throw SyncFailure(
                    .restored, "The server doesn't know the position \(position.number): it was restored.")
            }
        }
        var end: (position: Int64, object: UUID)?
        var objects: [SyncObjectState]
        if visibility != nil {
            var request = request
            repeat {
                if let end {
                    request.cursor = SyncCursor(
                        position: SyncPosition(epoch: state.epoch, number: end.position, nonce: 0), object: end.object)
                }
                (objects, end) = try scopePage(request, audience, state)
                // The end of a page without objects would be one that the account may not have.
            } while objects.isEmpty && end != nil
        } else {
            let (records, last) = try page(behind: request)
            (objects, end) = (try states(records, after: request.since?.number ?? 0, audience), last)
        }
        let cursor = try end.map { end in
            SyncCursor(
                position: SyncPosition(
                    epoch: state.epoch, number: end.position, nonce: try nonce(end.position) ?? 0),
                object: end.object)
        }
        let isCut = cursor != nil && variant.contains(.cutsPages)
        return SyncChanges(
            position: state.position, cursor: isCut ? nil : cursor, objects: objects,
            keptPush: try replicaRecord(request.replica).map { try keptPush($0, state) } ?? 0,
            scopes: visibility?.digest)
    }

    /// The records of a page, and the place of the last one if there are more.
    private func page(
        behind request: SyncChangesRequest
    ) throws -> ([SyncRecord], end: (position: Int64, object: UUID)?) {
        var records = try records(behind: request)
        guard records.count > limits.pageObjects else { return (records, nil) }
        records.removeLast()
        return (records, records.last.map { ($0.position, $0.identity) })
    }

    /// The states of a page for an account that may have a part of the objects, and the place of the last one that it
    /// may have. Without one, that of the last record.
    private func scopePage(
        _ request: SyncChangesRequest, _ audience: SyncAudience, _ state: SyncServerState
    ) throws -> ([SyncObjectState], end: (position: Int64, object: UUID)?) {
        guard let visibility = audience.visibility else { return ([], nil) }
        // The pages of all objects are of several moments: the scopes may have changed since the first one.
        let since = (request.since ?? request.begun)?.number
        let changes = try since.map { try scopeChanges(visibility, since: $0, state) }
        let (records, end) = try page(behind: request)
        let page = try SyncScopePage(self, audience, visibility, changes, request, records, end)
        return (try page.states(), page.end)
    }

    /// The pages of one pull have the same.
    private func scopeChanges(
        _ visibility: SyncVisibility, since: Int64, _ state: SyncServerState
    ) throws -> SyncScopeChanges {
        let key = [since, visibility.digest, state.number, state.epoch]
        if let known = knownScopeChanges, known.key == key { return known.changes }
        let changes = try SyncScopeChanges(self, visibility, since: since)
        knownScopeChanges = (key, changes)
        return changes
    }

    /// The records of a page, in the order of their positions, and one more if there are more.
    private func records(behind request: SyncChangesRequest) throws -> [SyncRecord] {
        let fetch = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
        if let cursor = request.cursor {
            fetch.predicate = NSPredicate(
                format: "position > %ld OR position == %ld AND identity > %@", cursor.position.number,
                cursor.position.number, cursor.object as NSUUID)
        } else {
            fetch.predicate = NSPredicate(format: "position > %ld", request.since?.number ?? 0)
        }
        fetch.sortDescriptors = ["position", "identity"].map { NSSortDescriptor(key: $0, ascending: true) }
        fetch.fetchLimit = limits.pageObjects + 1
        return try context.fetch(fetch)
    }

    /// Whether a position is one of this server's.
    func isKnown(_ position: SyncPosition, _ state: SyncServerState) throws -> Bool {
        if variant.contains(.ignoresNonces) { return true }
        return try position.epoch == state.epoch && position.number <= state.number && position.number >= 0
            && (position.number == 0 || nonce(position.number) == position.nonce)
    }

    /// The number of the replica's newest push that the newest backup of the server has.
    private func keptPush(_ replica: SyncReplicaRecord, _ state: SyncServerState) throws -> Int64 {
        guard state.backup > 0 else { return 0 }
        let fetch = NSFetchRequest<SyncAnswerRecord>(entityName: "SyncAnswer")
        fetch.predicate = NSPredicate(
            format: "replica == %ld AND position > 0 AND position <= %ld", replica.number, state.backup)
        fetch.sortDescriptors = [NSSortDescriptor(key: "push", ascending: false)]
        fetch.fetchLimit = 1
        return try context.fetch(fetch).first?.push ?? 0
    }

    func nonce(_ number: Int64) throws -> Int64? {
        let request = NSFetchRequest<SyncSaveRecord>(entityName: "SyncSave")
        request.predicate = NSPredicate(format: "number == %ld", number)
        return try context.fetch(request).first?.nonce
    }

    // MARK: States

    /// The present states of objects, whole. An object that the server never had is dead in its life 0, and gone if
    /// the account may not have all objects.
    func states(of identities: Set<UUID>, _ audience: SyncAudience = .server) throws -> [SyncObjectState] {
        var known = try records(Array(identities))
        // With the object that a merged one is: the replica may not have it.
        while true {
            let targets = Set(known.values.compactMap(\.target)).subtracting(known.keys)
            if targets.isEmpty { break }
            known.merge(try records(Array(targets))) { one, _ in one }
        }
        let absent = identities.filter { known[$0] == nil }
            .map { audience.absent($0) }
        return try (states(Array(known.values), after: 0, audience) + absent).sorted {
            $0.object < $1.object
        }
    }

    /// The states of objects, with the properties that changed since a position.
    func states(
        _ records: [SyncRecord], after position: Int64, _ audience: SyncAudience, whole: Set<UUID> = []
    ) throws -> [SyncObjectState] {
        try states(records, audience) { record, stamps, name in
            stamps[name].position > position || whole.contains(record.identity)
        }
    }

    /// The states of objects with some of their properties.
    func states(
        _ names: [SyncRecord: Set<String>], _ audience: SyncAudience
    ) throws -> [SyncObjectState] {
        try states(Array(names.keys), audience) { record, _, name in names[record]?.contains(name) ?? false }
    }

    private func states(
        _ records: [SyncRecord], _ audience: SyncAudience,
        _ isWanted: (SyncRecord, SyncStamps, String) -> Bool
    ) throws -> [SyncObjectState] {
        let visibility = audience.visibility
        let records = records.filter { audience.knows($0.entityName) }
        let objects = try objects(of: records)
        let identities = try identities(ofReferencesIn: objects.values, audience)
        let blobs = try blobs(of: records)
        let targets = try visibility == nil ? [:] : self.records(records.compactMap(\.target))
        let visible = try visibility?.visible(records + targets.values)
        return try records.map { record in
            if let visible {
                let shown = record.target.map { targets[$0] } ?? record
                guard let shown, visible.contains(shown) else {
                    return audience.absent(record.identity)
                }
            }
            if let target = record.target {
                return SyncObjectState(
                    object: record.identity, entity: record.entityName, kind: .merged, life: record.life, values: [:],
                    target: target)
            }
            guard let object = objects[record.objectID], let entity = schema.entities[record.entityName] else {
                return SyncObjectState(
                    object: record.identity, entity: record.entityName, kind: .dead, life: record.life, values: [:])
            }
            let stamps = record.stamps
            var values: [String: SyncValue] = [:]
            for (name, property) in entity.properties where isWanted(record, stamps, name) {
                let blob = blobs[record.identity]?[name]
                let value = try property.value(of: object, blob: blob) { identities[$0] }
                values[name] = audience.value(value, of: name, record.entityName)
            }
            return SyncObjectState(
                object: record.identity, entity: record.entityName, kind: .put, life: record.life, values: values)
        }
    }

    /// The living objects of records, by the IDs of the records. One fetch for each entity reads them.
    func objects(of records: [SyncRecord]) throws -> [NSManagedObjectID: NSManagedObject] {
        let living = records.filter { $0.isAlive && schema.entities[$0.entityName] != nil }
        var result: [NSManagedObjectID: NSManagedObject] = [:]
        for (name, records) in Dictionary(grouping: living, by: \.entityName) {
            let ids = Dictionary(
                records.compactMap { record in id(of: record).map { ($0, record.objectID) } }
            ) { one, _ in one }
            let request = NSFetchRequest<NSManagedObject>(entityName: schema.entities[name]?.modelName ?? "")
            request.predicate = NSPredicate(format: "SELF IN %@", Array(ids.keys))
            request.returnsObjectsAsFaults = false
            for object in try context.fetch(request) {
                if let record = ids[object.objectID] { result[record] = object }
            }
        }
        return result
    }

    /// The UUIDs of the objects that objects refer to.
    private func identities(
        ofReferencesIn objects: some Collection<NSManagedObject>, _ audience: SyncAudience
    ) throws -> [NSManagedObjectID: UUID] {
        var targets: Set<NSManagedObjectID> = []
        for object in objects {
            for property in schema.entity(of: object)?.properties.values ?? [:].values {
                targets.formUnion(property.references(of: object))
            }
        }
        if let visibility = audience.visibility { targets = try visibility.visible(targets) }
        targets = targets.filter { schema.entity(of: $0).map { audience.knows($0.name) } ?? false }
        return try records(of: targets).mapValues(\.identity)
    }
}
