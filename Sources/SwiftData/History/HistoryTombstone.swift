// SPDX-License-Identifier: Apache-2.0

/// The values of a deleted model whose attributes have the option `.preserveValueOnDeletion`.
///
/// ```swift
/// for case .delete(let change as any HistoryDelete<Recipe>) in transaction.changes {
///     server.delete(title: change.tombstone[\.title] as? String)
/// }
/// ```
///
/// As a sequence, a tombstone has the values in the order of the attributes' names.
public struct HistoryTombstone<Model>: Sequence, @unchecked Sendable where Model: PersistentModel {
    // Sendable: the values are never changed.
    /// A preserved value.
    public typealias Element = Any

    private let values: [String: Any]

    /// - Parameter stored: the values in the form of Core Data, by the names of attributes.
    init(_ stored: [String: Any]) {
        let metadata = ModelMetadata.of(Model.self)
        var values: [String: Any] = [:]
        for (name, value) in stored {
            guard let property = metadata.property(named: name) else { continue }
            let type = Swift.type(of: property.keypath).valueType
            values[name] = StoredValueDecoding.value(of: type, from: value, named: name)
        }
        self.values = values
    }

    /// The value of an attribute; nil if it had none, or if it isn't preserved.
    ///
    /// - Parameter keyPath: the attribute.
    public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
        ModelKeyPaths.name(of: keyPath).flatMap { values[$0] }.map { AnyValues.sendable($0) }
    }

    /// Makes an iterator over the values.
    public func makeIterator() -> Iterator { Iterator(values.sorted { $0.key < $1.key }.map(\.value)) }

    /// The iterator over the values of a deleted model.
    public struct Iterator: IteratorProtocol {
        /// A preserved value.
        public typealias Element = Any

        private var rest: ArraySlice<Any>

        init(_ values: [Any]) { rest = values[...] }

        /// The next value; nil at the end.
        public mutating func next() -> Any? { rest.popFirst() }
    }
}

extension AnyValues {
    /// A value that is known to be safe to send: never changed, or a value type. The two existential types have the
    /// same representation, as `Sendable` has no requirements, and no cast leads from one to the other.
    static func sendable(_ value: Any) -> any Sendable {
        withUnsafePointer(to: value) {
            UnsafeRawPointer($0).assumingMemoryBound(to: (any Sendable).self).pointee
        }
    }
}
