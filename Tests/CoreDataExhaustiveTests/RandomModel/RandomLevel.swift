import CoreData

/// One context of a run, its expected contents, and the objects that the program retains.
final class RandomLevel {
    let context: NSManagedObjectContext
    var reference: ReferenceContext
    var held: [Int: NSManagedObject] = [:]
    private(set) var undo: RandomUndo?
    /// The IDs of all objects, shared by the contexts of a run.
    let ids: RandomIDs

    init(_ context: NSManagedObjectContext, _ base: ReferenceGraph, ids: RandomIDs) {
        self.context = context
        self.ids = ids
        reference = ReferenceContext(base: base)
    }

    /// Has the context's events noted from now on, to be undone.
    func beginUndo() {
        undo = RandomUndo(context)
        reference.hasUndo = true
    }

    /// Carries out an edit here and in the reference.
    func carryOut(_ step: RandomOperation) throws {
        undo?.open()
        try edit(step)
        reference.apply(step)
    }

    func object(_ number: Int) throws -> NSManagedObject {
        if let known = held[number] { return known }
        guard let id = ids.byNumber[number] else { throw TestFailure("object \(number) has no ID") }
        let object = context.object(with: id)
        held[number] = object
        return object
    }

    func number(_ object: NSManagedObject) throws -> Int {
        guard let number = object.number("number") else { throw TestFailure("an object has no number: \(object)") }
        return Int(number)
    }

    /// Removes the objects that don't exist any more.
    func prune() { held = held.filter { reference.isAlive($0.key) } }

    /// Releases all objects. The context retains those that it needs.
    func release() {
        held = [:]
        reference.forgetNotes()
    }
}

/// The present object IDs of a run.
final class RandomIDs {
    var byNumber: [Int: NSManagedObjectID] = [:]
}
