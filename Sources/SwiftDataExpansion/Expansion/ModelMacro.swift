// SPDX-License-Identifier: Apache-2.0

import SwiftDeclarations

/// `@Model`.
enum ModelMacro {
    static func members(of request: MacroRequest) -> MacroExpansion {
        guard let model = ModelDeclaration(request.declaration.text), model.type.kind != .enumeration else {
            return MacroExpansion(source: "")
        }
        let superclass = superclass(of: model, in: request)
        let diagnostics = ModelDiagnostics.diagnostics(of: model, hasSuperclass: superclass != nil)
        guard model.type.kind == .class else { return MacroExpansion(source: "", diagnostics: diagnostics) }
        return MacroExpansion(
            source: ModelTemplates(model: model, superclass: superclass).members,
            diagnostics: diagnostics)
    }

    /// The superclass, if it is a model: the class then conforms to `PersistentModel` already.
    private static func superclass(of model: ModelDeclaration, in request: MacroRequest) -> String? {
        guard !request.missingConformances.contains("PersistentModel"), !model.inheritsPersistentModel else {
            return nil
        }
        return model.firstInherited
    }

    static func attributes(of request: MacroRequest) -> MacroExpansion {
        let file = DeclarationScanner.declarations(
            of: LexedSource(SwiftSource(path: "", text: request.declaration.text)))
        // Other types get an error.
        if let type = request.context.first.flatMap({ ModelDeclaration($0.text) })?.type, type.kind != .class {
            return MacroExpansion(source: "")
        }
        // The variables of a nested type have a scope.
        guard let declaration = file.variables.first, declaration.scope.path.isEmpty,
            !PersistedProperty.properties(of: declaration).isEmpty
        else { return MacroExpansion(source: "") }
        let hasAttribute = ["_PersistedProperty", "_TransformablePersistedProperty"].contains {
            Marks.contains($0, in: declaration.marks)
        }
        guard !hasAttribute else { return MacroExpansion(source: "") }
        let attribute = Marks.find("Attribute", in: declaration.marks)
        return MacroExpansion(
            source: attribute?.isTransformable == true ? "@_TransformablePersistedProperty" : "@_PersistedProperty")
    }

    static func extensions(of request: MacroRequest) -> MacroExpansion {
        guard let model = ModelDeclaration(request.declaration.text) else { return MacroExpansion(source: "") }
        guard model.type.kind == .class else {
            // The compiler asks for no members of an enumeration.
            let isEnumeration = model.type.kind == .enumeration
            return MacroExpansion(
                source: "", diagnostics: isEnumeration ? ModelDiagnostics.diagnostics(of: model) : [])
        }
        return MacroExpansion(
            source: ModelTemplates.extensions(
                of: request.extendedType ?? model.name,
                conformances: request.missingConformances))
    }
}

extension DeclarationMark {
    /// Whether the options of an `@Attribute` have `.transformable(by:)`.
    var isTransformable: Bool {
        guard let argument else { return false }
        let lexed = LexedSource(SwiftSource(path: "", text: argument))
        return lexed.tokens.indices.dropFirst().contains {
            lexed.isWritten(lexed.tokens[$0], "transformable") && lexed.isWritten(lexed.tokens[$0 - 1], ".")
        }
    }
}
