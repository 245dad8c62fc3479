// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// **Extension.** The values of a model at one time, which may be sent to any task or thread.
///
/// ```swift
/// let snapshot = ModelSnapshot(recipe)
/// Task.detached { print(snapshot.title, snapshot.ingredients.count) }
/// ```
///
/// The snapshot has a property for each property of the model, under the same name. A relationship is the identifier of
/// its destination, or an array of identifiers.
@dynamicMemberLookup
public struct ModelSnapshot<Model: PersistentModel>: Identifiable, @unchecked Sendable {
    // Sendable: the values are never changed.
    /// The identifier of the model.
    public let persistentModelID: PersistentIdentifier
    private let values: [String: Any]

    /// The identifier of the model.
    public var id: PersistentIdentifier { persistentModelID }

    /// Copies the values of a model.
    ///
    /// - Parameter model: the model. Call the initializer where the model's context is used.
    public init(_ model: Model) {
        let snapshot = DefaultSnapshot(model.storage.object)
        persistentModelID = snapshot.persistentIdentifier
        values = snapshot.values
    }

    /// The value of an attribute. Stops the program for a key path that leads to no stored attribute of the model.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Model, Value>) -> Value {
        let name = ModelKeyPaths.name(of: keyPath)
        if let value = AnyValues.cast(name.flatMap { values[$0] }, to: Value.self) { return value }
        if let name, let value = ModelMetadata.of(Model.self).property(named: name)?.defaultValue as? Value {
            return value
        }
        if name != nil, let decodable = Value.self as? any Decodable.Type,
            let sample = try? SampleValue().anyValue(of: decodable) as? Value
        {
            return sample
        }
        programmingError(
            "The snapshot of a \(Model.self) has no value for \(keyPath).",
            remedy: "Read an attribute of the model that is stored.")
    }

    /// The identifier of a relationship's destination; nil for none.
    public subscript<Other: PersistentModel>(dynamicMember keyPath: KeyPath<Model, Other?>) -> PersistentIdentifier? {
        identifiers(keyPath).first
    }

    /// The identifier of the destination of a relationship that always has one; nil if it is missing.
    public subscript<Other: PersistentModel>(dynamicMember keyPath: KeyPath<Model, Other>) -> PersistentIdentifier? {
        identifiers(keyPath).first
    }

    /// The identifiers of the models of a to-many relationship.
    public subscript<Others: RelationshipCollection>(dynamicMember keyPath: KeyPath<Model, Others>)
        -> [PersistentIdentifier]
    { identifiers(keyPath) }

    private func identifiers(_ keyPath: PartialKeyPath<Model>) -> [PersistentIdentifier] {
        switch ModelKeyPaths.name(of: keyPath).flatMap({ values[$0] }) {
        case let one as PersistentIdentifier: [one]
        case let many as [PersistentIdentifier]: many
        default: []
        }
    }
}
