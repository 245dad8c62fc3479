// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
    /// Stops the program with Core Data's words for an unknown key.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - selector: Apple's name of the method that reports the key.
    final func unknownKey(_ key: String, _ selector: String = "valueForUndefinedKey:") -> Never {
        programmingError(
            """
            [<\(type(of: self))> \(selector)]: the entity \(layout.name) is not key value \
            coding-compliant for the key \
            \"\(key)\".\(NearestNames.suggestion(for: key, in: layout.properties.map(\.name)))
            """,
            remedy: "Its properties are: \(layout.properties.map(\.name).sorted().joined(separator: ", ")).")
    }

    final func unmodeledValue(forKey key: String) -> Any? {
        if layout.isRecording { return KeyRecording.value(forKey: key, of: self) }
        return value(forKeyOfObjects: key)
    }

    /// The keys that every object has, whatever its entity.
    private func value(forKeyOfObjects key: String) -> Any? {
        switch key {
        case "objectID": objectID
        case "self": self
        case "entity": entity
        case "managedObjectContext": managedObjectContext
        case "hasChanges": NSNumber(value: hasChanges)
        case "isInserted", "inserted": NSNumber(value: isInserted)
        case "isUpdated", "updated": NSNumber(value: isUpdated)
        case "isDeleted", "deleted": NSNumber(value: isDeleted)
        case "isFault", "fault": NSNumber(value: isFault)
        case "hasPersistentChangedValues": NSNumber(value: hasPersistentChangedValues)
        case "faultingState": NSNumber(value: faultingState)
        case "description": description
        default:
            if let property = RegisteredMembers.property(key, of: type(of: self)) {
                property.get(self)
            } else {
                value(forUndefinedKey: key)
            }
        }
    }

    /// Sets a registered property of the class, or `date` for the key `Date`: both have the setter `setDate:`.
    final func setUnmodeledValue(_ value: Any?, forKey key: String) {
        if let property = RegisteredMembers.property(key, of: type(of: self)), let set = property.set {
            return self.set(value, forKey: key, by: set)
        }
        let name = key.prefix(1).lowercased() + key.dropFirst()
        if name != key, layout.position(of: name) != nil { return setValue(value, forKey: name) }
        setValue(value, forUndefinedKey: key)
    }

    // MARK: Accessors of the class

    /// The property of the class under the name of a property of the model; nil if the class has none.
    @inline(never)
    final func accessor(forKey key: String) -> RegisteredMembers.Property? {
        RegisteredMembers.accessor(key, of: type(of: self))
    }

    /// Sets a property of the model by the class's own setter.
    ///
    /// - Returns: false if the class has none.
    @inline(never)
    final func setByAccessor(_ value: Any?, forKey key: String) -> Bool {
        guard let set = accessor(forKey: key)?.set else { return false }
        self.set(value, forKey: key, by: set)
        return true
    }

    private func set(_ value: Any?, forKey key: String, by set: (NSManagedObject, Any?) -> Bool) {
        guard set(self, value) else {
            programmingError(
                "\(type(of: self)) can't set the property '\(key)' to a value of type \(Swift.type(of: value as Any)).")
        }
    }
}
