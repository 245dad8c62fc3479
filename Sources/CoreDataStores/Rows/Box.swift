// SPDX-License-Identifier: Apache-2.0

/// A Swift value as an object, for cells of objects.
@usableFromInline package class Box<Value>: @unchecked Sendable {
    @usableFromInline package final let value: Value

    @inlinable package init(_ value: Value) { self.value = value }
}

/// A transformable value that a program has set.
package final class TransformableBox: Box<Any>, @unchecked Sendable {
    /// The results of the calls that a save needs, made before it begins: while a store writes cells, no value
    /// transformer may change them.
    package struct SavedForm {
        /// The bytes that the store gets; nil for a store that gets the object.
        let data: Data?
        /// The committed value, and whether it is equal.
        let committed: AnyObject?
        let isEqual: Bool

        package init(data: Data?, committed: AnyObject?, isEqual: Bool) {
            self.data = data
            self.committed = committed
            self.isEqual = isEqual
        }
    }

    /// Set during a save, by the thread that saves, in a box that no other object has.
    package var savedForm: SavedForm?
}

/// The stored form of a transformable value, decoded at its first access.
///
/// All objects with the row share it, in all contexts, so the decoded value is never stored here.
package final class StoredTransformable: @unchecked Sendable {
    package let data: Data
    /// The classes that the archive may contain besides the classes that are always allowed.
    let trust: ArchiveTrust

    package init(_ data: Data, trust: ArchiveTrust = ArchiveTrust()) {
        self.data = data
        self.trust = trust
    }
}

/// A decoded transformable value of one object.
package final class DecodedTransformable {
    package let stored: StoredTransformable
    package let value: Any

    package init(stored: StoredTransformable, value: Any) {
        self.stored = stored
        self.value = value
    }
}
