// SPDX-License-Identifier: Apache-2.0

import SwiftDeclarations

/// `@ModelActor`.
enum ModelActorMacro {
    static func members(of request: MacroRequest) -> MacroExpansion {
        guard let type = type(of: request) else { return MacroExpansion(source: "") }
        guard type.kind == .actor else {
            let start = min(type.marks.first?.range.lowerBound ?? .max, type.keywordOffset)
            return MacroExpansion(
                source: "",
                diagnostics: [
                    MacroDiagnostic(
                        message: "'@ModelActor' cannot be applied to non-actor type '\(type.name)'", offset: start)
                ])
        }
        return MacroExpansion(source: ModelActorTemplates.members(access: type.access.memberPrefix))
    }

    static func extensions(of request: MacroRequest) -> MacroExpansion {
        guard let type = type(of: request), type.kind == .actor,
            request.missingConformances.contains("ModelActor")
        else { return MacroExpansion(source: "") }
        return MacroExpansion(source: ModelActorTemplates.extensionDeclaration(of: request.extendedType ?? type.name))
    }

    private static func type(of request: MacroRequest) -> DeclaredType? {
        DeclarationScanner.declarations(of: LexedSource(SwiftSource(path: "", text: request.declaration.text)))
            .types.first
    }
}
