// SPDX-License-Identifier: Apache-2.0

/// A part of an entity: an attribute, a relationship, a set of unique constraints or of indexes.
public protocol SchemaProperty: Decodable, Encodable, Hashable {
    /// The name of the property.
    var name: String { get set }
    /// The name that the property had in an earlier version of the schema; the name itself if it was not renamed.
    var originalName: String { get set }
    /// The type of the property's value.
    var valueType: any Any.Type { get set }
    /// Whether the property is an attribute.
    var isAttribute: Bool { get }
    /// Whether the property is a relationship.
    var isRelationship: Bool { get }
    /// Whether the property is not saved.
    var isTransient: Bool { get }
    /// Whether the property may have no value.
    var isOptional: Bool { get }
    /// Whether no two models may have the same value.
    var isUnique: Bool { get }
}

extension SchemaProperty {
    /// False: only attributes are attributes.
    public var isAttribute: Bool { false }
    /// False: only relationships are relationships.
    public var isRelationship: Bool { false }
    /// Whether the type of the value is an optional one.
    public var isOptional: Bool { valueType is any OptionalType.Type }
    /// False: properties are saved.
    public var isTransient: Bool { false }
}
