/// The functions are in the class, so that subclasses can override them.
extension NSManagedObjectContext: NSLocking {}
