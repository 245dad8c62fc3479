// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectID: KeyValueCoding {
    /// The value of one of the ID's properties, for predicates and sort descriptors (`objectID.entity.name`).
    ///
    /// Stops the program for another key.
    ///
    /// - Parameter key: `entity`, `persistentStore`, `temporaryID`, `URIRepresentation`, `description` or `self`.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "self": self
        case "entity": entity
        case "persistentStore": persistentStore
        case "isTemporaryID", "temporaryID": NSNumber(value: isTemporaryID)
        case "URIRepresentation", "uriRepresentation": uriRepresentation()
        case "description": description
        default:
            programmingError(
                """
                [<\(type(of: self))> valueForUndefinedKey:]: an object ID is not key value coding-compliant for \
                the key \"\(key)\".
                """,
                remedy: "Use entity, persistentStore, temporaryID or URIRepresentation.")
        }
    }
}
