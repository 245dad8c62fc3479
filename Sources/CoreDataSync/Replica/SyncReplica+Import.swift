// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncReplica {
    /// Applies the kept pages to the app's store, if the last one is among them or is given.
    ///
    /// Three steps, each a save: the plan to the side store, the objects to the app's store, the rest of the plan to
    /// the side store. An import that was interrupted is finished if the history has the second save, and begun again
    /// otherwise.
    func importPages(_ arrived: SyncChanges? = nil) throws {
        if let record = try planRecord() {
            if record.isSaved, let plan = record.plan { return try mark(plan) }
            side.delete(record)
            try side.save()
        }
        guard let last = try arrived ?? pages().last?.head, last.isLast else { return }
        var excluded = SyncExclusions()
        let isBlind = settings.variant.contains(.importsWithoutDrain)
        defer { endReading() }
        while true {
            if !isBlind { try drainHistory() }
            guard try beginReading() || isBlind else { continue }
            try at(.beforeImport)
            var application = try SyncStateApplication(self, arrived, reaching: last, excluded)
            try application.apply()
            guard !mayHaveReadNewerRows || isBlind else { continue }
            guard application.missing.isEmpty else { return try wait(for: application.missing, arrived) }
            if try save(application, &excluded) { return }
        }
    }

    /// - Returns: false if the import begins again.
    private func save(_ application: SyncStateApplication, _ excluded: inout SyncExclusions) throws -> Bool {
        var application = application
        let isSaved = try save(application.plan, application.lostBytes) { try excluded.add($0, application, self) }
        guard isSaved else { return false }
        try application.findChangedValues()
        try mark(application.plan)
        return true
    }

    /// Saves a plan, and then the app's store.
    ///
    /// - Parameters:
    ///   - lostBytes: the large values of the problems of the plan.
    ///   - exclude: leaves out the objects that an error names. Returns whether there is one.
    /// - Returns: false if something is left out now, or another save came first.
    func save(
        _ plan: SyncImportPlan, _ lostBytes: [SyncBlob: Data] = [:], exclude: (CocoaError) throws -> Bool
    ) throws -> Bool {
        let record = try planRecord() ?? insert(SyncPlanRecord.self, "ImportPlan")
        record.plan = plan
        record.isSaved = false
        for (blob, data) in lostBytes { keep(data, blob, for: record, "plan") }
        if settings.variant.contains(.marksBeforeSave) { try state().position = plan.position }
        try side.save()
        try at(.afterIdentify)
        do {
            if app.hasChanges { try app.save() }
        } catch let error as CocoaError {
            let isNewExclusion = try exclude(error)
            app.rollback()
            side.delete(record)
            try side.save()
            // Another save came first: its changes are drained, and the import looks again.
            conflicts = isNewExclusion ? 0 : conflicts + 1
            guard isNewExclusion || SyncExclusions.isConflict(error) && conflicts < 100 else {
                conflicts = 0
                throw error
            }
            return false
        }
        conflicts = 0
        try at(.afterImport)
        return true
    }

    /// Leaves an import until large values are there. All its pages are kept.
    private func wait(for blobs: [SyncNeededBlob], _ arrived: SyncChanges?) throws {
        app.reset()
        side.rollback()
        if let arrived {
            let last = try pages().last
            insert(SyncIncomingPage.self, "IncomingPage").set(arrived, behind: last)
        }
        try side.save()
        var seen: Set<SyncBlob> = []
        neededBlobs = blobs.filter { seen.insert($0.blob).inserted }
    }

    func planRecord() throws -> SyncPlanRecord? {
        try side.fetch(NSFetchRequest<SyncPlanRecord>(entityName: "ImportPlan")).first
    }

    /// Makes the changes of a plan in the side store.
    func mark(_ plan: SyncImportPlan) throws {
        if plan.hasChanges || plan.fillsPlaceholders { settings.didImport() }
        let state = try state()
        if plan.hasChanges, try planRecord()?.isSaved == false {
            // A save that changes no value makes no transaction.
            state.unseenImports = try importCount(after: state.token)
        }
        if plan.fillsPlaceholders { return try markFilled(plan) }
        var identities = plan.deleted.union(plan.blobs.keys).union(plan.keys.keys).union(plan.lives.keys)
        identities.formUnion(plan.merged.keys)
        identities.formUnion(plan.digests.keys)
        var known = try self.known(identities)
        // Before the new ones: an object of another entity may take the place of a deleted one.
        for row in try unsent(plan.deleted) { side.delete(row) }
        for identity in plan.deleted {
            known[identity]?.key = 0
            known[identity]?.blobs = [:]
        }
        for (identity, key) in plan.keys {
            let row = known[identity] ?? insert(SyncKnownObject.self, "KnownObject")
            known[identity] = row
            row.identity = identity
            row.entityName = key.entityName
            row.key = key.key
        }
        for (identity, digest) in plan.digests { known[identity]?.digest = digest }
        for (identity, life) in plan.lives { known[identity]?.life = life }
        for (identity, values) in plan.merged { known[identity]?.merged.merge(values) { _, new in new } }
        try note(plan.blobs, of: known)
        try forgetParts(except: plan.held.values.flatMap(\.state.blobs))
        missedBlobs = [:]
        for (former, identity) in plan.adopted {
            try self.known([former])[former]?.key = 0
            for row in try pending(NSPredicate(format: "identity == %@", former as NSUUID)) {
                row.identity = identity
                if row.kind == .insert { row.kind = .update }
                if row.push == 0 { try joinUnsent(row) }
            }
        }
        for row in try side.fetch(NSFetchRequest<SyncHeldState>(entityName: "HeldState")) { side.delete(row) }
        for held in plan.held.values {
            insert(SyncHeldState.self, "HeldState").hold(held.state, because: held.text)
        }
        for problem in plan.problems {
            let record = insert(SyncProblemRecord.self, "Problem")
            record.set(problem.change, because: problem.text)
            try keepBlobs(of: problem.change, for: record)
        }
        if !plan.problems.isEmpty { settings.report(.problems) }
        if let number = plan.endedPush {
            for row in try pending(NSPredicate(format: "push == %ld", number)) {
                guard plan.repeated.contains(row.identity) else {
                    side.delete(row)
                    continue
                }
                row.push = 0
                try joinUnsent(row)
            }
            if let push = try outgoing(), push.number == number { push.end(at: settings.now()) }
        }
        for row in try unsent(plan.revived) {
            row.kind = .insert
            row.bases = (schema.entities[row.entityName]?.properties ?? [:]).mapValues { _ in plan.position.number }
            known[row.identity]?.merged = [:]
        }
        try forgetPages()
        if let record = try planRecord() { side.delete(record) }
        state.position = plan.position
        if state.positions.first != plan.position {
            state.positions = SyncPosition.thinned([plan.position] + state.positions)
        }
        state.isRestored = false
        state.scopes = plan.scopes
        if let choice = state.firstStart {
            try loadRecorded()
            if case .match = choice { try noteAll() }
            try deleteRecorded()
            state.firstStart = nil
        }
        try side.save()
        try at(.afterMark)
    }
}

