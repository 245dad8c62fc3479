/// A Swift value as an object, for cells of objects.
final class Box<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The stored form of a transformable value, decoded at its first access.
///
/// All objects with the row share it, in all contexts, so the decoded value is never stored here.
final class StoredTransformable: @unchecked Sendable {
    let data: Data
    /// What the archive may contain besides the classes that are always allowed.
    let trust: ArchiveTrust

    init(_ data: Data, trust: ArchiveTrust = ArchiveTrust()) {
        self.data = data
        self.trust = trust
    }
}

/// A decoded transformable value of one object.
final class DecodedTransformable {
    let stored: StoredTransformable
    let value: Any

    init(stored: StoredTransformable, value: Any) {
        self.stored = stored
        self.value = value
    }
}
