/// The model's rules for the values of objects.
enum ObjectValidation {
    /// Checks one value against the rules of its property.
    static func validate(_ value: Any?, slot: PropertySlot, object: NSManagedObject) throws {
        if let relationship = slot.relationship {
            try validate(relationship, value: value, slot: slot, object: object)
        } else if value == nil && !slot.isOptional {
            throw error(.validationMissingMandatoryProperty, "is a required property", slot, object, value)
        }
        guard let value else { return }
        if let range = slot.kind.integerRange, let number = (value as? NSNumber)?.int64Value, !range.contains(number) {
            let isLarge = number > 0
            throw error(isLarge ? .validationNumberTooLarge : .validationNumberTooSmall, "is too \(isLarge ? "large" : "small")", slot, object, value)
        }
        let property = slot.property
        guard !property.validationPredicates.isEmpty else { return }
        for (index, predicate) in property.validationPredicates.enumerated() where !predicate.evaluate(with: value) {
            let warning: Any? = index < property.validationWarnings.count ? property.validationWarnings[index] : nil
            throw error(for: warning, predicate: predicate, slot, object, value)
        }
    }

    private static func validate(_ relationship: NSRelationshipDescription, value: Any?, slot: PropertySlot, object: NSManagedObject) throws {
        guard slot.kind == .toMany else {
            if value == nil && !slot.isOptional {
                throw error(.validationMissingMandatoryProperty, "is a required property", slot, object, value)
            }
            return
        }
        let count = (value as? NSSet)?.count ?? (value as? NSOrderedSet)?.count ?? 0
        if count == 0 && !slot.isOptional {
            throw error(.validationRelationshipLacksMinimumCount, "must have at least \(max(relationship.minCount, 1)) objects", slot, object, value)
        }
        if count > 0 && count < relationship.minCount {
            throw error(.validationRelationshipLacksMinimumCount, "must have at least \(relationship.minCount) objects", slot, object, value)
        }
        if relationship.maxCount > 0 && count > relationship.maxCount {
            throw error(.validationRelationshipExceedsMaximumCount, "may have at most \(relationship.maxCount) objects", slot, object, value)
        }
    }

    /// Checks all properties, gathering the errors.
    ///
    /// Each value goes through `validateValue(_:forKey:)` if the object's class overrides that; otherwise only values with
    /// rules are looked at, in place.
    static func validateAll(_ object: NSManagedObject) throws {
        let layout = object.layout
        let isOverridden = MethodOverrides.overridesValidateValue(type(of: object))
        object.readable()
        let overflows = holdsOverflow(object)
        let isFine = layout.ruledProperties.isEmpty && layout.requiredScalarCells.allSatisfy(object.cells.isPresent)
        if !isOverridden && !overflows && isFine { return }
        var errors: [NSError] = []
        for slot in layout.properties {
            let isTooNarrow = overflows && slot.overflows(object.cells)
            guard slot.hasRules || isTooNarrow || (isOverridden && slot.kind != .fetched) else { continue }
            if slot.kind == .toMany {
                // Content that was not touched was valid when it was saved.
                guard slot.hasRules, object.flags.contains(.inserted) || object.isChanged(slot) else { continue }
            } else if !isOverridden && !isTooNarrow && slot.property.validationPredicates.isEmpty {
                // Required and there: nothing else can be wrong.
                if !slot.isNil(object.cells) { continue }
            }
            do {
                try check(object, slot, isOverridden: isOverridden)
            } catch {
                errors.append(error as NSError)
            }
        }
        try raise(errors)
    }

    /// Whether an integer doesn't fit its attribute.
    @inline(__always)
    private static func holdsOverflow(_ object: NSManagedObject) -> Bool {
        let cells = object.cells
        for narrow in object.layout.narrowIntegers where !narrow.range.contains(cells.integer(narrow.cell)) { return true }
        return false
    }

    private static func check(_ object: NSManagedObject, _ slot: PropertySlot, isOverridden: Bool) throws {
        let value = object.propertyValue(at: slot.index)
        guard isOverridden else { return try validate(value, slot: slot, object: object) }
        var replaceable: AnyObject? = value as AnyObject?
        let before = replaceable
        try object.validateValue(&replaceable, forKey: slot.name)
        // An override may replace the value.
        if replaceable !== before { object.setPropertyValue(replaceable, at: slot.index) }
    }

    /// Checks that no relationship with the rule Deny still holds objects.
    static func validateDeletion(_ object: NSManagedObject) throws {
        var errors: [NSError] = []
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            guard slot.relationship?.deleteRule == .denyDeleteRule else { continue }
            let destinations = slot.kind == .toOne
                ? object.destination(slot).map { [$0] } ?? [] : Array(object.toManyContent(slot, loading: true).members)
            guard destinations.contains(where: { !$0.flags.contains(.deleted) }) else { continue }
            errors.append(error(.validationRelationshipDeniedDelete, "is not empty, so the object can't be deleted", slot, object, object.propertyValue(at: index)))
        }
        try raise(errors)
    }

    /// One error as itself, several as one with details.
    static func raise(_ errors: [NSError]) throws {
        if errors.count > 1 {
            throw NSError(domain: NSCocoaErrorDomain, code: CocoaError.Code.validationMultipleErrors.rawValue, userInfo: [
                NSDetailedErrorsKey: errors,
                NSLocalizedDescriptionKey: "Multiple validation errors occurred: " + errors.map(\.localizedDescription).joined(separator: " "),
            ])
        }
        if let error = errors.first { throw error }
    }

    // MARK: Errors

    private static func error(for warning: Any?, predicate: NSPredicate, _ slot: PropertySlot, _ object: NSManagedObject, _ value: Any) -> NSError {
        if let text = warning as? String {
            let message = object.layout.model.managedObjectModel.localizedErrorText(text)
            return error(.managedObjectValidation, nil, slot, object, value, message: message, predicate: predicate)
        }
        let code = (warning as? NSNumber)?.intValue ?? CocoaError.Code.managedObjectValidation.rawValue
        return error(CocoaError.Code(rawValue: code), phrase(code, predicate), slot, object, value, predicate: predicate)
    }

    private static func phrase(_ code: Int, _ predicate: NSPredicate) -> String {
        switch code {
        case 1610: "is too large"
        case 1620: "is too small"
        case 1630: "is too late"
        case 1640: "is too soon"
        case 1660: "is too long"
        case 1670: "is too short"
        case 1680: "does not match the required pattern"
        default: "breaks the rule \(predicate.predicateText)"
        }
    }

    private static func error(
        _ code: CocoaError.Code, _ phrase: String?, _ slot: PropertySlot, _ object: NSManagedObject, _ value: Any?, message: String? = nil,
        predicate: NSPredicate? = nil
    ) -> NSError {
        let property = object.layout.model.managedObjectModel.localizedName(of: slot.property, in: object.layout.entity)
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: message ?? "\(property) \(phrase ?? "is not valid").",
            NSValidationObjectErrorKey: object,
            NSValidationKeyErrorKey: slot.name,
            "NSManagedObjectEntityName": object.layout.name,
        ]
        if let value { userInfo[NSValidationValueErrorKey] = value }
        if let predicate { userInfo[NSValidationPredicateErrorKey] = predicate }
        return NSError(domain: NSCocoaErrorDomain, code: code.rawValue, userInfo: userInfo)
    }
}
