// SPDX-License-Identifier: Apache-2.0

import SwiftDeclarations

/// `@Attribute` and `@Relationship`, which `@Model` reads. They have no expansion.
enum PropertyAttribute {
    /// Reports an attribute on a declaration that no store keeps.
    static func check(_ name: String, on request: MacroRequest) -> MacroExpansion {
        let file = DeclarationScanner.declarations(
            of: LexedSource(SwiftSource(path: "", text: request.declaration.text)))
        var expansion = MacroExpansion(source: "")
        guard let declaration = file.variables.first else { return expansion }
        let problem: String? =
            if declaration.isTypeMember {
                "a type property"
            } else if declaration.bindings.contains(where: { $0.isComputed }) {
                "a computed property"
            } else {
                nil
            }
        if let problem {
            let offset = declaration.marks.first?.range.lowerBound ?? declaration.keywordOffset
            expansion.diagnostics.append(
                MacroDiagnostic(message: "\(name) cannot be applied to \(problem)", offset: offset))
        }
        return expansion
    }
}
