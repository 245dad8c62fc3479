import CoreData

/// Checks the invariants of contexts, each on its queue: a step of a random test.
package func checkInvariants(of contexts: NSManagedObjectContext...) throws {
    for context in contexts { try context.performAndWait { try context.checkInvariants() } }
}
