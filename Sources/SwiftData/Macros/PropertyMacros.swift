// SPDX-License-Identifier: Apache-2.0

/// Describes the storage of a property.
///
/// - Parameters:
///   - options: `.unique`, `.externalStorage`, `.transformable(by:)` and other options.
///   - originalName: the property's name in an earlier version of the schema.
///   - hashModifier: a text that makes the property differ from an equal one of another version.
@attached(peer)
public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "AttributePropertyMacro")

/// Describes the relationship of a property to other models.
///
/// - Parameters:
///   - options: `.unique`.
///   - deleteRule: the effect on the other models when the owner is deleted.
///   - minimumModelCount: the smallest number of models.
///   - maximumModelCount: the largest number of models; 0 means any number.
///   - originalName: the property's name in an earlier version of the schema.
///   - inverse: the property of the other model that refers back.
///   - hashModifier: a text that makes the property differ from an equal one of another version.
@attached(peer)
public macro Relationship(
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
    inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "RelationshipPropertyMacro")

/// Excludes a stored property from the store.
///
/// A property that isn't optional needs a default value.
@attached(peer)
public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "TransientPropertyMacro")

/// The accessors of a persisted property. ``Model()`` adds this macro.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_), prefixed(_$))
public macro _PersistedProperty() = #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

/// The accessors of a persisted property with a value transformer. ``Model()`` adds this macro.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_), prefixed(_$))
public macro _TransformablePersistedProperty() =
    #externalMacro(module: "SwiftDataMacros", type: "TransformablePersistedPropertyMacro")
