// SPDX-License-Identifier: Apache-2.0

extension CocoaError {
    /// `NSManagedObjectValidationError`, 1550: managed object validation.
    public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
    /// `NSValidationMultipleErrorsError`, 1560: validation multiple errors.
    public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
    /// `NSValidationMissingMandatoryPropertyError`, 1570: validation missing mandatory property.
    public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
    /// `NSValidationRelationshipLacksMinimumCountError`, 1580: validation relationship lacks minimum count.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        .validationRelationshipLacksMinimumCount
    }
    /// `NSValidationRelationshipExceedsMaximumCountError`, 1590: validation relationship exceeds maximum count.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        .validationRelationshipExceedsMaximumCount
    }
    /// `NSValidationRelationshipDeniedDeleteError`, 1600: validation relationship denied delete.
    public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
    /// `NSValidationNumberTooLargeError`, 1610: validation number too large.
    public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
    /// `NSValidationNumberTooSmallError`, 1620: validation number too small.
    public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
    /// `NSValidationDateTooLateError`, 1630: validation date too late.
    public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
    /// `NSValidationDateTooSoonError`, 1640: validation date too soon.
    public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
    /// `NSValidationInvalidDateError`, 1650: validation invalid date.
    public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
    /// `NSValidationStringTooLongError`, 1660: validation string too long.
    public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
    /// `NSValidationStringTooShortError`, 1670: validation string too short.
    public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
    /// `NSValidationStringPatternMatchingError`, 1680: validation string pattern matching.
    public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
    /// `NSManagedObjectContextLockingError`, 132000: managed object context locking.
    public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
    /// `NSPersistentStoreCoordinatorLockingError`, 132010: persistent store coordinator locking.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
    /// `NSManagedObjectReferentialIntegrityError`, 133000: managed object referential integrity.
    public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
    /// `NSManagedObjectExternalRelationshipError`, 133010: managed object external relationship.
    public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
    /// `NSManagedObjectMergeError`, 133020: managed object merge.
    public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
    /// `NSManagedObjectConstraintMergeError`, 133021: managed object constraint merge.
    public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
    /// `NSPersistentStoreInvalidTypeError`, 134000: persistent store invalid type.
    public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
    /// `NSPersistentStoreTypeMismatchError`, 134010: persistent store type mismatch.
    public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
    /// `NSPersistentStoreIncompatibleSchemaError`, 134020: persistent store incompatible schema.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
    /// `NSPersistentStoreSaveError`, 134030: persistent store save.
    public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
    /// `NSPersistentStoreIncompleteSaveError`, 134040: persistent store incomplete save.
    public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
    /// `NSPersistentStoreSaveConflictsError`, 134050: persistent store save conflicts.
    public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
    /// `NSCoreDataError`, 134060: core data.
    public static var coreData: CocoaError.Code { .coreData }
    /// `NSPersistentStoreOperationError`, 134070: persistent store operation.
    public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
    /// `NSPersistentStoreOpenError`, 134080: persistent store open.
    public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
    /// `NSPersistentStoreTimeoutError`, 134090: persistent store timeout.
    public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
    /// `NSPersistentStoreUnsupportedRequestTypeError`, 134091: persistent store unsupported request type.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
    /// `NSPersistentStoreIncompatibleVersionHashError`, 134100: persistent store incompatible version hash.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        .persistentStoreIncompatibleVersionHash
    }
    /// `NSMigrationError`, 134110: migration.
    public static var migration: CocoaError.Code { .migration }
    /// `NSMigrationCancelledError`, 134120: migration cancelled.
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
    /// `NSMigrationMissingSourceModelError`, 134130: migration missing source model.
    public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
    /// `NSMigrationMissingMappingModelError`, 134140: migration missing mapping model.
    public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
    /// `NSMigrationManagerSourceStoreError`, 134150: migration manager source store.
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
    /// `NSMigrationManagerDestinationStoreError`, 134160: migration manager destination store.
    public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
    /// `NSEntityMigrationPolicyError`, 134170: entity migration policy.
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
    /// `NSSQLiteError`, 134180: sqlite.
    public static var sqlite: CocoaError.Code { .sqlite }
    /// `NSInferredMappingModelError`, 134190: inferred mapping model.
    public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
    /// `NSExternalRecordImportError`, 134200: external record import.
    public static var externalRecordImport: CocoaError.Code { .externalRecordImport }

    /// The objects that the error is about, `NSAffectedObjectsErrorKey`.
    public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }
    /// The stores that the error is about, `NSAffectedStoresErrorKey`.
    public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
    /// The object that failed to validate.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
    /// The key that failed to validate.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
    /// The rule that failed.
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }
    /// The value that failed to validate.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
}
