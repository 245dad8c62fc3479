// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A property of a model class, as snapshots contain it.
struct SnapshotProperty {
    enum Kind {
        case attribute(Schema.Attribute?)
        case toOne
        case toMany
    }

    let name: String
    /// The type of the property, which may be optional.
    let type: any Any.Type
    let kind: Kind

    /// The properties of a class, the inherited ones first.
    static func all(of type: any PersistentModel.Type) -> [SnapshotProperty] {
        ModelMetadata.of(type).allProperties.map { SnapshotProperty($0) }
    }

    private init(_ property: Schema.PropertyMetadata) {
        name = property.name
        type = Swift.type(of: property.keypath).valueType
        let plain = TypeKind.unwrapped(type).type
        if plain is any PersistentModel.Type {
            kind = .toOne
        } else if plain is any RelationshipCollection.Type {
            kind = .toMany
        } else {
            kind = .attribute(property.metadata as? Schema.Attribute)
        }
    }

    private var options: [Schema.Attribute.Option] {
        if case .attribute(let attribute) = kind { attribute?.options ?? [] } else { [] }
    }

    private var transformer: ValueTransformer? {
        options.first { $0.kind == .transformable }?.transformerName.flatMap {
            ValueTransformer(forName: NSValueTransformerName($0))
        }
    }

    private var isTransformable: Bool { options.contains { $0.kind == .transformable } }

    // MARK: Reading models

    /// The value of a managed object, an identifier, or an array of identifiers; nil if there is none.
    func value(of object: ModelObject) -> Any? {
        guard let slot = object.layout.slot(named: name), !slot.isTransient else { return nil }
        switch kind {
        case .toOne: return object.relatedObject(slot).map { PersistentIdentifier($0.objectID) }
        case .toMany: return object.relatedObjects(slot).map { PersistentIdentifier($0.objectID) }
        case .attribute:
            guard let stored = object.slotValue(slot) else { return nil }
            guard !isTransformable else { return archived(stored) }
            return StoredValueDecoding.value(of: type, from: stored, named: name)
        }
    }

    private func archived(_ value: Any) -> ArchivedSnapshotValue? {
        if let data = value as? Data, transformer == nil { return ArchivedSnapshotValue(data: data) }
        let isReader = transformer is NSSecureUnarchiveFromDataTransformer
        let data = isReader ? transformer?.reverseTransformedValue(value) : transformer?.transformedValue(value)
        guard let data = data as? Data else {
            CoreDataLog.error("The value transformer of '\(name)' makes no data of a \(Swift.type(of: value)).")
            return nil
        }
        return ArchivedSnapshotValue(data: data)
    }

    // MARK: Writing models

    /// The value of an attribute in the form of Core Data; nil for nil.
    ///
    /// - Throws: a value of another type than the property has.
    func stored(_ value: Any) throws -> Any? {
        guard let value = AnyValues.unwrapped(value) else { return nil }
        if isTransformable {
            guard let archive = value as? ArchivedSnapshotValue else { throw misfit(value) }
            guard let transformer else { return archive.data }
            let isReader = transformer is NSSecureUnarchiveFromDataTransformer
            let object =
                isReader
                ? transformer.transformedValue(archive.data) : transformer.reverseTransformedValue(archive.data)
            guard let object else { throw misfit(value) }
            return object
        }
        let typed = try self.typed(value)
        switch try StoredForm(of: type, options: options, named: name) {
        case .plain(let kind): return PlainValues.stored(typed, kind)
        case .composite:
            guard let encodable = typed as? any Encodable else { throw misfit(value) }
            return try CompositeEncoding.dictionary(of: encodable, named: name)
        case .archived: return ArchivedCollections.object(of: typed)
        case .encoded:
            guard let encodable = typed as? any Encodable else { throw misfit(value) }
            return try JSONForm.data(of: encodable)
        case .transformable: throw misfit(value)
        }
    }

    /// The value, converted to the property's type. A snapshot may have a value of another type, if both types are
    /// encoded alike.
    private func typed(_ value: Any) throws -> Any {
        let type = TypeKind.unwrapped(type).type
        if let typed = AnyValues.conforming(value, to: type) { return typed }
        guard let encodable = value as? any Encodable, let decodable = type as? any Decodable.Type,
            let data = try? JSONForm.data(of: encodable), let typed = try? JSONForm.value(of: decodable, in: data)
        else { throw misfit(value) }
        return typed
    }

    private func misfit(_ value: Any) -> SwiftDataError {
        SwiftDataError(
            .modelValidationFailure,
            "A snapshot has for '\(name)' a value of \(Swift.type(of: value)) in place of one of \(type).")
    }

    // MARK: Coding

    /// The value in an encoded snapshot; nil for none.
    func decode(from container: KeyedDecodingContainer<DataStoreSnapshotCodingKey>) throws -> Any? {
        let key = DataStoreSnapshotCodingKey.modeledProperty(name)
        guard container.contains(key), try !container.decodeNil(forKey: key) else { return nil }
        switch kind {
        case .toOne: return try container.decode(PersistentIdentifier.self, forKey: key)
        case .toMany: return try container.decode([PersistentIdentifier].self, forKey: key)
        case .attribute:
            if isTransformable { return try container.decode(ArchivedSnapshotValue.self, forKey: key) }
            guard let type = TypeKind.unwrapped(type).type as? any Decodable.Type else { return nil }
            return try decode(type, key, container)
        }
    }

    private func decode<T: Decodable>(
        _ type: T.Type, _ key: DataStoreSnapshotCodingKey,
        _ container: KeyedDecodingContainer<DataStoreSnapshotCodingKey>
    ) throws -> Any { try container.decode(T.self, forKey: key) }
}

/// The data that the transformer of a transformable attribute makes of its value.
struct ArchivedSnapshotValue: Codable, Sendable {
    let data: Data

    init(data: Data) { self.data = data }

    init(from decoder: any Decoder) throws { data = try decoder.singleValueContainer().decode(Data.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }
}
