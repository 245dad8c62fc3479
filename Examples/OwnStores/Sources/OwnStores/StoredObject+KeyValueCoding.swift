import CoreData

/// Predicates and sort descriptors read the values by their keys.
extension StoredObject: KeyValueCoding {
    func value(forKey key: String) -> Any? { storedValue(forKey: key) }
}
