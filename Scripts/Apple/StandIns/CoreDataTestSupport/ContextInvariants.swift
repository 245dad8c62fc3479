import CoreData

/// Apple's framework has no check of its invariants.
package func checkInvariants(of contexts: NSManagedObjectContext...) throws {}
