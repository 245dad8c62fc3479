// SPDX-License-Identifier: Apache-2.0

extension CompositeValue {
    /// Checks the elements of a value against their own rules; the key of an error is the element's key path.
    static func validate(_ value: Any, slot: PropertySlot, object: NSManagedObject) throws {
        guard let values = dictionary(value) else { return }
        var errors: [NSError] = []
        for element in slot.elements {
            let value = values[element.name]
            do {
                try ObjectValidation.validate(value is NSNull ? nil : value, slot: element, object: object)
            } catch let error as NSError {
                errors += error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            }
        }
        try ObjectValidation.raise(errors)
    }
}
