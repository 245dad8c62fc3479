// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncReplica {
    /// Notes what programs have saved since the last call: the history of the app's store becomes pending changes.
    ///
    /// - Throws: errors of the stores. The side store is then as before.
    func drainHistory() throws {
        try at(.beforeDrain)
        let state = try state()
        if !state.isBegun { try beginEmpty() }
        let before = coordinator.currentPersistentHistoryToken(fromStores: nil)
        do {
            guard let transactions = try transactions(after: state.token) else {
                try noteDeletedHistory(before, state)
                return try at(.afterDrain)
            }
            seenToken = transactions.last?.token ?? before
            guard let last = transactions.last else { return }
            try note(transactions, state)
            state.token = last.token
            state.newestTransaction = last.transactionNumber
            state.newestTime = last.timestamp.timeIntervalSinceReferenceDate
            try side.save()
        } catch {
            side.rollback()
            throw error
        }
        try at(.afterDrain)
    }

    private func note(_ transactions: [NSPersistentHistoryTransaction], _ state: SyncReplicaState) throws {
        // The save of an import whose end wasn't noted. Changes after it were made with the import in sight.
        let planned = try planRecord()
        var base = state.base
        app.reset()
        for transaction in transactions {
            guard transaction.author == Self.author, !settings.variant.contains(.drainsImports) else {
                try note(transaction, base: base, state)
                continue
            }
            if let planned, !planned.isSaved, let plan = planned.plan {
                base = plan.position.number
                planned.isSaved = true
            } else if state.unseenImports > 0 {
                state.unseenImports -= 1
            } else {
                // Another side store has made it.
                throw SyncReplicaError.storesDiffer
            }
        }
    }

    /// - Returns: nil if transactions after the token were deleted.
    private func transactions(
        after token: NSPersistentHistoryToken?
    ) throws -> [NSPersistentHistoryTransaction]? {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = .transactionsAndChanges
        do {
            let result = try app.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        } catch let error as CocoaError where error.errorCode == NSPersistentHistoryTokenExpiredError {
            return nil
        }
    }

    private func note(
        _ transaction: NSPersistentHistoryTransaction, base: Int64, _ state: SyncReplicaState
    ) throws {
        state.lastGroup += 1
        let group = state.lastGroup
        let time = settings.time(transaction)
        var merged: Set<Int64> = []
        for change in transaction.changes ?? [] {
            guard let entity = change.changedObjectID.entity.name.flatMap({ schema.entities[$0] }) else { continue }
            guard let pending = try note(change, entity, base: base) else { continue }
            if pending.group != 0 { merged.insert(pending.group) }
            pending.group = group
            pending.time = time
        }
        merged.remove(group)
        guard !merged.isEmpty, !settings.variant.contains(.splitsGroups) else { return }
        for other in try pending(NSPredicate(format: "push == 0 AND group IN %@", Array(merged))) {
            other.group = group
        }
    }

    /// Notes the change of an object.
    ///
    /// - Returns: the pending change; nil if there is nothing to send.
    private func note(
        _ change: NSPersistentHistoryChange, _ entity: SyncEntity, base: Int64
    ) throws -> SyncPendingObject? {
        switch change.changeType {
        case .insert:
            guard let known = try identify(change.changedObjectID, entity) else { return nil }
            let pending = try unfrozen(known) ?? makePending(known, .insert)
            if pending.kind == .delete { pending.kind = .update }
            pending.bases = entity.properties.mapValues { _ in base }
            return pending
        case .update:
            let names = (change.updatedProperties ?? []).map(\.name).filter { entity.properties[$0] != nil }
            guard !names.isEmpty, let known = try identify(change.changedObjectID, entity) else { return nil }
            let pending = try unfrozen(known) ?? makePending(known, .update)
            guard pending.kind != .delete else { return pending }
            var bases = pending.bases
            for name in names where bases[name] == nil { bases[name] = base }
            pending.bases = bases
            return pending
        case .delete:
            guard let known = try known(of: change.changedObjectID) else { return nil }
            return try noteDeletion(known)
        @unknown default: return nil
        }
    }

    /// - Returns: nil if the server never heard of the object.
    func noteDeletion(_ known: SyncKnownObject) throws -> SyncPendingObject? {
        known.key = 0
        let pending = try unfrozen(known)
        // The server may have an object with the same identifying value.
        if let pending, pending.kind == .insert, try isUnsent(known) {
            side.delete(pending)
            side.delete(known)
            return nil
        }
        let deletion = pending ?? makePending(known, .delete)
        deletion.kind = .delete
        deletion.bases = [:]
        return deletion
    }

    /// Whether no push has the object.
    func isUnsent(_ known: SyncKnownObject) throws -> Bool {
        try known.life == 0
            && pending(NSPredicate(format: "identity == %@ AND push != 0", known.identity as NSUUID)).isEmpty
    }

    func unfrozen(_ known: SyncKnownObject) throws -> SyncPendingObject? {
        try pending(NSPredicate(format: "identity == %@ AND push == 0", known.identity as NSUUID)).first
    }

    func makePending(_ known: SyncKnownObject, _ kind: SyncObjectChange.Kind) -> SyncPendingObject {
        let pending = insert(SyncPendingObject.self, "PendingObject")
        pending.identity = known.identity
        pending.entityName = known.entityName
        pending.kind = kind
        pending.push = 0
        pending.group = 0
        return pending
    }

    // MARK: Identities

    /// The row of an object, which is made if it has none; nil for an object that is no longer there.
    func identify(_ id: NSManagedObjectID, _ entity: SyncEntity) throws -> SyncKnownObject? {
        if let known = try known(of: id) { return known }
        var identity: UUID?
        if let attribute = entity.identityAttribute {
            guard let object = try existing(id) else { return nil }
            identity = SyncIdentity.uuid(entity.rootName, object.value(forKey: attribute))
        } else if try existing(id) == nil {
            return nil
        }
        let uuid = identity ?? settings.makeUUID()
        let known = try known([uuid])[uuid] ?? insert(SyncKnownObject.self, "KnownObject")
        known.identity = uuid
        known.entityName = entity.name
        known.key = SyncObjectKey.key(of: id)
        return known
    }

    func existing(_ id: NSManagedObjectID) throws -> NSManagedObject? {
        do {
            return try app.existingObject(with: id)
        } catch CocoaError.managedObjectReferentialIntegrity {
            return nil
        }
    }
}
