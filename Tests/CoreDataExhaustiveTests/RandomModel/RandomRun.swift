import CoreData

/// A store, the contexts on it, and the reference beside them: carries out operations on both and compares.
final class RandomRun {
    /// The operations of a run besides editing one context.
    struct Features: CustomStringConvertible {
        let kind: StoreKind
        var hasUndo = false
        var hasChildren = false
        var hasOtherContexts = false

        init(_ kind: StoreKind, using generator: inout SeededGenerator) {
            self.kind = kind
            hasUndo = Bool.random(using: &generator)
            hasChildren = Bool.random(using: &generator)
            hasOtherContexts = Bool.random(using: &generator)
        }

        var description: String {
            ["\(kind)", hasUndo ? "undo" : "", hasChildren ? "children" : "", hasOtherContexts ? "other contexts" : ""]
                .filter { !$0.isEmpty }.joined(separator: ", ")
        }
    }

    let features: Features
    let stack: TestStack
    let ids = RandomIDs()
    /// The root context, its child, and so on; operations are the last one's.
    var levels: [RandomLevel]
    /// The expected contents of the store.
    var stored = ReferenceGraph()
    /// The rows when they were last looked at.
    var rows = StoredRows()
    /// The records that the store should have then.
    var storedRecords: [Int: ReferenceRecord] = [:]
    var isMergingAutomatically = false
    var saves = 0

    init(_ features: Features, model: NSManagedObjectModel) throws {
        self.features = features
        stack = try TestStack(features.kind, model: model)
        levels = [RandomLevel(stack.context, ReferenceGraph(), ids: ids)]
        if features.hasUndo { levels[0].beginUndo() }
    }

    var top: RandomLevel { levels[levels.count - 1] }

    /// Carries out operations until there are no more.
    func perform(_ next: () -> RandomOperation?) throws {
        var pending = next()
        while pending != nil {
            let level = top
            // Operations on several contexts are done on no queue.
            var boundary: RandomOperation?
            try level.context.performAndWait {
                while let operation = pending, boundary == nil {
                    if operation.concernsSeveralContexts(depth: levels.count) {
                        try endEvent(level)
                        boundary = operation
                    } else {
                        try perform(operation, in: level)
                        try checkInvariants(of: level.context)
                        pending = next()
                    }
                    if case .endEvent(let form) = operation, form % 4 == 3 { break }
                }
            }
            try on(level.context) { level.undo?.close() }
            if let boundary {
                try performOutside(boundary)
                for level in levels { try checkInvariants(of: level.context) }
                pending = next()
            }
        }
        try finish()
    }

    private func perform(_ operation: RandomOperation, in level: RandomLevel) throws {
        guard level.reference.isPossible(operation) else { return }
        switch operation {
        case .endEvent(let form):
            // The other forms end with the block.
            try endEvent(level, isExplicit: form % 4 != 3)
        case .compare(let form): try compare(level, form)
        case .fetch(let fetch):
            try endEvent(level)
            try compare(fetch, in: level)
        case .save:
            try endEvent(level)
            try save(level)
        case .rollback:
            level.context.rollback()
            level.undo?.clear()
            level.reference.rollback()
            level.prune()
            try comparePending(level)
        case .reset:
            level.context.reset()
            level.undo?.clear()
            level.release()
            level.reference.rollback()
            try comparePending(level)
        case .undo, .redo:
            try endEvent(level)
            try step(level, isUndo: operation.isUndo)
        case .refresh(let number, let isMerging):
            level.context.refresh(try level.object(number), mergeChanges: isMerging)
            level.reference.forgetNote(number)
        case .refreshAll:
            level.context.refreshAllObjects()
            level.reference.forgetNotes()
        case .release:
            try endEvent(level)
            level.release()
        case .obtainIDs:
            try endEvent(level)
            try obtainIDs(level)
        default:
            for step in level.reference.prepared(operation) { try level.carryOut(step) }
        }
    }

    /// Ends the event. Like a careful program, it first removes references that deletion rules don't remove.
    func endEvent(_ level: RandomLevel, isExplicit: Bool = true) throws {
        for step in level.reference.prepared(.endEvent(form: 0)) {
            guard case .endEvent = step else {
                try level.carryOut(step)
                continue
            }
            if isExplicit { level.context.processPendingChanges() }
            level.reference.apply(step)
        }
        guard isExplicit else { return }
        level.undo?.close()
        level.prune()
        try comparePending(level)
    }

