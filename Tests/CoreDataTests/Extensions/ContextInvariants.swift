import OpenCoreData

/// Checks the invariants of a context, on its queue. To run the tests with Apple's framework, empty the body.
func checkInvariants(of context: NSManagedObjectContext) throws { try context.checkInvariants() }
