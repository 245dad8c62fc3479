extension NSManagedObject: KeyValueCoding {}

// An object equals its ID where a predicate compares them.
extension NSManagedObject: ComparableByIdentity {
    package var comparisonIdentity: NSObject { objectID }
}

// Its first save gives an object another ID; an ID never changes.
extension NSManagedObject: LastingIdentity {
    package var identityLasts: Bool { !objectID.isTemporaryID }
}

extension NSManagedObjectID: LastingIdentity {
    package var identityLasts: Bool { true }
}

extension NSManagedObject: KeyPathKnowing {
    package func crossesToManyRelationship(_ path: ArraySlice<String>) -> Bool { entity.crossesToManyRelationship(path) }
}

/// Key paths from managed objects.
enum KeyPathAccess {
    static func value(of object: NSManagedObject, keyPath: String) -> Any? {
        guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return object.value(forKey: keyPath) }
        return KeyPathWalk.value(of: object, path: KeyPathWalk.split(keyPath)[...])
    }
}
