/// The ways in which a merge policy settles conflicts.
public enum NSMergePolicyType: UInt, Sendable {
    /// Conflicts make the save fail.
    case errorMergePolicyType = 0
    /// Changes are merged property by property; where both sides have changed one, the store's value stays.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Changes are merged property by property; where both sides have changed one, the context's value is saved.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The context's objects are saved as they are.
    case overwriteMergePolicyType = 3
    /// The context's changes of the objects in conflict are forgotten.
    case rollbackMergePolicyType = 4
}

/// Settles the conflicts that a save meets: rows that somebody else has changed, and values that must be unique but
/// aren't.
///
/// A subclass overrides ``resolve(optimisticLockingConflicts:)`` or ``resolve(constraintConflicts:)``, changes objects
/// so that the conflicts are settled, and calls super for those that it leaves alone. The methods are called on the
/// queue of the context that saves; what they throw is what `save()` throws. Afterwards the save is tried again.
///
/// What the policies do with rows that were deleted: if the store has none any more for a changed object, the policies
/// in favour of the object insert it again under the same ID, and the others let it leave the context. If the context
/// deletes an object that somebody else has changed, the former delete it, and the others keep it.
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// How conflicts are settled.
    public let mergeType: NSMergePolicyType

    /// Makes a policy of a type.
    public init(merge ty: NSMergePolicyType) {
        mergeType = ty
        super.init()
    }

    private static let errorPolicy = NSMergePolicy(merge: .errorMergePolicyType)
    private static let storeTrumpPolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    private static let objectTrumpPolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    private static let overwritePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
    private static let rollbackPolicy = NSMergePolicy(merge: .rollbackMergePolicyType)

    /// Conflicts make the save fail; a context's default.
    open class var error: NSMergePolicy { errorPolicy }
    /// Merges by property; the store's value stays where both sides have changed one.
    open class var mergeByPropertyStoreTrump: NSMergePolicy { storeTrumpPolicy }
    /// Merges by property; the context's value is saved where both sides have changed one.
    open class var mergeByPropertyObjectTrump: NSMergePolicy { objectTrumpPolicy }
    /// Saves the context's objects as they are.
    open class var overwrite: NSMergePolicy { overwritePolicy }
    /// Forgets the context's changes of the objects in conflict.
    open class var rollback: NSMergePolicy { rollbackPolicy }

    /// Settles the conflicts of a save: passes them on to the two other methods.
    ///
    /// - Parameter list: `NSMergeConflict`s and `NSConstraintConflict`s.
    /// - Throws: what the other methods throw.
    open func resolve(mergeConflicts list: [Any]) throws {
        let versions = list.compactMap { $0 as? NSMergeConflict }
        if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Settles conflicts with rows that somebody else has changed.
    ///
    /// - Parameter list: the conflicts, all of one context.
    /// - Throws: `NSManagedObjectMergeError` (133020) with the conflicts under `NSPersistentStoreSaveConflictsErrorKey`
    ///   if the type is ``NSMergePolicyType/errorMergePolicyType``, and what the store throws for a row that can't be
    ///   read.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw ConflictErrors.error(versions: list) }
        try VersionConflictResolution(type: mergeType).resolve(list)
    }

    /// Settles conflicts about values that must be unique.
    ///
    /// A new object meets one in the store: by property in favour of the object, the stored object takes all values of
    /// the new one that aren't nil; by property in favour of the store, it keeps its own; with both, it gets the
    /// relationships of the new object. Overwriting, it takes all values; rolling back, none. The new object then
    /// leaves the context. A stored object that was changed to another's values is kept in that one's place by the
    /// policies in favour of the object; the others take back its change. Of several new objects, the last stays with
    /// the former, the first with the latter.
    ///
    /// - Parameter list: the conflicts, all of one context.
    /// - Throws: `NSManagedObjectConstraintMergeError` (133021) with the conflicts under
    ///   `NSPersistentStoreSaveConflictsErrorKey` if the type is ``NSMergePolicyType/errorMergePolicyType``.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw ConflictErrors.error(constraints: list) }
        let resolution = ConstraintConflictResolution(type: mergeType)
        for conflict in list { resolution.resolve(conflict) }
    }
}

/// The policy of a context by default: conflicts make the save fail.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }
/// Merges by property; the store's value stays where both sides have changed one.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }
/// Merges by property; the context's value is saved where both sides have changed one.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }
/// Saves the context's objects as they are.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }
/// Forgets the context's changes of the objects in conflict.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }
