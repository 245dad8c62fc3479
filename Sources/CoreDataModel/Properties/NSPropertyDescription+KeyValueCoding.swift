// SPDX-License-Identifier: Apache-2.0

/// The keys that predicates can read of a property, as in `$FETCHED_PROPERTY.userInfo.limit`.
extension NSPropertyDescription: KeyValueCoding {
    /// The value of one of the description's keys.
    ///
    /// Stops the program for an unknown key.
    ///
    /// - Parameter key: the name of a property of this class.
    /// - Returns: the value; Boolean values as `NSNumber`.
    public final func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "entity": entity
        case "userInfo": userInfo
        case "renamingIdentifier": renamingIdentifier
        case "versionHashModifier": versionHashModifier
        case "isOptional", "optional": NSNumber(value: isOptional)
        case "isTransient", "transient": NSNumber(value: isTransient)
        default:
            programmingError(
                """
                The property description '\(name)' is not key value coding-compliant for the key "\(key)". Its keys \
                are name, entity, userInfo, renamingIdentifier, versionHashModifier, isOptional and isTransient.
                """
            )
        }
    }
}
