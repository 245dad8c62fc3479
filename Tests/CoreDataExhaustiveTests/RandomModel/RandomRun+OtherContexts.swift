import CoreData

/// Another context that saves in between.
extension RandomRun {
    /// Which operations the other context may do. It doesn't touch the relationships that the run's own context has
    /// changed.
    ///
    /// Both may change the same attributes: single ones when the changes are merged, all of an object when a save finds
    /// the conflict.
    private struct Rules {
        let own: ReferenceContext
        let meetsSave: Bool
        private let involved: Set<Int>
        /// The objects that the run's own context deletes. The other context doesn't refer to them: a program would
        /// have to remove such references itself.
        private let doomed: Set<Int>

        init(_ own: ReferenceContext, meetsSave: Bool) {
            self.own = own
            self.meetsSave = meetsSave
            var involved = own.involved
            for graph in [own.base, own.present] {
                for number in own.involved {
                    involved.formUnion(graph.records[number]?.links.values.joined().map { $0 } ?? [])
                }
            }
            self.involved = involved
            doomed = own.doomed()
        }

        /// Whether the other context may do an operation in its present state.
        func allow(_ operation: RandomOperation, _ other: ReferenceContext) -> Bool {
            switch operation {
            case .insert: return true
            case .set(let number, let key, let value, _):
                guard value != .none || RandomSchema.attribute(key).isOptional else { return false }
                guard meetsSave else { return !own.deleted.contains(number) }
                // Whether an object with changes that were taken back is written isn't defined.
                return own.changed.contains(number) || !own.involved.contains(number) || other.inserted.contains(number)
            default:
                var after = other
                for step in after.prepared(operation) { after.apply(step) }
                for step in after.prepared(.endEvent(form: 0)) { after.apply(step) }
                let errors = after.present.validationErrors(of: after.involved)
                let linked = after.involved.flatMap { number in
                    after.present.records[number].map { Array($0.links.values.joined()) } ?? []
                }
                return !meetsSave && errors.isEmpty && doomed.isDisjoint(with: linked)
                    && after.involved.subtracting(after.inserted).isDisjoint(with: involved)
            }
        }
    }

    /// Has another context do operations and save, and then merges its changes or saves against them.
    func runOtherContext(_ operations: [RandomOperation], _ conflictKind: RandomOperation.ConflictKind, isForeign: Bool)
        throws
    {
        let isForeign = isForeign && features.kind == .sqlite && !isMergingAutomatically
        let context = isForeign ? try stack.afresh() : stack.newContext()
        let other = RandomLevel(context, stored, ids: ids)
        let meetsSave = conflictKind != .merged && !isMergingAutomatically
        let rules = Rules(top.reference, meetsSave: meetsSave)
        let saved = SavedNotification()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { saved.notification = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        try on(context) {
            for operation in operations {
                guard other.reference.isPossible(operation), rules.allow(operation, other.reference) else { continue }
                for step in other.reference.prepared(operation) { try other.carryOut(step) }
            }
            try endEvent(other)
            let new = try other.reference.inserted.map { ($0, try other.object($0)) }
            try context.save()
            try committed(other, new: new)
        }
        if isMergingAutomatically {
            // The merge is on the queue already.
            try afterMerging(other)
        } else if !meetsSave {
            if let notification = saved.notification {
                stack.context.performAndWait { stack.context.mergeChanges(fromContextDidSave: notification) }
            }
            try afterMerging(other)
        } else {
            try on(stack.context) { try saveOver(other, conflictKind) }
        }
    }

    private func afterMerging(_ other: RandomLevel) throws {
        try on(stack.context) {
            top.reference.merge(stored)
            top.undo?.clear()
            top.prune()
            try comparePending(top)
            try compare(top, 0)
        }
    }

    /// Saves the changes of the run's own context, which conflict with the changes of the other context.
    private func saveOver(_ other: RandomLevel, _ conflictKind: RandomOperation.ConflictKind) throws {
        let level = top
        let context = level.context
        let own = level.reference
        guard own.present.validationErrors(of: own.involved).isEmpty else {
            context.rollback()
            level.undo?.clear()
            level.reference.rollback()
            context.refreshAllObjects()
            return try afterMerging(other)
        }
        let changedByOther = Set(
            stored.records.keys.filter { number in
                own.base.records[number].map { $0 != stored.records[number] } ?? false
            })
        let conflicting = changedByOther.intersection(own.changed)
        let new = try own.inserted.map { ($0, try level.object($0)) }
        context.mergePolicy =
            switch conflictKind {
            case .objectTrumps: NSMergePolicy.mergeByPropertyObjectTrump
            case .storeTrumps: NSMergePolicy.mergeByPropertyStoreTrump
            case .overwritten: NSMergePolicy.overwrite
            case .refused, .merged: NSMergePolicy.error
            }
        defer { context.mergePolicy = NSMergePolicy.error }
        var error = thrownError { try context.save() }
        if conflictKind == .refused && !conflicting.isEmpty {
            guard error?.code == 133020 else {
                throw TestFailure(
                    "a save with conflicts of \(conflicting.sorted()) gives \(error.map { "\($0)" } ?? "no error")")
            }
            for number in conflicting.sorted() { context.refresh(try level.object(number), mergeChanges: true) }
            error = thrownError { try context.save() }
        }
        if let error { throw TestFailure("a save with conflicts of \(conflicting.sorted()) gives \(error)") }
        level.undo?.clear()
        let (theirs, before) = (stored, own.base)
        level.reference.merge(stored) { number, key in
            conflictKind != .storeTrumps || theirs.records[number]!.values[key] == before.records[number]!.values[key]
        }
        if conflictKind == .overwritten {
            for number in conflicting.sorted() {
                for (key, value) in own.present.records[number]!.values
                where level.reference.present.records[number]!.values[key] != value {
                    level.reference.set(number, key, value)
                }
            }
        }
        try committed(level, new: new)
        context.refreshAllObjects()
        level.reference.forgetNotes()
        try compare(level, 0)
    }
}

/// The notification that an observer has received on the thread of the save.
private final class SavedNotification: @unchecked Sendable {
    var notification: Notification?
}
