/// A Swift value as an object, for cells that hold references.
final class Box<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A transformable value as the store has it, decoded when it is first read.
///
/// Shared by the objects of all contexts that hold the row, so the decoded value is never kept here.
final class StoredTransformable: @unchecked Sendable {
    let data: Data

    init(_ data: Data) { self.data = data }
}

/// What a stored transformable value was decoded to, for one object.
final class DecodedTransformable {
    let stored: StoredTransformable
    let value: Any

    init(stored: StoredTransformable, value: Any) {
        self.stored = stored
        self.value = value
    }
}
