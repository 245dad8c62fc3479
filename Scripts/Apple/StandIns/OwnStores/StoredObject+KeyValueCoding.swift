import CoreData

/// On Apple's platforms every object has key-value coding.
extension StoredObject {
    override func value(forKey key: String) -> Any? { storedValue(forKey: key) }
}
