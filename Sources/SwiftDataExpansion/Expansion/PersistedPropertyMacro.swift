// SPDX-License-Identifier: Apache-2.0

import SwiftDeclarations

/// `@_PersistedProperty` and `@_TransformablePersistedProperty`, which `@Model` adds to properties.
struct PersistedPropertyMacro {
    enum Kind { case plain, transformable }

    let kind: Kind

    func accessors(of request: MacroRequest) -> MacroExpansion {
        guard let property = Self.property(of: request) else { return MacroExpansion(source: "") }
        return MacroExpansion(source: PropertyTemplates(property: property).accessors(kind))
    }

    static func peers(of request: MacroRequest) -> MacroExpansion {
        guard let property = property(of: request) else { return MacroExpansion(source: "") }
        return MacroExpansion(
            source: PropertyTemplates(property: property).peers(isInGenericType: isInGenericType(request)))
    }

    /// The property that the macro is attached to. The compiler refuses a declaration of several properties.
    private static func property(of request: MacroRequest) -> PersistedProperty? {
        let file = DeclarationScanner.declarations(
            of: LexedSource(SwiftSource(path: "", text: request.declaration.text)))
        return file.variables.first.flatMap { PersistedProperty.properties(of: $0).first }
    }

    /// Whether a type around the property has generic parameters. It can't have stored type properties.
    private static func isInGenericType(_ request: MacroRequest) -> Bool {
        request.context.contains { fragment in
            DeclarationScanner.declarations(of: LexedSource(SwiftSource(path: "", text: fragment.text)))
                .types.first?.isGeneric ?? false
        }
    }
}
