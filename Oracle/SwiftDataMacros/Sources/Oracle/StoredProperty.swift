import SwiftSyntax

/// A property that a store keeps.
struct StoredProperty {
    let variable: VariableDeclSyntax
    let binding: PatternBindingSyntax
    let identifier: TokenSyntax

    /// The properties of a declaration: not those with a getter, of the type, or with `@Transient`.
    static func all(in variable: VariableDeclSyntax) -> [StoredProperty] {
        guard !variable.modifiers.has(.static, .class), variable.attributes.macro("Transient") == nil else { return [] }
        return variable.bindings.compactMap { binding in
            guard !ModelMacro.isComputed(binding), let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
            else { return nil }
            return StoredProperty(variable: variable, binding: binding, identifier: pattern.identifier)
        }
    }

    var name: String { identifier.plainName }
    var isConstant: Bool { variable.bindingSpecifier.tokenKind == .keyword(.let) }
    var type: TypeSyntax? { binding.typeAnnotation?.type }
    var value: ExprSyntax? { binding.initializer?.value }
    var isOptional: Bool { type.map(Self.isOptional) ?? false }

    static func isOptional(_ type: TypeSyntax) -> Bool {
        if type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return true }
        if let attributed = type.as(AttributedTypeSyntax.self) { return isOptional(attributed.baseType) }
        return false
    }

    /// The value in a schema; nil for an implicit member, whose type the compiler can't infer there.
    var schemaValue: String {
        let text = value?.trimmedDescription ?? ""
        return hasImplicitMember || text.isEmpty ? "nil" : text
    }

    /// Whether the value begins with a dot.
    var hasImplicitMember: Bool { value?.firstToken(viewMode: .sourceAccurate)?.tokenKind == .period }

    var metadata: String {
        for case .attribute(let attribute) in variable.attributes {
            for kind in ["Attribute", "Relationship"]
            where [kind, "SwiftData.\(kind)"].contains(attribute.attributeName.trimmedDescription) {
                return "SwiftData.Schema.\(kind)(\(attribute.arguments?.trimmedDescription ?? ""))"
            }
        }
        return "nil"
    }

    /// The kind of a type that is neither Codable nor a model.
    var unsupportedKind: String? {
        guard var type else { return nil }
        while true {
            if let optional = type.as(OptionalTypeSyntax.self) {
                type = optional.wrappedType
            } else if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
                type = optional.wrappedType
            } else if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
                let element = tuple.elements.first, element.firstName == nil
            {
                type = element.type
            } else if let attributed = type.as(AttributedTypeSyntax.self) {
                type = attributed.baseType
            } else {
                break
            }
        }
        if type.is(FunctionTypeSyntax.self) { return "function type" }
        if type.is(TupleTypeSyntax.self) { return "tuple type" }
        if type.is(MetatypeTypeSyntax.self) { return "metatype" }
        if type.is(SomeOrAnyTypeSyntax.self) { return "existential type" }
        if let name = type.as(IdentifierTypeSyntax.self)?.name.text, ["Any", "AnyObject"].contains(name) {
            return "type"
        }
        return nil
    }
}
