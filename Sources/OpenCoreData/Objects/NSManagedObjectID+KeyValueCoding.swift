extension NSManagedObjectID: KeyValueCoding {
    /// The value of one of the ID's properties, so that predicates and sort descriptors can ask for it
    /// (`objectID.entity.name`).
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
                remedy: "It answers entity, persistentStore, temporaryID and URIRepresentation.")
        }
    }
}
