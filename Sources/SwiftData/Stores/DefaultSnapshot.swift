// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The values of one model of any class. A ``DefaultStore`` and most custom stores use this snapshot.
///
/// A snapshot is encoded as an object with the identifier, and with the properties under their names. Decoding finds
/// the class by the name of the entity, in the schemas of the program's containers.
public struct DefaultSnapshot: DataStoreSnapshot, @unchecked Sendable {
    // Sendable: the values are never changed.
    /// The identifier of the model.
    public let persistentIdentifier: PersistentIdentifier

    /// The values by the names of properties: attribute values, identifiers, arrays of identifiers.
    let values: [String: Any]

    init(_ persistentIdentifier: PersistentIdentifier, _ values: [String: Any]) {
        self.persistentIdentifier = persistentIdentifier
        self.values = values
    }

    /// Makes the snapshot of a model.
    ///
    /// - Parameters:
    ///   - backingData: the values of the model, as ``ManagedBackingData``.
    ///   - relatedBackingDatas: the initializer adds the related models with unsaved changes.
    public init(
        from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
    ) {
        guard let object = backingData.modelStorage?.object else {
            programmingError(
                "A snapshot is made of backing data that is no ManagedBackingData.",
                remedy: "Use the persistentBackingData of a model.")
        }
        self.init(object)
        for slot in object.layout.properties where slot.isRelationship {
            for other in object.related(by: slot.name) where other.hasChanges {
                let identifier = PersistentIdentifier(other.objectID)
                if relatedBackingDatas[identifier] == nil { relatedBackingDatas[identifier] = other.backingData }
            }
        }
    }

    init(_ object: ModelObject) {
        var values: [String: Any] = [:]
        for property in SnapshotProperty.all(of: object.modelType) {
            values[property.name] = property.value(of: object)
        }
        self.init(PersistentIdentifier(object.objectID), values)
    }

    /// The snapshot with another identifier, and with other identifiers in its relationships.
    ///
    /// - Parameters:
    ///   - persistentIdentifier: the identifier of the copy.
    ///   - remappedIdentifiers: the new identifiers by the identifiers that they replace.
    public func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = [:]
    ) -> DefaultSnapshot {
        guard let remappedIdentifiers, !remappedIdentifiers.isEmpty else {
            return DefaultSnapshot(persistentIdentifier, values)
        }
        return DefaultSnapshot(
            persistentIdentifier,
            values.mapValues { value in
                if let one = value as? PersistentIdentifier { return remappedIdentifiers[one] ?? one }
                if let many = value as? [PersistentIdentifier] { return many.map { remappedIdentifiers[$0] ?? $0 } }
                return value
            })
    }

    // MARK: Coding

    /// Decodes a snapshot.
    ///
    /// - Throws: a `DecodingError` for a value of another type, and for an entity that no container of the program has.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        persistentIdentifier = try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)
        let entity = persistentIdentifier.entityName
        guard let type = KnownSchemas.type(ofEntity: entity) else {
            throw DecodingError.dataCorruptedError(
                forKey: .persistentIdentifier, in: container,
                debugDescription: "No container of the program has a model named '\(entity)'.")
        }
        var values: [String: Any] = [:]
        for property in SnapshotProperty.all(of: type) {
            values[property.name] = try property.decode(from: container)
        }
        self.values = values
    }

    /// Encodes the snapshot.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let value = value as? any Encodable else { continue }
            try container.encode(value, forKey: .modeledProperty(name))
        }
    }
}

extension ModelObject {
    /// The backing data with this managed object.
    var backingData: any BackingData { Self.backingData(self, of: modelType) }

    private static func backingData<Model: PersistentModel>(_ object: ModelObject, of type: Model.Type)
        -> any BackingData
    { ManagedBackingData<Model>(object) }
}
