// SPDX-License-Identifier: Apache-2.0

/// The object that failed to validate.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The key of the value that failed to validate.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The predicate that a value failed.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The value that failed to validate.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The errors that one error contains.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The stores that an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The conflicts that stopped a save: an array of `NSMergeConflict`.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The key of the SQLSTATE in an error of a store on a server.
package let serverStateErrorKey = "NSPostgreSQLState"
/// The domain of SQLite's error codes, and the key of such a code in another error.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
