// SPDX-License-Identifier: Apache-2.0

extension CocoaError.Code {
    /// `NSManagedObjectValidationError`, 1550: managed object validation.
    public static var managedObjectValidation: CocoaError.Code { CocoaError.Code(rawValue: 1550) }
    /// `NSValidationMultipleErrorsError`, 1560: validation multiple errors.
    public static var validationMultipleErrors: CocoaError.Code { CocoaError.Code(rawValue: 1560) }
    /// `NSValidationMissingMandatoryPropertyError`, 1570: validation missing mandatory property.
    public static var validationMissingMandatoryProperty: CocoaError.Code { CocoaError.Code(rawValue: 1570) }
    /// `NSValidationRelationshipLacksMinimumCountError`, 1580: validation relationship lacks minimum count.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code { CocoaError.Code(rawValue: 1580) }
    /// `NSValidationRelationshipExceedsMaximumCountError`, 1590: validation relationship exceeds maximum count.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code { CocoaError.Code(rawValue: 1590) }
    /// `NSValidationRelationshipDeniedDeleteError`, 1600: validation relationship denied delete.
    public static var validationRelationshipDeniedDelete: CocoaError.Code { CocoaError.Code(rawValue: 1600) }
    /// `NSValidationNumberTooLargeError`, 1610: validation number too large.
    public static var validationNumberTooLarge: CocoaError.Code { CocoaError.Code(rawValue: 1610) }
    /// `NSValidationNumberTooSmallError`, 1620: validation number too small.
    public static var validationNumberTooSmall: CocoaError.Code { CocoaError.Code(rawValue: 1620) }
    /// `NSValidationDateTooLateError`, 1630: validation date too late.
    public static var validationDateTooLate: CocoaError.Code { CocoaError.Code(rawValue: 1630) }
    /// `NSValidationDateTooSoonError`, 1640: validation date too soon.
    public static var validationDateTooSoon: CocoaError.Code { CocoaError.Code(rawValue: 1640) }
    /// `NSValidationInvalidDateError`, 1650: validation invalid date.
    public static var validationInvalidDate: CocoaError.Code { CocoaError.Code(rawValue: 1650) }
    /// `NSValidationStringTooLongError`, 1660: validation string too long.
    public static var validationStringTooLong: CocoaError.Code { CocoaError.Code(rawValue: 1660) }
    /// `NSValidationStringTooShortError`, 1670: validation string too short.
    public static var validationStringTooShort: CocoaError.Code { CocoaError.Code(rawValue: 1670) }
    /// `NSValidationStringPatternMatchingError`, 1680: validation string pattern matching.
    public static var validationStringPatternMatching: CocoaError.Code { CocoaError.Code(rawValue: 1680) }
    /// `NSManagedObjectContextLockingError`, 132000: managed object context locking.
    public static var managedObjectContextLocking: CocoaError.Code { CocoaError.Code(rawValue: 132000) }
    /// `NSPersistentStoreCoordinatorLockingError`, 132010: persistent store coordinator locking.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { CocoaError.Code(rawValue: 132010) }
    /// `NSManagedObjectReferentialIntegrityError`, 133000: managed object referential integrity.
    public static var managedObjectReferentialIntegrity: CocoaError.Code { CocoaError.Code(rawValue: 133000) }
    /// `NSManagedObjectExternalRelationshipError`, 133010: managed object external relationship.
    public static var managedObjectExternalRelationship: CocoaError.Code { CocoaError.Code(rawValue: 133010) }
    /// `NSManagedObjectMergeError`, 133020: managed object merge.
    public static var managedObjectMerge: CocoaError.Code { CocoaError.Code(rawValue: 133020) }
    /// `NSManagedObjectConstraintMergeError`, 133021: managed object constraint merge.
    public static var managedObjectConstraintMerge: CocoaError.Code { CocoaError.Code(rawValue: 133021) }
    /// `NSPersistentStoreInvalidTypeError`, 134000: persistent store invalid type.
    public static var persistentStoreInvalidType: CocoaError.Code { CocoaError.Code(rawValue: 134000) }
    /// `NSPersistentStoreTypeMismatchError`, 134010: persistent store type mismatch.
    public static var persistentStoreTypeMismatch: CocoaError.Code { CocoaError.Code(rawValue: 134010) }
    /// `NSPersistentStoreIncompatibleSchemaError`, 134020: persistent store incompatible schema.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { CocoaError.Code(rawValue: 134020) }
    /// `NSPersistentStoreSaveError`, 134030: persistent store save.
    public static var persistentStoreSave: CocoaError.Code { CocoaError.Code(rawValue: 134030) }
    /// `NSPersistentStoreIncompleteSaveError`, 134040: persistent store incomplete save.
    public static var persistentStoreIncompleteSave: CocoaError.Code { CocoaError.Code(rawValue: 134040) }
    /// `NSPersistentStoreSaveConflictsError`, 134050: persistent store save conflicts.
    public static var persistentStoreSaveConflicts: CocoaError.Code { CocoaError.Code(rawValue: 134050) }
    /// `NSCoreDataError`, 134060: core data.
    public static var coreData: CocoaError.Code { CocoaError.Code(rawValue: 134060) }
    /// `NSPersistentStoreOperationError`, 134070: persistent store operation.
    public static var persistentStoreOperation: CocoaError.Code { CocoaError.Code(rawValue: 134070) }
    /// `NSPersistentStoreOpenError`, 134080: persistent store open.
    public static var persistentStoreOpen: CocoaError.Code { CocoaError.Code(rawValue: 134080) }
    /// `NSPersistentStoreTimeoutError`, 134090: persistent store timeout.
    public static var persistentStoreTimeout: CocoaError.Code { CocoaError.Code(rawValue: 134090) }
    /// `NSPersistentStoreUnsupportedRequestTypeError`, 134091: persistent store unsupported request type.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { CocoaError.Code(rawValue: 134091) }
    /// `NSPersistentStoreIncompatibleVersionHashError`, 134100: persistent store incompatible version hash.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { CocoaError.Code(rawValue: 134100) }
    /// `NSMigrationError`, 134110: migration.
    public static var migration: CocoaError.Code { CocoaError.Code(rawValue: 134110) }
    /// `NSMigrationCancelledError`, 134120: migration cancelled.
    public static var migrationCancelled: CocoaError.Code { CocoaError.Code(rawValue: 134120) }
    /// `NSMigrationMissingSourceModelError`, 134130: migration missing source model.
    public static var migrationMissingSourceModel: CocoaError.Code { CocoaError.Code(rawValue: 134130) }
    /// `NSMigrationMissingMappingModelError`, 134140: migration missing mapping model.
    public static var migrationMissingMappingModel: CocoaError.Code { CocoaError.Code(rawValue: 134140) }
    /// `NSMigrationManagerSourceStoreError`, 134150: migration manager source store.
    public static var migrationManagerSourceStore: CocoaError.Code { CocoaError.Code(rawValue: 134150) }
    /// `NSMigrationManagerDestinationStoreError`, 134160: migration manager destination store.
    public static var migrationManagerDestinationStore: CocoaError.Code { CocoaError.Code(rawValue: 134160) }
    /// `NSEntityMigrationPolicyError`, 134170: entity migration policy.
    public static var entityMigrationPolicy: CocoaError.Code { CocoaError.Code(rawValue: 134170) }
    /// `NSSQLiteError`, 134180: sqlite.
    public static var sqlite: CocoaError.Code { CocoaError.Code(rawValue: 134180) }
    /// `NSInferredMappingModelError`, 134190: inferred mapping model.
    public static var inferredMappingModel: CocoaError.Code { CocoaError.Code(rawValue: 134190) }
    /// `NSExternalRecordImportError`, 134200: external record import.
    public static var externalRecordImport: CocoaError.Code { CocoaError.Code(rawValue: 134200) }
}
