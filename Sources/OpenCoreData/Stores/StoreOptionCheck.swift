// SPDX-License-Identifier: Apache-2.0

/// The types of the values of store options.
///
/// A value of another type would be an option that has no effect: a store that must not be written would be written.
enum StoreOptionCheck {
    private static let booleans: Set<String> = [
        NSReadOnlyPersistentStoreOption, NSIgnorePersistentStoreVersioningOption, NSSQLiteAnalyzeOption,
        NSSQLiteManualVacuumOption, NSMigratePersistentStoresAutomaticallyOption,
        NSInferMappingModelAutomaticallyOption, NSPersistentStoreDeferredLightweightMigrationOptionKey,
        NSPersistentStoreForceDestroyOption, NSPersistentHistoryTrackingKey,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey, NSBinaryStoreInsecureDecodingCompatibilityOption,
        NSMigratePersistentStoresToFormerVersionOption,
    ]

    private static let numbers: Set<String> = [
        NSPersistentStoreTimeoutOption, NSPersistentStoreConnectionPoolMaxSizeKey,
    ]

    /// The options of a store. Texts in the place of numbers become numbers, as `NSString.boolValue` reads them.
    ///
    /// - Throws: `NSPersistentStoreOpenError` (134080) for a value of a type that the option doesn't have.
    static func checked(_ options: [AnyHashable: Any]?, at url: URL?) throws -> [AnyHashable: Any]? {
        guard let options else { return nil }
        var result = options
        for (key, value) in options {
            guard let key = key.base as? String else { continue }
            if booleans.contains(key) {
                if value is NSNumber { continue }
                guard let text = value as? String else { throw wrongType(key, value, "a Boolean number", url) }
                result[key] = NSNumber(value: (text as NSString).boolValue)
            } else if numbers.contains(key) {
                if let number = value as? NSNumber, !number.doubleValue.isNaN { continue }
                guard let text = value as? String, let number = Double(text), number.isFinite else {
                    throw wrongType(key, value, "a number", url)
                }
                result[key] = NSNumber(value: number)
            } else if let wanted = wantedType(key, value) {
                throw wrongType(key, value, wanted, url)
            }
        }
        return result
    }

    /// The type that an option's value should have; nil if the value has it, and for options that are not checked here.
    private static func wantedType(_ key: String, _ value: Any) -> String? {
        switch key {
        case NSSQLitePragmasOption:
            guard let pragmas = value as? [String: Any] else { return "a dictionary of names and values" }
            let isFine = pragmas.values.allSatisfy { $0 is String || $0 is NSNumber }
            return isFine ? nil : "a dictionary of names with texts or numbers"
        case NSPersistentStoreStagedMigrationManagerOptionKey:
            return value is NSStagedMigrationManager ? nil : "an NSStagedMigrationManager"
        case NSBinaryStoreSecureDecodingClasses:
            return value is NSSet || value is [Any] ? nil : "a set of classes"
        default: return nil
        }
    }

    private static func wrongType(_ key: String, _ value: Any, _ wanted: String, _ url: URL?) -> NSError {
        var info: [String: Any] = ["key": key]
        if let url {
            info[NSURLErrorKey] = url.withoutSecrets
            if url.isFileURL { info[NSFilePathErrorKey] = url.path }
        }
        return CoreDataErrors.error(
            NSPersistentStoreOpenError, "The store \(url?.storeText ?? "") can\u{2019}t be used.",
            reason: "The value of the option \(key) is of type \(Swift.type(of: value)), not \(wanted).",
            suggestion: "Give a value of that type. Nothing was changed.", userInfo: info)
    }
}
