// SPDX-License-Identifier: Apache-2.0

/// The macros by the names of their types in `#externalMacro`.
enum Macros {
    static func expand(_ request: MacroRequest) -> MacroExpansion {
        switch (request.type, request.role) {
        case ("PersistentModelMacro", .member): ModelMacro.members(of: request)
        case ("PersistentModelMacro", .memberAttribute): ModelMacro.attributes(of: request)
        case ("PersistentModelMacro", .extension): ModelMacro.extensions(of: request)
        case ("PersistedPropertyMacro", .accessor):
            PersistedPropertyMacro(kind: .plain).accessors(of: request)
        case ("TransformablePersistedPropertyMacro", .accessor):
            PersistedPropertyMacro(kind: .transformable).accessors(of: request)
        case ("PersistedPropertyMacro", .peer), ("TransformablePersistedPropertyMacro", .peer):
            PersistedPropertyMacro.peers(of: request)
        case ("PersistentModelActorMacro", .member): ModelActorMacro.members(of: request)
        case ("PersistentModelActorMacro", .extension): ModelActorMacro.extensions(of: request)
        case ("AttributePropertyMacro", .peer): PropertyAttribute.check("@Attribute", on: request)
        case ("RelationshipPropertyMacro", .peer): PropertyAttribute.check("@Relationship", on: request)
        // `@Transient` says something to `@Model` and has no expansion.
        default: MacroExpansion(source: "")
        }
    }
}