extension SyncReplica {
    /// The changes of objects that aren't sent yet.
    private func unsent(_ identities: Set<UUID>) throws -> [SyncPendingObject] {
        try identities.isEmpty
            ? [] : pending(NSPredicate(format: "push == 0 AND identity IN %@", Array(identities)))
    }

    /// The end of a save that has given objects the large values that they waited for.
    private func markFilled(_ plan: SyncImportPlan) throws {
        try note(plan.blobs, of: known(plan.blobs.keys))
        for values in plan.blobs.values { for case let known? in values.values { try parts(known.blob).delete() } }
        if let record = try planRecord() { side.delete(record) }
        try side.save()
        try at(.afterMark)
    }
}

/// The objects that an import leaves out, since the app's store refused them.
struct SyncExclusions {
    /// The objects by their UUIDs, and the text of the error.
    private(set) var states: [UUID: String] = [:]
    /// Objects of the program that can't be without an object that the server has deleted.
    private(set) var local: [NSManagedObjectID: String] = [:]
    /// Objects of the server, and those of the program that become them: they have the same unique value.
    private(set) var adopted: [UUID: NSManagedObjectID] = [:]

    /// Another save changed an object of the import.
    static func isConflict(_ error: CocoaError) -> Bool { [133020, 134050].contains(error.errorCode) }

    /// Adds the objects that an error names.
    ///
    /// - Returns: whether there is one.
    mutating func add(
        _ error: CocoaError, _ application: SyncStateApplication, _ replica: SyncReplica
    ) throws -> Bool {
        let identities = application.identities
        let errors = (error.userInfo[NSDetailedErrorsKey] as? [any Error])?.compactMap { $0 as? CocoaError } ?? [error]
        let count = states.count + local.count + adopted.count
        for conflict in error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? [] {
            try add(conflict, application, replica)
        }
        for error in errors {
            guard let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject else { continue }
            // An object that stays although the server has deleted it is the program's: its push has no answer yet.
            if let identity = identities[object.objectID], !(application.states[identity]?.isAbsent ?? false) {
                states[identity] = error.localizedDescription
            } else {
                local[object.objectID] = error.localizedDescription
            }
        }
        return states.count + local.count + adopted.count > count
    }

    /// An object that the program has inserted and the server doesn't know becomes the one that has the same unique
    /// value. Another conflict leaves the server's object out for now: the answer to a push will solve it.
    private mutating func add(
        _ conflict: NSConstraintConflict, _ application: SyncStateApplication, _ replica: SyncReplica
    ) throws {
        let identities = application.identities
        let objects = conflict.conflictingObjects + [conflict.databaseObject].compactMap { $0 }
        let ids = Set(objects.map(\.objectID))
        let new = ids.filter { id in identities[id] != nil && objects.contains { $0.objectID == id && $0.isInserted } }
        let unknown = try ids.filter { id in
            guard !new.contains(id), let row = try application.rows.known(of: id), row.life == 0,
                !application.hasState(of: row.identity)
            else { return false }
            // The server may have the object with the value that it had when it was sent, and the other one may have
            // got another value before: the answer tells.
            let rows = try replica.pending(NSPredicate(format: "identity == %@", row.identity as NSUUID))
            return rows.allSatisfy { $0.push == 0 }
        }
        if let new = new.first.flatMap({ identities[$0] }), let id = unknown.first, adopted[new] == nil,
            !adopted.values.contains(id)
        {
            adopted[new] = id
            return
        }
        for id in ids {
            if let identity = identities[id] {
                states[identity] = "Another object has the value of \(conflict.constraint.joined(separator: ", "))."
            }
        }
    }
}
