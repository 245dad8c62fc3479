extension NSManagedObject: KeyValueCoding {}

// An object equals its ID where a predicate compares them.
extension NSManagedObject: ComparableByIdentity {
    package var comparisonIdentity: NSObject { objectID }
}

extension NSManagedObject: KeyPathKnowing {
    package func leadsToMany(_ path: ArraySlice<String>) -> Bool { entity.leadsToMany(path) }
}

/// Key paths from managed objects.
enum KeyPathAccess {
    static func value(of object: NSManagedObject, keyPath: String) -> Any? {
        guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return object.value(forKey: keyPath) }
        return KeyPathWalk.value(of: object, path: KeyPathWalk.split(keyPath)[...])
    }
}
