// SPDX-License-Identifier: Apache-2.0

/// The errors of broken rules.
extension ObjectValidation {
    /// Throws a single error unchanged, so that it keeps its Swift type, and several errors as one error with details.
    /// Does nothing without errors.
    static func raise(_ thrown: [any Error]) throws {
        if thrown.count > 1 {
            let errors = thrown.map { $0 as NSError }
            throw CoreDataErrors.error(
                CocoaError.Code.validationMultipleErrors.rawValue,
                message: "Multiple validation errors occurred: "
                    + errors.map(\.localizedDescription).joined(separator: " "),
                reason: "\(errors.count) rules are broken.",
                userInfo: [NSDetailedErrorsKey: errors, NSAffectedObjectsErrorKey: affectedObjects(errors)])
        }
        if let error = thrown.first { throw error }
    }

    /// The errors that an error combines, at any depth; the error itself if it is a single one.
    static func single(_ thrown: any Error) -> [any Error] {
        let error = thrown as NSError
        guard error.domain == NSCocoaErrorDomain, error.code == NSValidationMultipleErrorsError,
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError], !details.isEmpty
        else { return [thrown] }
        return details.flatMap(single)
    }

    private static func affectedObjects(_ errors: [NSError]) -> [NSManagedObject] {
        var seen: Set<ObjectIdentifier> = []
        return errors.flatMap { $0.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] ?? [] }.filter {
            seen.insert(ObjectIdentifier($0)).inserted
        }
    }

    // MARK: Making errors

    static func error(
        for warning: Any?, predicate: NSPredicate, _ slot: PropertySlot, _ object: NSManagedObject, _ value: Any
    ) -> NSError {
        if let text = warning as? String {
            let message = object.layout.model.managedObjectModel.localizedErrorText(text)
            return error(.managedObjectValidation, nil, slot, object, value, message: message, predicate: predicate)
        }
        let code = (warning as? NSNumber)?.intValue ?? NSManagedObjectValidationError
        let phrase = phrase(code) ?? "breaks the rule \(predicate.predicateText)"
        return error(CocoaError.Code(rawValue: code), phrase, slot, object, value, predicate: predicate)
    }

    /// The phrase for an error code, behind the property's name; nil for codes that need a longer text.
    static func phrase(_ code: Int) -> String? {
        switch code {
        case NSValidationNumberTooLargeError: "is too large"
        case NSValidationNumberTooSmallError: "is too small"
        case NSValidationDateTooLateError: "is too late"
        case NSValidationDateTooSoonError: "is too soon"
        case NSValidationInvalidDateError: "is no valid date"
        case NSValidationStringTooLongError: "is too long"
        case NSValidationStringTooShortError: "is too short"
        case NSValidationStringPatternMatchingError: "does not match the required pattern"
        case NSValidationInvalidURIError: "is no valid URI"
        default: nil
        }
    }

    static func error(
        _ code: CocoaError.Code, _ phrase: String?, _ slot: PropertySlot, _ object: NSManagedObject, _ value: Any?,
        message: String? = nil,
        predicate: NSPredicate? = nil, affected: [NSManagedObject]? = nil
    ) -> NSError {
        let property = object.layout.model.managedObjectModel.localizedName(of: slot.property, in: object.layout.entity)
        var userInfo: [String: Any] = [
            NSValidationObjectErrorKey: object,
            NSValidationKeyErrorKey: slot.keyPath,
            NSValidationValueErrorKey: value ?? NSNull(),
            NSAffectedObjectsErrorKey: affected ?? [object],
            "NSManagedObjectEntityName": object.layout.name,
        ]
        if let predicate { userInfo[NSValidationPredicateErrorKey] = predicate }
        let fact = phrase ?? "has a value of type \(value.map { "\(type(of: $0))" } ?? "nil"), which is not valid"
        let reason = predicate.map { "breaks the rule \($0.predicateText)" } ?? fact
        return CoreDataErrors.error(
            code.rawValue, message: message ?? "\(property) \(phrase ?? "is not valid").",
            reason: "\(object.layout.name).\(slot.keyPath) \(reason).", userInfo: userInfo)
    }
}
