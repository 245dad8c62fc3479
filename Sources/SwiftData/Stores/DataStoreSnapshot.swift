// SPDX-License-Identifier: Apache-2.0

/// The values of one model, as a custom store keeps them. ``DefaultSnapshot`` fits all models.
///
/// A snapshot encodes the values of attributes under their names, a relationship as the ``PersistentIdentifier`` of its
/// destination, and a to-many relationship as an array of identifiers. The container reads a snapshot by encoding it:
/// its keys are cases of ``DataStoreSnapshotCodingKey``, or any other keys with the names of properties.
public protocol DataStoreSnapshot: Decodable, Encodable, Sendable {
    /// The identifier of the model. It is temporary for a model that the store doesn't have yet.
    var persistentIdentifier: PersistentIdentifier { get }

    /// Makes the snapshot of a model.
    ///
    /// - Parameters:
    ///   - from: the values of the model.
    ///   - relatedBackingDatas: the values of related models, by their identifiers. The initializer may add the values
    ///     of models that have to be saved with this model.
    init(from: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

    /// The snapshot with another identifier, and with other identifiers in its relationships.
    ///
    /// - Parameters:
    ///   - persistentIdentifier: the identifier of the copy.
    ///   - remappedIdentifiers: the new identifiers by the identifiers that they replace.
    func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> Self
}

/// A value that a snapshot can contain.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// The keys of encoded snapshots.
public enum DataStoreSnapshotCodingKey: CodingKey {
    /// The identifier of the model.
    case persistentIdentifier
    /// A property of the model, by its name.
    case modeledProperty(String)

    /// Makes the key of a name: `persistentIdentifier`, or the name of a property.
    public init?(stringValue: String) {
        self = stringValue == "persistentIdentifier" ? .persistentIdentifier : .modeledProperty(stringValue)
    }

    /// The name of the key.
    public var stringValue: String {
        switch self {
        case .persistentIdentifier: "persistentIdentifier"
        case .modeledProperty(let name): name
        }
    }

    /// Nil: properties have names.
    public init?(intValue: Int) { nil }

    /// Nil: properties have names.
    public var intValue: Int? { nil }
}
