// SPDX-License-Identifier: Apache-2.0

/// A Swift value as an object, for cells of objects.
@usableFromInline package final class Box<Value>: @unchecked Sendable {
    @usableFromInline package let value: Value

    @inlinable package init(_ value: Value) { self.value = value }
}

/// The stored form of a transformable value, decoded at its first access.
///
/// All objects with the row share it, in all contexts, so the decoded value is never stored here.
package final class StoredTransformable: @unchecked Sendable {
    package let data: Data
    /// The classes that the archive may contain besides those that are always allowed.
    package let trust: ArchiveTrust

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
