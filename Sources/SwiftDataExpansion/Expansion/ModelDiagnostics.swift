// SPDX-License-Identifier: Apache-2.0

import SwiftDeclarations

/// The errors in a declaration with `@Model`, and notes about what the expansion leaves out.
enum ModelDiagnostics {
    /// - Parameter hasSuperclass: whether the class inherits from a model, and so perhaps properties.
    static func diagnostics(of model: ModelDeclaration, hasSuperclass: Bool = false) -> [MacroDiagnostic] {
        let name = model.type.name
        if let kind = kindsOfOtherTypes[model.type.kind] {
            return [
                MacroDiagnostic(message: "'@Model' cannot be applied to \(kind) type '\(name)'", offset: model.start)
            ]
        }
        var diagnostics: [MacroDiagnostic] = []
        if !model.hasInitializer {
            diagnostics.append(
                MacroDiagnostic(
                    message: "@Model requires an initializer be provided for '\(name)'", offset: model.start))
        }
        for property in model.transientProperties where !property.hasValue {
            diagnostics.append(
                MacroDiagnostic(
                    message:
                        "@Transient requires non-optional property '\(property.name)' to have a default value",
                    offset: property.offset))
        }
        for property in model.properties { diagnostics += problems(of: property, in: model) }
        for macro in hasSuperclass ? [] : model.indexes + model.constraints {
            for missing in model.missingNames(in: macro) {
                let message = "#\(macro.name) names '\(missing.name)', which is no property of '\(name)'"
                diagnostics.append(MacroDiagnostic(message: message, offset: missing.offset))
            }
        }
        return diagnostics
    }

    private static let kindsOfOtherTypes: [DeclaredType.Kind: String] = [
        .structure: "struct", .actor: "actor", .enumeration: "enumeration", .protocol: "protocol",
    ]

    private static func problems(of property: PersistedProperty, in model: ModelDeclaration) -> [MacroDiagnostic] {
        let binding = property.binding
        var diagnostics: [MacroDiagnostic] = []
        if let value = binding.valueRange, model.isImplicitMember(value) {
            diagnostics.append(
                MacroDiagnostic(
                    message: "A default value requires a fully qualified domain named value", offset: value.lowerBound))
        }
        if let type = binding.typeText, let kind = unsupportedKind(of: binding.type) {
            let message =
                "@Model cannot persist property '\(property.name)' of \(kind) '\(type)': mark it as @Transient"
            diagnostics.append(MacroDiagnostic(message: message, offset: binding.nameRange.lowerBound))
        }
        if binding.isObserved {
            let message =
                "@Model replaces the accessors of '\(property.name)': its willSet and didSet aren't called"
            diagnostics.append(
                MacroDiagnostic(message: message, severity: .note, offset: binding.nameRange.lowerBound))
        }
        return diagnostics
    }

    /// The kind of a type that is neither Codable nor a model.
    private static func unsupportedKind(of type: TypeSyntax?) -> String? {
        switch type?.unwrapped {
        case .other("metatype"): "metatype"
        case .other(let text) where text.contains("->"): "function type"
        case .other(let text) where text.hasPrefix("("): "tuple type"
        case .void: "tuple type"
        case .existential: "existential type"
        case .named where ["Any", "AnyObject"].contains(type?.unwrapped.simpleName): "type"
        default: nil
        }
    }
}
