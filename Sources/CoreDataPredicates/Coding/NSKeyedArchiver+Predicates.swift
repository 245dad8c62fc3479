// SPDX-License-Identifier: Apache-2.0

// On Linux, Foundation's predicates and sort descriptors don't conform to NSCoding. These overloads accept them.

extension NSKeyedArchiver {
    /// The keyed archive of a predicate, in the form of Apple's classes.
    ///
    /// - Parameters:
    ///   - object: the predicate.
    ///   - requiringSecureCoding: ignored; predicates support secure coding.
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for a predicate with a block.
    public class func archivedData(withRootObject object: NSPredicate, requiringSecureCoding: Bool) throws -> Data {
        try PredicateCoding.archive(object)
    }

    /// The keyed archive of an expression, in the form of Apple's classes.
    ///
    /// - Parameters:
    ///   - object: the expression.
    ///   - requiringSecureCoding: ignored; expressions support secure coding.
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for an expression with a block.
    public class func archivedData(withRootObject object: NSExpression, requiringSecureCoding: Bool) throws -> Data {
        try PredicateCoding.archive(object)
    }

    /// The keyed archive of a sort descriptor, in the form of Apple's class.
    ///
    /// - Parameters:
    ///   - object: the sort descriptor.
    ///   - requiringSecureCoding: ignored; sort descriptors support secure coding.
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for a sort descriptor with a block.
    public class func archivedData(withRootObject object: NSSortDescriptor, requiringSecureCoding: Bool) throws -> Data
    {
        try PredicateCoding.archive(object)
    }

    /// The keyed archive of sort descriptors, in the form of Apple's classes.
    ///
    /// - Parameters:
    ///   - object: the sort descriptors.
    ///   - requiringSecureCoding: ignored; sort descriptors support secure coding.
    /// - Throws: `CocoaError.coderInvalidValue` (4866) if one has a block.
    public class func archivedData(withRootObject object: [NSSortDescriptor], requiringSecureCoding: Bool) throws
        -> Data
    {
        try PredicateCoding.archive(object)
    }
}

extension NSKeyedUnarchiver {
    /// The predicate in a keyed archive, from an Apple platform or from Linux.
    ///
    /// It must not be evaluated before `allowEvaluation()`.
    ///
    /// - Parameters:
    ///   - cls: the class of the predicate.
    ///   - data: the archive.
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840) for a damaged archive, or an
    ///   archive of another object.
    public class func unarchivedObject<Predicate: NSPredicate>(ofClass cls: Predicate.Type, from data: Data) throws
        -> Predicate?
    {
        try PredicateCoding.unarchive(cls, from: data)
    }

    /// The comparison in a keyed archive, from an Apple platform or from Linux.
    ///
    /// It must not be evaluated before `allowEvaluation()`.
    ///
    /// - Parameters:
    ///   - cls: `NSComparisonPredicate`.
    ///   - data: the archive.
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840) for a damaged archive, or an
    ///   archive of another object.
    public class func unarchivedObject(ofClass cls: NSComparisonPredicate.Type, from data: Data) throws
        -> NSComparisonPredicate?
    {
        try PredicateCoding.unarchive(cls, from: data)
    }

    /// The expression in a keyed archive, from an Apple platform or from Linux.
    ///
    /// It must not be evaluated before `allowEvaluation()`.
    ///
    /// - Parameters:
    ///   - cls: `NSExpression`.
    ///   - data: the archive.
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840) for a damaged archive, or an
    ///   archive of another object.
    public class func unarchivedObject(ofClass cls: NSExpression.Type, from data: Data) throws -> NSExpression? {
        try PredicateCoding.unarchive(cls, from: data)
    }

    /// The sort descriptor in a keyed archive, from an Apple platform or from Linux.
    ///
    /// - Parameters:
    ///   - cls: `NSSortDescriptor`.
    ///   - data: the archive.
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840) for a damaged archive, or an
    ///   archive of another object.
    public class func unarchivedObject(ofClass cls: NSSortDescriptor.Type, from data: Data) throws -> NSSortDescriptor?
    {
        try PredicateCoding.unarchive(cls, from: data)
    }

    /// The sort descriptors in a keyed archive, from an Apple platform or from Linux.
    ///
    /// - Parameters:
    ///   - cls: `NSSortDescriptor`.
    ///   - data: the archive.
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840) for a damaged archive, or an
    ///   archive of other objects.
    public class func unarchivedArrayOfObjects(ofClass cls: NSSortDescriptor.Type, from data: Data) throws
        -> [NSSortDescriptor]?
    {
        try PredicateCoding.unarchive([NSSortDescriptor].self, from: data)
    }
}
