// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject: KeyValueCoding {}

// A member of the class itself would keep a program's classes and extensions from declaring the same subscript.
extension KeyValueCoding where Self: NSManagedObject {
    /// The value of a property: `value(forKey:)` and `setValue(_:forKey:)`. **Extension.**
    ///
    /// - Parameter key: the property.
    public subscript(key: String) -> Any? {
        get { value(forKey: key) }
        nonmutating set { setValue(newValue, forKey: key) }
    }
}

// A predicate may compare an object with an ID: they are equal if the ID is the object's.
extension NSManagedObject: ComparableByIdentity {
    package var comparisonIdentity: NSObject { objectID }
}

// Its first save gives an object another ID; an ID never changes.
extension NSManagedObject: StableIdentity {
    package var isIdentityStable: Bool { !objectID.isTemporaryID }
}

extension NSManagedObjectID: StableIdentity {
    package var isIdentityStable: Bool { true }
}

extension NSManagedObject: KeyPathInspecting {
    package func crossesToManyRelationship(_ path: ArraySlice<String>) -> Bool {
        entity.crossesToManyRelationship(path)
    }
}

/// Key paths from managed objects.
enum KeyPathAccess {
    static func value(of object: NSManagedObject, keyPath: String) -> Any? {
        guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return object.value(forKey: keyPath) }
        return KeyPathEvaluation.value(of: object, path: KeyPathEvaluation.split(keyPath)[...])
    }
}
