import OpenCoreData

/// Checks the invariants of a context, on its queue.
func checkInvariants(of context: NSManagedObjectContext) throws { try context.checkInvariants() }
