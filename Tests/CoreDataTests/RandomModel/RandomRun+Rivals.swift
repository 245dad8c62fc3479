import CoreData

/// Another context that saves in between.
extension RandomRun {
    /// What another context may work on: in the way of nothing that the run's own context has changed in relationships.
    ///
    /// Attributes may meet, one by one when the changes are merged, and whole objects where a save meets them.
    private struct Rules {
        let own: ReferenceContext
        let meetsSave: Bool
        private let involved: Set<Int>
        /// What the run's own context deletes, which nobody else may begin to refer to: it is left to the program to
        /// take that out.
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

        /// Whether somebody else may do this, as things are for them.
        func allow(_ operation: RandomOperation, _ rival: ReferenceContext) -> Bool {
            switch operation {
            case .insert: return true
            case .set(let number, let key, let value, _):
                guard value != .none || RandomSchema.attribute(key).isOptional else { return false }
                guard meetsSave else { return !own.deleted.contains(number) }
                // An object that was worked on and is what it was: whether it is written, nobody says.
                return own.changed.contains(number) || !own.involved.contains(number) || rival.inserted.contains(number)
            default:
                var after = rival
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

    func meetRival(_ operations: [RandomOperation], _ rivalry: RandomOperation.Rivalry, isForeign: Bool) throws {
        let isForeign = isForeign && features.kind == .sqlite && !isMergingAutomatically
        let context = isForeign ? try stack.afresh() : stack.newContext()
        let rival = RandomLevel(context, stored, ids: ids)
        let meetsSave = rivalry != .merged && !isMergingAutomatically
        let rules = Rules(top.reference, meetsSave: meetsSave)
        let saved = SavedNotification()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { saved.notification = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        try on(context) {
            for operation in operations {
                guard rival.reference.isPossible(operation), rules.allow(operation, rival.reference) else { continue }
                for step in rival.reference.prepared(operation) { try rival.carryOut(step) }
            }
            try endEvent(rival)
            let new = try rival.reference.inserted.map { ($0, try rival.object($0)) }
            try context.save()
            try committed(rival, new: new)
        }
        if isMergingAutomatically {
            // The merge was put on the queue before.
            try afterMerging(rival)
        } else if !meetsSave {
            if let notification = saved.notification {
                stack.context.performAndWait { stack.context.mergeChanges(fromContextDidSave: notification) }
            }
            try afterMerging(rival)
        } else {
            try on(stack.context) { try saveOver(rival, rivalry) }
        }
    }

    private func afterMerging(_ rival: RandomLevel) throws {
        try on(stack.context) {
            top.reference.merge(stored)
            top.undo?.clear()
            top.prune()
            try comparePending(top)
            try compare(top, 0)
        }
    }

    /// Saves what meets another's changes.
    private func saveOver(_ rival: RandomLevel, _ rivalry: RandomOperation.Rivalry) throws {
        let level = top
        let context = level.context
        let own = level.reference
        guard own.present.validationErrors(of: own.involved).isEmpty else {
            context.rollback()
            level.undo?.clear()
            level.reference.rollback()
            context.refreshAllObjects()
            return try afterMerging(rival)
        }
        let changedByRival = Set(
            stored.records.keys.filter { number in
                own.base.records[number].map { $0 != stored.records[number] } ?? false
            })
        let conflicting = changedByRival.intersection(own.changed)
        let new = try own.inserted.map { ($0, try level.object($0)) }
        context.mergePolicy =
            switch rivalry {
            case .objectTrumps: NSMergePolicy.mergeByPropertyObjectTrump
            case .storeTrumps: NSMergePolicy.mergeByPropertyStoreTrump
            case .overwritten: NSMergePolicy.overwrite
            case .refused, .merged: NSMergePolicy.error
            }
        defer { context.mergePolicy = NSMergePolicy.error }
        var error = thrownError { try context.save() }
        if rivalry == .refused && !conflicting.isEmpty {
            guard error?.code == 133020 else {
                throw TestFailure(
                    "a save that meets changes of \(conflicting.sorted()) gives \(error.map { "\($0)" } ?? "no error")")
            }
            for number in conflicting.sorted() { context.refresh(try level.object(number), mergeChanges: true) }
            error = thrownError { try context.save() }
        }
        if let error { throw TestFailure("a save that meets changes of \(conflicting.sorted()) gives \(error)") }
        level.undo?.clear()
        let (theirs, before) = (stored, own.base)
        level.reference.merge(stored) { number, key in
            rivalry != .storeTrumps || theirs.records[number]!.values[key] == before.records[number]!.values[key]
        }
        if rivalry == .overwritten {
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

/// Carries a notification out of its observer, which is called where the save is made.
private final class SavedNotification: @unchecked Sendable {
    var notification: Notification?
}
