// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// Transactions of programs, while they become pending changes.
struct SyncNotes {
    private let replica: SyncReplica
    private let rows: SyncRows
    private let isFirstImport: Bool
    /// The objects without a row, and the inserted ones, that are in the store, by IDs.
    private var present: [NSManagedObjectID: NSManagedObject] = [:]
    /// The groups that have become part of another one.
    private var merged: [Int64: Int64] = [:]
    /// The groups that delete objects, and those that change objects with unique values, if they aren't sent.
    private var (deleting, unique): (Set<Int64>, Set<Int64>) = ([], [])

    init(_ replica: SyncReplica, _ transactions: [NSPersistentHistoryTransaction]) throws {
        self.replica = replica
        rows = SyncRows(replica)
        isFirstImport = try replica.state().firstStart != nil
        replica.app.reset()
        var (ids, inserted): (Set<NSManagedObjectID>, Set<NSManagedObjectID>) = ([], [])
        for transaction in transactions
        where transaction.author != SyncReplica.author || replica.settings.variant.contains(.drainsImports) {
            for change in transaction.changes ?? [] {
                ids.insert(change.changedObjectID)
                if change.changeType == .insert { inserted.insert(change.changedObjectID) }
            }
        }
        try rows.load(ids)
        var (unknown, identities): ([NSManagedObjectID], [UUID]) = ([], [])
        for id in ids {
            let row = try rows.known(of: id)
            if let row { identities.append(row.identity) }
            // An object that was deleted may be inserted again under its ID, as undo does.
            if row == nil || inserted.contains(id) { unknown.append(id) }
        }
        var named: [UUID] = []
        for (description, ids) in Dictionary(grouping: unknown, by: \.entity) {
            guard let entity = replica.schema.entity(description) else { continue }
            for object in try rows.objects(ids, entity) {
                present[object.objectID] = object
                if let identity = rows.identity(of: object, entity) { named.append(identity) }
            }
        }
        if !ids.isEmpty {
            let names = replica.schema.entities.values.filter(\.hasUniqueValues).map(\.name)
            let rows = try replica.pending(
                NSPredicate(format: "push == 0 AND (kind == 'delete' OR entityName IN %@)", names))
            for row in rows { add(row) }
        }
        try rows.load(identities: named)
        try rows.loadPending(identities + named)
    }

    /// Notes the changes of a transaction.
    ///
    /// - Parameter base: the number of the position whose changes the program saw.
    mutating func note(
        _ transaction: NSPersistentHistoryTransaction, base: Int64, _ state: SyncReplicaState
    ) throws {
        state.lastGroup += 1
        let group = state.lastGroup
        let time = replica.settings.time(transaction)
        var (earliest, isUnique) = (group, false)
        for change in transaction.changes ?? [] {
            guard let entity = replica.schema.entity(of: change.changedObjectID),
                let pending = try note(change, entity, base: base)
            else { continue }
            let former = end(of: pending.group)
            if former != 0, former != group, !replica.settings.variant.contains(.splitsGroups) {
                merged[former] = group
                earliest = min(earliest, former)
                isUnique = isUnique || unique.contains(former)
            }
            pending.group = group
            pending.time = time
            add(pending)
            isUnique = isUnique || unique.contains(group)
        }
        guard earliest < group, !replica.settings.variant.contains(.passesOthers) else { return }
        // A deletion comes after the changes before it: its delete rules would meet what those have not changed yet. A
        // change may take a unique value that one before it has freed.
        for between in isUnique ? deleting.union(unique) : deleting {
            let between = end(of: between)
            if between > earliest, between < group { merged[between] = group }
        }
        if isUnique { unique.insert(group) }
    }

    private mutating func add(_ row: SyncPendingObject) {
        if row.kind == .delete { deleting.insert(row.group) }
        if replica.schema.entities[row.entityName]?.hasUniqueValues ?? false { unique.insert(row.group) }
    }

    private func end(of group: Int64) -> Int64 {
        var group = group
        while let next = merged[group] { group = next }
        return group
    }

    /// Gives the objects of a group that has become part of another one the number of that.
    func mergeGroups() throws {
        guard !merged.isEmpty else { return }
        for row in try replica.pending(NSPredicate(format: "push == 0 AND group IN %@", Array(merged.keys))) {
            row.group = end(of: row.group)
        }
    }

    /// Notes the change of an object.
    ///
    /// - Returns: the pending change; nil if there is nothing to send.
    private func note(
        _ change: NSPersistentHistoryChange, _ entity: SyncEntity, base: Int64
    ) throws -> SyncPendingObject? {
        let id = change.changedObjectID
        switch change.changeType {
        case .insert: return try noteInsertion(of: id, entity, base: base)
        case .update:
            let names = entity.names((change.updatedProperties ?? []).map(\.name))
            guard !names.isEmpty else { return nil }
            guard let row = try rows.known(of: id) else {
                // The first import decides on objects that were there before.
                return isFirstImport ? nil : try noteInsertion(of: id, entity, base: base)
            }
            let bases = try rows.bases(of: names, row, base)
            let pending = try rows.unsent(row) ?? rows.makePending(row, .update)
            guard pending.kind != .delete else { return pending }
            pending.bases = pending.bases.merging(bases) { _, new in new }
            if entity.mayHaveBlobs { row.forgetBlobs(names) }
            return pending
        case .delete:
            guard let row = try rows.known(of: id) else { return nil }
            return try rows.noteDeletion(row, of: id, base: base)
        @unknown default: return nil
        }
    }

    private func noteInsertion(
        of id: NSManagedObjectID, _ entity: SyncEntity, base: Int64
    ) throws -> SyncPendingObject? {
        guard let row = try identify(id, entity) else { return nil }
        // The server has the values that the object waited for before it was deleted.
        let waiting = entity.mayHaveBlobs ? row.keepPlaceholders(of: present[id], entity) : []
        let bases = try rows.bases(of: entity.properties.keys.filter { !waiting.contains($0) }, row, base)
        let pending = try rows.unsent(row) ?? rows.makePending(row, .insert)
        if pending.kind == .delete { pending.kind = .update }
        pending.bases = bases
        return pending
    }

    /// The row of an object, which is made if it has none; nil for an object that is no longer there or that doesn't
    /// travel.
    private func identify(_ id: NSManagedObjectID, _ entity: SyncEntity) throws -> SyncKnownObject? {
        if let row = try rows.known(of: id) { return row }
        return try present[id].flatMap { try rows.makeKnown($0, entity) }
    }
}

extension SyncRows {
    /// Notes that a program has deleted an object.
    ///
    /// - Parameter base: the number of the position whose changes the program saw.
    /// - Returns: nil if the server never heard of the object.
    func noteDeletion(
        _ row: SyncKnownObject, of id: NSManagedObjectID?, base: Int64
    ) throws -> SyncPendingObject? {
        removeKnown(row, of: id)
        let pending = try unsent(row)
        // The server may have an object with the same identifying value.
        if let pending, pending.kind == .insert, try isUnsent(row) {
            delete(pending)
            delete(row)
            return nil
        }
        let every = SyncPendingObject.everyProperty
        var names: Set = [every]
        for change in try unanswered(row) { names.formUnion(change.bases.keys) }
        let bases = try bases(of: names, row, base)
        let deletion = pending ?? makePending(row, .delete)
        deletion.kind = .delete
        deletion.bases = bases.filter { $0.key == every || $0.value < bases[every] ?? base }
        return deletion
    }
}