    /// Undoes the last event, or redoes it.
    private func step(_ level: RandomLevel, isUndo: Bool) throws {
        guard let undo = level.undo else { return }
        try undo.check(level.reference)
        guard !(isUndo ? level.reference.undone : level.reference.redone).isEmpty else { return }
        if isUndo {
            level.context.undo()
            level.reference.undo()
        } else {
            level.context.redo()
            level.reference.redo()
        }
        // Objects that are back may be others, with other IDs.
        level.release()
        for object in try level.context.all("Item") {
            let number = try level.number(object)
            level.held[number] = object
            ids.byNumber[number] = object.objectID
        }
        try comparePending(level)
        try compare(level, 0)
    }

    // MARK: Saving

    private func save(_ level: RandomLevel) throws {
        let new = try level.reference.inserted.map { ($0, try level.object($0)) }
        if try saveAsExpected(level) { try committed(level, new: new) }
    }

    /// Saves, or fails to, with the errors that there should be.
    private func saveAsExpected(_ level: RandomLevel) throws -> Bool {
        let errors = try validationErrors(level)
        let error = thrownError { try level.context.save() }
        let code = errors.count > 1 ? 1560 : errors.first
        guard error?.code == code else {
            throw TestFailure(
                "a save gives \(error.map { "\($0)" } ?? "no error") instead of \(code.map { "error \($0)" } ?? "none")"
            )
        }
        if errors.count > 1 {
            let found = (error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).map(\.code).sorted()
            if found != errors.sorted() {
                throw TestFailure("a save gives the errors \(found) instead of \(errors.sorted())")
            }
        }
        if error != nil { try comparePending(level) }
        return error == nil
    }

    /// Objects that were worked on and are what they were count only if the context lists them: in a child they may be
    /// invalid, too.
    private func validationErrors(_ level: RandomLevel) throws -> [Int] {
        let reference = level.reference
        let listed = try level.context.updatedObjects.map(level.number)
        let idle = reference.touched.subtracting(reference.changed).subtracting(reference.inserted).subtracting(
            reference.deleted
        ).subtracting(listed)
        return reference.present.validationErrors(of: reference.involved.subtracting(idle))
    }

    /// A root context has saved.
    func committed(_ level: RandomLevel, new: [(Int, NSManagedObject)]) throws {
        for (number, object) in new { ids.byNumber[number] = object.objectID }
        level.reference.commit()
        level.prune()
        try comparePending(level)
        stored = level.reference.base
        try compareStore()
    }

    private func obtainIDs(_ level: RandomLevel) throws {
        let new = level.reference.inserted.sorted()
        let objects = try new.map(level.object)
        try level.context.obtainPermanentIDs(for: objects)
        for (number, object) in zip(new, objects) {
            if object.objectID.isTemporaryID { throw TestFailure("object \(number) has a temporary ID still") }
            ids.byNumber[number] = object.objectID
        }
    }

    // MARK: Several contexts

    private func performOutside(_ operation: RandomOperation) throws {
        switch operation {
        case .openChild:
            if top.reference.isPossible(operation) { openChild() }
        case .closeChild:
            if levels.count > 1 { levels.removeLast() }
        case .save: try saveChild()
        case .automaticMerging(let isOn):
            stack.context.performAndWait { stack.context.automaticallyMergesChangesFromParent = isOn }
            isMergingAutomatically = isOn
        case .otherContext(let operations, let conflictKind, let isForeign):
            guard levels.count == 1 else { return }
            try runOtherContext(operations, conflictKind, isForeign: isForeign)
        default: break
        }
    }

    private func openChild() {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = top.context
        levels.append(RandomLevel(child, top.reference.present.withoutDeleted, ids: ids))
    }

    /// The last context saves into its parent, where all is one event.
    private func saveChild() throws {
        let child = top
        let parent = levels[levels.count - 2]
        var hasSaved = false
        var hasChanges = false
        try on(child.context) { hasChanges = try !child.reference.involved.isEmpty && validationErrors(child).isEmpty }
        if hasChanges { try on(parent.context) { parent.undo?.open() } }
        try on(child.context) { hasSaved = try saveAsExpected(child) }
        try on(parent.context) { parent.undo?.close() }
        guard hasSaved else { return }
        let saved = child.reference
        try on(child.context) {
            child.reference.commit()
            child.prune()
            try comparePending(child)
            try compare(child, 0)
        }
        try on(parent.context) {
            parent.reference.take(saved)
            parent.prune()
            try comparePending(parent)
            try compare(parent, 0)
        }
    }

    private func finish() throws {
        for level in levels.reversed() {
            try on(level.context) {
                try endEvent(level)
                try compare(level, 0)
            }
        }
        try compareStore(isLast: true)
    }
}

extension RandomOperation {
    /// Whether it is done outside of any context's queue.
    func concernsSeveralContexts(depth: Int) -> Bool {
        switch self {
        case .openChild, .closeChild, .automaticMerging, .otherContext: true
        case .save: depth > 1
        default: false
        }
    }

    fileprivate var isUndo: Bool { if case .undo = self { true } else { false } }
}
