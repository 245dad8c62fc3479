import SwiftSyntax
import SwiftSyntaxMacros

/// `@_PersistedProperty` and `@_TransformablePersistedProperty` by swift-syntax.
enum PersistedPropertyMacro {
    static func accessors(of variable: VariableDeclSyntax, isTransformable: Bool) -> String {
        guard let property = StoredProperty.all(in: variable).first else { return "" }
        let name = property.name
        let calls =
            isTransformable
            ? ["initializeTransformable", "transformableValue", "setTransformableValue"]
            : ["initialize", "value", "setValue"]
        let keyPath = "\\.\(property.identifier.text)"
        let handle =
            isTaken(name) ? "SwiftData.PersistentProperty(\"\(name)\", in: Self.self)" : "Self._$\(name).property"
        let setter = """
            set {
                _$backingData.\(calls[2])(newValue, of: \(handle), in: self, keyPath: \(keyPath))
            }
            """
        return """
            {
                @storageRestrictions(accesses: _$backingData, initializes: _\(name))
                init(initialValue) {
                    _$backingData.\(calls[0])(\(handle), to: initialValue)
                    _\(name) = _SwiftDataNoType()
                }
                get {
                    _$backingData.\(calls[1])(of: \(handle), in: self, keyPath: \(keyPath))
                }
                \(property.isConstant ? "" : setter)
            }
            """
    }

    /// Whether the handle would have the name of a member of the model.
    private static func isTaken(_ name: String) -> Bool { ["backingData", "observationRegistrar"].contains(name) }

    static func peers(of variable: VariableDeclSyntax, isInGenericType: Bool) -> String {
        guard let property = StoredProperty.all(in: variable).first else { return "" }
        let name = property.name
        let value = "@Transient private var _\(name): _SwiftDataNoType\(property.isOptional ? "?" : "")"
        if isTaken(name) { return value }
        let handle =
            isInGenericType
            ? "var _$\(name): SwiftData.PersistentProperty { SwiftData.PersistentProperty(\"\(name)\", in: Self.self) }"
            : "let _$\(name) = SwiftData.PersistentPropertyDeclaration(\"\(name)\")"
        return """
            \(value)
            @Transient private nonisolated static \(handle)
            """
    }
}

/// `@Attribute` and `@Relationship` by swift-syntax.
enum PropertyAttributeMacro {
    static func check(_ name: String, on variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
        let bindings = variable.bindings
        let problem: String? =
            if variable.modifiers.has(.static, .class) {
                "a type property"
            } else if bindings.contains(where: ModelMacro.isComputed) {
                "a computed property"
            } else {
                nil
            }
        if let problem { context.report("@\(name) cannot be applied to \(problem)", at: variable) }
    }
}

/// `@ModelActor` by swift-syntax.
enum ModelActorMacro {
    static func members(of declaration: DeclSyntax, in context: some MacroExpansionContext) -> String {
        guard let actor = declaration.as(ActorDeclSyntax.self) else {
            let name = declaration.asProtocol(NamedDeclSyntax.self)?.name.plainName ?? ""
            context.report("'@ModelActor' cannot be applied to non-actor type '\(name)'", at: declaration)
            return ""
        }
        let access = actor.modifiers.memberPrefix
        return """
            \(access)nonisolated let modelExecutor: any SwiftData.ModelExecutor
            \(access)nonisolated let modelContainer: SwiftData.ModelContainer
            \(access)init(modelContainer: SwiftData.ModelContainer) {
                let modelContext = SwiftData.ModelContext(modelContainer)
                self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext)
                self.modelContainer = modelContainer
            }
            """
    }

    static func extensionText(of declaration: DeclSyntax, named type: String) -> String {
        declaration.is(ActorDeclSyntax.self) ? "extension \(type): SwiftData.ModelActor {}" : ""
    }
}
