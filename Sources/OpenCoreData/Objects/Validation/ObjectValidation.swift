// SPDX-License-Identifier: Apache-2.0

/// Checks the values of objects against the rules of the model.
enum ObjectValidation {
    /// Checks one value against the rules of its property.
    static func validate(_ value: Any?, slot: PropertySlot, object: NSManagedObject) throws {
        if let relationship = slot.relationship {
            try validate(relationship, value: value, slot: slot, object: object)
        } else if value == nil && !slot.isOptional {
            throw error(.validationMissingMandatoryProperty, "is a required value", slot, object, value)
        }
        guard let value else { return }
        if !slot.isOptional, isNotANumber(value, slot) {
            throw error(
                .validationMissingMandatoryProperty, "is a required value, and is not a number (NaN)", slot, object,
                value)
        }
        if slot.kind == .date, (value as? Date)?.timeIntervalSinceReferenceDate.isNaN == true {
            throw error(.validationInvalidDate, phrase(NSValidationInvalidDateError), slot, object, value)
        }
        if slot.kind == .composite { try CompositeValue.validate(value, slot: slot, object: object) }
        if slot.kind.isInteger, let number = value as? NSNumber, !isInRange(number, slot, object) {
            let isLarge = Numbers.clampedInt64(number) > 0
            throw error(
                isLarge ? .validationNumberTooLarge : .validationNumberTooSmall,
                "is too \(isLarge ? "large" : "small")", slot, object, value)
        }
        let property = slot.property
        guard !property.validationPredicates.isEmpty else { return }
        for (index, predicate) in property.validationPredicates.enumerated() where !predicate.evaluate(with: value) {
            let warning: Any? = index < property.validationWarnings.count ? property.validationWarnings[index] : nil
            throw error(for: warning, predicate: predicate, slot, object, value)
        }
    }

    /// Whether a value of a real attribute is no number. Files have nil in its place.
    private static func isNotANumber(_ value: Any, _ slot: PropertySlot) -> Bool {
        switch slot.kind {
        case .double, .float: (value as? NSNumber)?.doubleValue.isNaN == true
        case .decimal: (value as? NSNumber)?.decimalOrNaN.isNaN == true
        default: false
        }
    }

    /// Whether an integer attribute can have a number, and was not set to a number beyond its range.
    private static func isInRange(_ number: NSNumber, _ slot: PropertySlot, _ object: NSManagedObject) -> Bool {
        guard let integer = Numbers.int64(number) else { return false }
        if let range = slot.kind.integerRange { return range.contains(integer) }
        return object.context?.saving.isUnrepresentable(integer, slot, of: object) != true
    }

    private static func validate(
        _ relationship: NSRelationshipDescription, value: Any?, slot: PropertySlot, object: NSManagedObject
    ) throws {
        guard slot.kind == .toMany else {
            if value == nil && !slot.isOptional {
                throw error(.validationMissingMandatoryProperty, "is a required value", slot, object, value)
            }
            return
        }
        let count = (value as? NSSet)?.count ?? (value as? NSOrderedSet)?.count ?? 0
        // Only the minimum count decides: a required relationship without a minimum count may be empty.
        if count < relationship.minCount && (count > 0 || !slot.isOptional) {
            throw error(
                .validationRelationshipLacksMinimumCount,
                "must have at least \(Wording.count(relationship.minCount, "object"))",
                slot, object, value)
        }
        if relationship.maxCount > 0 && count > relationship.maxCount {
            throw error(
                .validationRelationshipExceedsMaximumCount,
                "may have at most \(Wording.count(relationship.maxCount, "object"))",
                slot, object, value)
        }
    }

    /// Checks a value of any type, before it is set.
    static func validateUntyped(_ value: AnyObject?, slot: PropertySlot, object: NSManagedObject) throws {
        if let value, !slot.accepts(value) {
            let code: Int
            switch slot.kind {
            case .date: code = NSValidationInvalidDateError
            case .uri: code = NSValidationInvalidURIError
            default: code = NSManagedObjectValidationError
            }
            throw error(CocoaError.Code(rawValue: code), phrase(code), slot, object, value)
        }
        try validate(value, slot: slot, object: object)
    }

