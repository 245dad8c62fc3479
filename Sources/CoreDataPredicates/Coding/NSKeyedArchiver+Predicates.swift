// Foundation's predicates and sort descriptors can't adopt NSCoding on Linux; with these, sources compile unchanged.

extension NSKeyedArchiver {
    /// An archive of a predicate, as Apple's classes write it.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for one made of a block.
    public class func archivedData(withRootObject object: NSPredicate, requiringSecureCoding: Bool) throws -> Data {
        try PredicateCoding.archive(object)
    }

    /// An archive of an expression, as Apple's classes write it.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for one made of a block.
    public class func archivedData(withRootObject object: NSExpression, requiringSecureCoding: Bool) throws -> Data {
        try PredicateCoding.archive(object)
    }

    /// An archive of a sort descriptor, as Apple's class writes it.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for one with a block.
    public class func archivedData(withRootObject object: NSSortDescriptor, requiringSecureCoding: Bool) throws -> Data
    {
        try PredicateCoding.archive(object)
    }

    /// An archive of sort descriptors, as Apple's classes write it.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) if one has a block.
    public class func archivedData(withRootObject object: [NSSortDescriptor], requiringSecureCoding: Bool) throws
        -> Data
    {
        try PredicateCoding.archive(object)
    }
}

extension NSKeyedUnarchiver {
    /// The predicate in an archive of a Mac's or of Linux's. It may not be evaluated before `allowEvaluation()`.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840) for a damaged archive, or one
    ///   of something else.
    public class func unarchivedObject<Predicate: NSPredicate>(ofClass cls: Predicate.Type, from data: Data) throws
        -> Predicate?
    {
        try PredicateCoding.unarchive(cls, from: data)
    }

    /// The comparison in an archive of a Mac's or of Linux's. It may not be evaluated before `allowEvaluation()`.
    public class func unarchivedObject(ofClass cls: NSComparisonPredicate.Type, from data: Data) throws
        -> NSComparisonPredicate?
    {
        try PredicateCoding.unarchive(cls, from: data)
    }

    /// The expression in an archive of a Mac's or of Linux's. It may not be evaluated before `allowEvaluation()`.
    public class func unarchivedObject(ofClass cls: NSExpression.Type, from data: Data) throws -> NSExpression? {
        try PredicateCoding.unarchive(cls, from: data)
    }

    /// The sort descriptor in an archive of a Mac's or of Linux's.
    public class func unarchivedObject(ofClass cls: NSSortDescriptor.Type, from data: Data) throws -> NSSortDescriptor?
    {
        try PredicateCoding.unarchive(cls, from: data)
    }

    /// The sort descriptors in an archive of a Mac's or of Linux's.
    public class func unarchivedArrayOfObjects(ofClass cls: NSSortDescriptor.Type, from data: Data) throws
        -> [NSSortDescriptor]?
    {
        try PredicateCoding.unarchive([NSSortDescriptor].self, from: data)
    }
}
