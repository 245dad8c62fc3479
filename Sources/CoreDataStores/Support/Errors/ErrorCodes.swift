// SPDX-License-Identifier: Apache-2.0

/// The error codes of Core Data, in the domain `NSCocoaErrorDomain`.

/// Error code 1550: managed object validation.
public var NSManagedObjectValidationError: Int { 1550 }
/// Error code 1551: managed object constraint validation.
public var NSManagedObjectConstraintValidationError: Int { 1551 }
/// Error code 1560: validation multiple errors.
public var NSValidationMultipleErrorsError: Int { 1560 }
/// Error code 1570: validation missing mandatory property.
public var NSValidationMissingMandatoryPropertyError: Int { 1570 }
/// Error code 1580: validation relationship lacks minimum count.
public var NSValidationRelationshipLacksMinimumCountError: Int { 1580 }
/// Error code 1590: validation relationship exceeds maximum count.
public var NSValidationRelationshipExceedsMaximumCountError: Int { 1590 }
/// Error code 1600: validation relationship denied delete.
public var NSValidationRelationshipDeniedDeleteError: Int { 1600 }
/// Error code 1610: validation number too large.
public var NSValidationNumberTooLargeError: Int { 1610 }
/// Error code 1620: validation number too small.
public var NSValidationNumberTooSmallError: Int { 1620 }
/// Error code 1630: validation date too late.
public var NSValidationDateTooLateError: Int { 1630 }
/// Error code 1640: validation date too soon.
public var NSValidationDateTooSoonError: Int { 1640 }
/// Error code 1650: validation invalid date.
public var NSValidationInvalidDateError: Int { 1650 }
/// Error code 1660: validation string too long.
public var NSValidationStringTooLongError: Int { 1660 }
/// Error code 1670: validation string too short.
public var NSValidationStringTooShortError: Int { 1670 }
/// Error code 1680: validation string pattern matching.
public var NSValidationStringPatternMatchingError: Int { 1680 }
/// Error code 1690: validation invalid uri.
public var NSValidationInvalidURIError: Int { 1690 }
/// Error code 132000: managed object context locking.
public var NSManagedObjectContextLockingError: Int { 132000 }
/// Error code 132010: persistent store coordinator locking.
public var NSPersistentStoreCoordinatorLockingError: Int { 132010 }
/// Error code 133000: managed object referential integrity.
public var NSManagedObjectReferentialIntegrityError: Int { 133000 }
/// Error code 133010: managed object external relationship.
public var NSManagedObjectExternalRelationshipError: Int { 133010 }
/// Error code 133020: managed object merge.
public var NSManagedObjectMergeError: Int { 133020 }
/// Error code 133021: managed object constraint merge.
public var NSManagedObjectConstraintMergeError: Int { 133021 }
/// Error code 134000: persistent store invalid type.
public var NSPersistentStoreInvalidTypeError: Int { 134000 }
/// Error code 134010: persistent store type mismatch.
public var NSPersistentStoreTypeMismatchError: Int { 134010 }
/// Error code 134020: persistent store incompatible schema.
public var NSPersistentStoreIncompatibleSchemaError: Int { 134020 }
/// Error code 134030: persistent store save.
public var NSPersistentStoreSaveError: Int { 134030 }
/// Error code 134040: persistent store incomplete save.
public var NSPersistentStoreIncompleteSaveError: Int { 134040 }
/// Error code 134050: persistent store save conflicts.
public var NSPersistentStoreSaveConflictsError: Int { 134050 }
/// Error code 134060: core data.
public var NSCoreDataError: Int { 134060 }
/// Error code 134070: persistent store operation.
public var NSPersistentStoreOperationError: Int { 134070 }
/// Error code 134080: persistent store open.
public var NSPersistentStoreOpenError: Int { 134080 }
/// Error code 134090: persistent store timeout.
public var NSPersistentStoreTimeoutError: Int { 134090 }
/// Error code 134091: persistent store unsupported request type.
public var NSPersistentStoreUnsupportedRequestTypeError: Int { 134091 }
/// Error code 134100: persistent store incompatible version hash.
public var NSPersistentStoreIncompatibleVersionHashError: Int { 134100 }
/// Error code 134110: migration.
public var NSMigrationError: Int { 134110 }
/// Error code 134111: migration constraint violation.
public var NSMigrationConstraintViolationError: Int { 134111 }
/// Error code 134120: migration cancelled.
public var NSMigrationCancelledError: Int { 134120 }
/// Error code 134130: migration missing source model.
public var NSMigrationMissingSourceModelError: Int { 134130 }
/// Error code 134140: migration missing mapping model.
public var NSMigrationMissingMappingModelError: Int { 134140 }
/// Error code 134150: migration manager source store.
public var NSMigrationManagerSourceStoreError: Int { 134150 }
/// Error code 134160: migration manager destination store.
public var NSMigrationManagerDestinationStoreError: Int { 134160 }
/// Error code 134170: entity migration policy.
public var NSEntityMigrationPolicyError: Int { 134170 }
/// Error code 134180: sqlite.
public var NSSQLiteError: Int { 134180 }
/// Error code 134190: inferred mapping model.
public var NSInferredMappingModelError: Int { 134190 }
/// Error code 134200: external record import.
public var NSExternalRecordImportError: Int { 134200 }
/// Error code 134301: persistent history token expired.
public var NSPersistentHistoryTokenExpiredError: Int { 134301 }
/// Error code 134504: managed object model reference not found.
public var NSManagedObjectModelReferenceNotFoundError: Int { 134504 }
/// Error code 134505: staged migration framework version mismatch.
public var NSStagedMigrationFrameworkVersionMismatchError: Int { 134505 }
/// Error code 134506: staged migration backward migration.
public var NSStagedMigrationBackwardMigrationError: Int { 134506 }
