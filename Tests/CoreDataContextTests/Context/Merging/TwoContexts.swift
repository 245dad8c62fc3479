import CoreData

/// The store, and the coordinator of the other context.
enum OtherSaver: String, CaseIterable, Sendable {
    case sqlite, memory
    /// Another coordinator on the same file, as another process would be.
    case foreign

    var kind: StoreKind { self == .memory ? .memory : .sqlite }
}

/// Two contexts that have read the same objects of one store: `theirs` saves first, and the save of `mine` has the
/// conflict.
struct TwoContexts {
    let stack: TestStack
    let mine: NSManagedObjectContext
    let theirs: NSManagedObjectContext

    /// The object of a name in each context.
    func both(_ entity: String, _ name: String) throws -> (mine: NSManagedObject, theirs: NSManagedObject) {
        let pair = (mine: try mine.one(entity, name), theirs: try theirs.one(entity, name))
        _ = (pair.mine.text("name"), pair.theirs.text("name"))
        return pair
    }

    /// Runs a block with a new context, which has read nothing.
    func stored(_ body: (NSManagedObjectContext) throws -> Void) throws { try inFreshContext(stack, body) }
}

/// Runs a test with two contexts, on both queues.
func withTwoContexts(
    _ saver: OtherSaver, policy: NSMergePolicy? = nil, model: NSManagedObjectModel = LibraryModel.make(),
    given: (NSManagedObjectContext) throws -> Void, _ body: (TwoContexts) throws -> Void
) throws {
    let stack = try TestStack(saver.kind, model: model)
    let theirs = saver == .foreign ? try stack.afresh() : stack.newContext()
    try on(stack.context) {
        try given(stack.context)
        try stack.context.save()
        stack.context.reset()
        if let policy { stack.context.mergePolicy = policy }
        try on(theirs) { try body(TwoContexts(stack: stack, mine: stack.context, theirs: theirs)) }
    }
}

extension NSError {
    var mergeConflicts: [NSMergeConflict] {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
    }
    var constraintConflicts: [NSConstraintConflict] {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
    }
}

extension Dictionary where Key == String, Value == Any {
    func number(_ key: String) -> Int64? { (self[key] as? NSNumber)?.int64Value }
}
