// SPDX-License-Identifier: Apache-2.0

extension NSEntityDescription: KeyValueCoding {
    /// The value of one of the description's keys, for predicates, sort descriptors and section names (`entity.name`).
    ///
    /// Stops the program for an unknown key.
    ///
    /// - Parameter key: the name of a property of this class.
    /// - Returns: the value; numbers as `NSNumber`.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "self": self
        case "name": name
        case "managedObjectClassName": managedObjectClassName
        case "isAbstract", "abstract": NSNumber(value: isAbstract)
        case "superentity": superentity
        case "subentities": subentities
        case "properties": properties
        case "userInfo": userInfo
        case "renamingIdentifier": renamingIdentifier
        case "versionHash": versionHash
        case "versionHashModifier": versionHashModifier
        case "description": description
        default:
            programmingError(
                """
                [<\(type(of: self))> valueForUndefinedKey:]: an entity description is not key value coding-compliant \
                for the key \"\(key)\". It answers name, managedObjectClassName, abstract, superentity, subentities, \
                properties, userInfo, renamingIdentifier, versionHash and versionHashModifier.
                """)
        }
    }
}