    /// Checks all properties, and throws the errors of all broken rules.
    ///
    /// If the object's class overrides `validateValue(_:forKey:)` or has validation methods, the method is called for
    /// each value. Otherwise only values with rules are checked, in their cells.
    static func validateAll(_ object: NSManagedObject) throws {
        let layout = object.layout
        let isOverridden =
            MethodOverrides.overridesValidateValue(type(of: object))
            || RegisteredMembers.hasValidations(type(of: object))
        object.fireFaultIfNeeded()
        let saving =
            SaveState.haveUnrepresentableNumbers.load(ordering: .acquiring) ? object.context?.saving : nil
        let hasUnrepresentable = saving?.hasUnrepresentableNumbers == true
        let mayBeInvalid = containsInvalidValue(object) || hasUnrepresentable
        let hasAllRequired =
            layout.ruledProperties.isEmpty && layout.requiredScalarCells.allSatisfy(object.cells.isPresent)
        if !isOverridden && !mayBeInvalid && hasAllRequired { return }
        var errors: [any Error] = []
        for slot in layout.properties {
            // The check of the last property may have called the program, which may have made the object a fault, or
            // deleted it.
            object.fireFaultIfNeeded()
            let isInvalid =
                (mayBeInvalid || slot.kind == .decimal)
                && (slot.containsInvalidValue(object.cells)
                    || hasUnrepresentable && saving?.hasUnrepresentableNumber(slot, of: object) == true)
            guard slot.hasRules || isInvalid || (isOverridden && slot.kind != .fetched) else { continue }
            if slot.kind == .toMany {
                // Unchanged contents were valid when they were saved.
                guard isOverridden || slot.hasRules, object.flags.contains(.inserted) || object.isChanged(slot) else {
                    continue
                }
            } else if !isOverridden && !isInvalid && slot.elements.isEmpty && slot.property.validationPredicates.isEmpty
            {
                // A required value without further rules is valid.
                if !slot.isNil(object.cells) { continue }
            }
            do {
                try check(object, slot, isOverridden: isOverridden)
            } catch {
                errors += single(error)
            }
        }
        try raise(errors)
    }

    /// Whether an integer is outside the range of its attribute's type, a date is no moment in time, or a required real
    /// is no number.
    @inline(__always)
    private static func containsInvalidValue(_ object: NSManagedObject) -> Bool {
        let cells = object.cells
        for narrow in object.layout.narrowIntegers where !narrow.range.contains(cells.integer(narrow.cell)) {
            return true
        }
        for cell in object.layout.dateCells where cells.double(cell).isNaN && cells.isPresent(cell) { return true }
        for cell in object.layout.requiredRealCells where cells.double(cell).isNaN { return true }
        return false
    }

    private static func check(_ object: NSManagedObject, _ slot: PropertySlot, isOverridden: Bool) throws {
        let value = object.propertyValue(at: slot.index)
        guard isOverridden else { return try validate(value, slot: slot, object: object) }
        var replaceable: AnyObject? = value as AnyObject?
        let before = replaceable
        try object.validateValue(&replaceable, forKey: slot.name)
        // An override may replace the value; an equal one is no change.
        if replaceable !== before && !ValueEquality.areEqual(replaceable, before) {
            object.setPropertyValue(replaceable, at: slot.index)
        }
    }

    /// Checks that the destinations of all relationships can be saved with the object, as far as they are known.
    static func validateDestinations(of object: NSManagedObject) throws {
        guard object.flags.isDisjoint(with: [.deleted, .detached]) else { return }
        var errors: [NSError] = []
        for (slot, destinations) in object.savedDestinations {
            let dangling = destinations.filter {
                $0.table?.handle !== object.table?.handle || !$0.flags.isDisjoint(with: [.deleted, .detached])
            }
            guard !dangling.isEmpty else { continue }
            errors.append(
                error(
                    .managedObjectValidation, "refers to an object that is not in the context", slot, object,
                    object.propertyValue(at: slot.index), affected: dangling))
        }
        try raise(errors)
    }

    /// Checks that no relationship with the deletion rule Deny still has objects.
    static func validateDeletion(_ object: NSManagedObject) throws {
        var errors: [NSError] = []
        for index in object.layout.denyingProperties {
            let slot = object.layout.properties[index]
            let destinations =
                slot.kind == .toOne
                ? object.destination(slot).map { [$0] } ?? [] : object.toManyContent(slot, loading: true).members
            guard destinations.contains(where: { !$0.flags.contains(.deleted) }) else { continue }
            errors.append(
                error(
                    .validationRelationshipDeniedDelete, "is not empty, so the object can't be deleted", slot, object,
                    object.propertyValue(at: index)))
        }
        try raise(errors)
    }
}
