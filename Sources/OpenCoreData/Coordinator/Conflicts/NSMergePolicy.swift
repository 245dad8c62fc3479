// SPDX-License-Identifier: Apache-2.0

/// The types of merge policies.
public enum NSMergePolicyType: UInt, Sendable {
    /// Conflicts make the save fail.
    case errorMergePolicyType = 0
    /// Changes are merged property by property. The store's value wins where both sides have changed a property.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Changes are merged property by property. The context's value wins where both sides have changed a property.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The context's objects are saved as they are.
    case overwriteMergePolicyType = 3
    /// The context's changes of the objects in conflict are dropped.
    case rollbackMergePolicyType = 4
}

/// Resolves the conflicts of a save: rows that another context or process has changed, and values that a uniqueness
/// constraint allows only once.
///
/// ```swift
/// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// try context.save()
/// ```
///
/// A context has the policy ``error`` until its `mergePolicy` is set: a save with conflicts throws, and the context
/// keeps its changes. With another policy the context resolves the conflicts and tries the save again. Version
/// conflicts are found by the version of each row (`Z_OPT`) in the `UPDATE` and `DELETE` statements of the save,
/// constraint conflicts by the unique indexes of the tables.
///
/// A subclass overrides ``resolve(optimisticLockingConflicts:)`` or ``resolve(constraintConflicts:)``, changes objects
/// so that the conflicts are resolved, and calls super for the other conflicts:
///
/// ```swift
/// final class LargestCount: NSMergePolicy, @unchecked Sendable {
///     override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
///         for conflict in list {
///             let stored = conflict.persistedSnapshot ?? conflict.cachedSnapshot
///             guard let theirs = stored?["playCount"] as? NSNumber,
///                 let ours = conflict.sourceObject.value(forKey: "playCount") as? NSNumber
///             else { continue }
///             conflict.sourceObject.setValue(max(theirs.intValue, ours.intValue), forKey: "playCount")
///         }
///         try super.resolve(optimisticLockingConflicts: list)
///     }
/// }
/// ```
///
/// The methods are called on the queue of the context that saves. An error that they throw is the error of `save()`:
/// 133020 for versions and 133021 for constraints, in `NSCocoaErrorDomain`, with the conflicts under
/// `NSPersistentStoreSaveConflictsErrorKey`. A policy may be used by several contexts at a time.
///
/// Deleted rows: if the store has deleted the row of a changed object, the policies in favour of the object insert it
/// again under the same ID, and the other policies remove the object from the context. If the context deletes an object
/// whose row was changed, the policies in favour of the object delete the row, and the other policies keep the object.
/// The deletion rules then apply again to the objects that are related to the deleted object in the store: `save()`
/// fails if a rule denies the deletion (1600).
///
/// A policy decides about each object. Both sides of the relationships of these objects agree afterwards.
nonisolated open class NSMergePolicy: NSObject, @unchecked Sendable {
    private let type: NSMergePolicyType

    /// The type of the policy.
    open var mergeType: NSMergePolicyType { type }

    /// Makes a policy.
    ///
    /// - Parameter ty: the type of the policy.
    public init(merge ty: NSMergePolicyType) {
        type = ty
        super.init()
    }

    private static let errorPolicy = NSMergePolicy(merge: .errorMergePolicyType)
    private static let storeTrumpPolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    private static let objectTrumpPolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    private static let overwritePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
    private static let rollbackPolicy = NSMergePolicy(merge: .rollbackMergePolicyType)

    /// Conflicts make the save fail. The policy of a new context.
    open class var error: NSMergePolicy { errorPolicy }
    /// Merges property by property; the store's value wins where both sides have changed a property.
    open class var mergeByPropertyStoreTrump: NSMergePolicy { storeTrumpPolicy }
    /// Merges property by property; the context's value wins where both sides have changed a property.
    ///
    /// ```swift
    /// // An import updates the objects whose unique key exists.
    /// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    /// try context.save()
    /// ```
    open class var mergeByPropertyObjectTrump: NSMergePolicy { objectTrumpPolicy }
    /// Saves the context's objects as they are.
    open class var overwrite: NSMergePolicy { overwritePolicy }
    /// Drops the context's changes of the objects in conflict.
    open class var rollback: NSMergePolicy { rollbackPolicy }

    /// Resolves the conflicts of a save, by the two other methods.
    ///
    /// - Parameter list: objects of the classes `NSMergeConflict` and `NSConstraintConflict`.
    /// - Throws: the errors of the two other methods.
    open func resolve(mergeConflicts list: [Any]) throws {
        var versions: [NSMergeConflict] = []
        var constraints: [NSConstraintConflict] = []
        for conflict in list {
            if let constraint = conflict as? NSConstraintConflict {
                constraints.append(constraint)
            } else if let version = conflict as? NSMergeConflict {
                versions.append(version)
            }
        }
        if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Resolves conflicts with rows that another context or process has changed.
    ///
    /// - Parameter list: the conflicts, all of one context.
    /// - Throws: `NSManagedObjectMergeError` (133020) with the conflicts under `NSPersistentStoreSaveConflictsErrorKey`
    ///   if the type is ``NSMergePolicyType/errorMergePolicyType``, and the store's error for a row that can't be read.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw ConflictErrors.error(versions: list) }
        try VersionConflictResolution(type: mergeType).resolve(list)
    }

    /// Resolves conflicts about values that must be unique.
    ///
    /// If a new object has the values of a stored object, the stored object remains, and the new object leaves the
    /// context. The stored object gets:
    /// - with ``mergeByPropertyObjectTrump``, the attributes of the new object, nil included, and its relationships;
    /// - with ``mergeByPropertyStoreTrump``, the relationships of the new object;
    /// - with ``overwrite``, all values of the new object;
    /// - with ``rollback``, nothing.
    ///
    /// If a stored object was changed to the values of another stored object, the policies in favour of the object
    /// delete the other stored object, and the other policies revert the change. Of several new objects with equal
    /// values, the policies in favour of the object keep the last, and the other policies keep the first.
    ///
    /// - Parameter list: the conflicts, all of one context.
    /// - Throws: `NSManagedObjectConstraintMergeError` (133021) with the conflicts under
    ///   `NSPersistentStoreSaveConflictsErrorKey` if the type is ``NSMergePolicyType/errorMergePolicyType``.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw ConflictErrors.error(constraints: list) }
        var resolution = ConstraintConflictResolution(type: mergeType)
        for conflict in list { resolution.resolve(conflict) }
        resolution.redirectReferences()
    }
}

/// The default policy of a context: conflicts make the save fail.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }
/// Merges by property; the store's value stays where both sides have changed a property.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }
/// Merges by property; the context's value is saved where both sides have changed a property.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }
/// Saves the context's objects as they are.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }
/// Drops the context's changes of the objects in conflict.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }
