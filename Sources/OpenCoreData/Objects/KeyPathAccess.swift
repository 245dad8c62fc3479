extension NSManagedObject: KeyValueCoding {}

/// Key paths from managed objects.
enum KeyPathAccess {
    static func value(of object: NSManagedObject, keyPath: String) -> Any? {
        guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return object.value(forKey: keyPath) }
        return KeyPathWalk.value(of: object, path: KeyPathWalk.split(keyPath)[...])
    }
}
