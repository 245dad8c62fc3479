import SwiftSyntax
import SwiftSyntaxMacros

/// `@Model` by swift-syntax.
enum ModelMacro: MemberMacro, MemberAttributeMacro, ExtensionMacro {
    // MARK: Members

    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        guard !declaration.is(EnumDeclSyntax.self) else { return [] }
        let inherited = declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []
        let isDeclared = inherited.contains { lastName($0) == "PersistentModel" }
        let isMissing = protocols.contains { lastName($0) == "PersistentModel" }
        let superclass = isMissing || isDeclared ? nil : inherited.first?.trimmedDescription
        guard report(declaration, hasSuperclass: superclass != nil, in: context),
            let model = declaration.as(ClassDeclSyntax.self)
        else { return [] }
        return members(of: model, superclass: superclass)
    }

    private static func lastName(_ type: TypeSyntax) -> String? {
        type.as(IdentifierTypeSyntax.self)?.name.text ?? type.as(MemberTypeSyntax.self)?.name.text
    }

    private static func members(of model: ClassDeclSyntax, superclass: String?) -> [DeclSyntax] {
        let name = model.name.text
        let access = model.modifiers.memberPrefix
        let open = model.modifiers.has(.open) ? "open " : access
        let entries = entries(of: model, hasSuperclass: superclass != nil)
        var members: [DeclSyntax] = [
            """
            @Transient @exclusivity(unchecked) nonisolated(unsafe) private var _$backingData = \
            SwiftData.ManagedBackingData<\(raw: name)>()
            """
        ]
        if let superclass {
            members.append(
                """
                \(raw: open)override var persistentBackingData: any SwiftData.BackingData<\(raw: superclass).Root> {
                    get {
                        if let merged = _$backingData.merged(with: super.persistentBackingData, of: self) {
                            super.persistentBackingData = merged
                        }
                        return super.persistentBackingData
                    }
                    set {
                        super.persistentBackingData = newValue
                        _$backingData = SwiftData.ManagedBackingData(newValue)
                    }
                }
                """)
        } else {
            members.append(
                """
                \(raw: open)var persistentBackingData: any SwiftData.BackingData<\(raw: name)> {
                    get { _$backingData.backingData(of: self) }
                    set { _$backingData = SwiftData.ManagedBackingData(newValue) }
                }
                """)
        }
        let isFinal = model.modifiers.has(.final)
        let kind = superclass != nil ? "\(open)override class" : isFinal ? "\(access)static" : "\(open)class"
        members.append(
            """
            \(raw: kind) var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
            \(raw: schemaBody(entries))
            }
            """)
        let required = isFinal && superclass == nil ? "" : "required "
        let root = superclass.map { "\($0).Root" } ?? name
        let assignments = entries.compactMap { entry in
            entry.peer.map { entry.conditions.wrap("    \($0) = _SwiftDataNoType()") }
        }
        members.append(
            """
            \(raw: required)\(raw: access)init(backingData: any SwiftData.BackingData<\(raw: root)>) {
            \(raw: assignments.joined(separator: "\n"))
                _$backingData = SwiftData.ManagedBackingData(backingData)
                \(raw: superclass == nil ? "" : "super.init(backingData: backingData)")
            }
            """)
        if superclass == nil {
            members.append(
                """
                @Transient internal nonisolated var _$observationRegistrar: Observation.ObservationRegistrar {
                    _$backingData.observationRegistrar(of: self)
                }
                """)
        }
        members += [
            """
            internal nonisolated func access<_M>(keyPath: KeyPath<\(raw: name), _M>) {
                _$backingData.access(self, keyPath: keyPath)
            }
            """,
            """
            internal nonisolated func withMutation<_M, _MR>(
                keyPath: KeyPath<\(raw: name), _M>, _ mutation: () throws -> _MR
            ) rethrows -> _MR {
                try _$backingData.withMutation(of: self, keyPath: keyPath, mutation)
            }
            """,
            "struct _SwiftDataNoType {}",
        ]
        return members
    }

    // MARK: Schema

    /// An element of the schema, with the `#if` conditions around it.
    private struct Entry {
        let conditions: Conditions
        let text: String
        /// The peer of a property.
        var peer: String?
    }

    private static func entries(of model: ClassDeclSyntax, hasSuperclass: Bool) -> [Entry] {
        let name = model.name.text
        let members = ConditionalMember.all(in: model.memberBlock.members)
        let properties = members.flatMap { member -> [Entry] in
            guard let variable = member.declaration.as(VariableDeclSyntax.self) else { return [] }
            return StoredProperty.all(in: variable).map { property in
                Entry(
                    conditions: member.conditions,
                    text: """
                        SwiftData.Schema.PropertyMetadata(name: "\(property.name)", \
                        keypath: \\\(name).\(property.identifier.text), defaultValue: \(property.schemaValue), \
                        metadata: \(property.metadata))
                        """, peer: "_\(property.name)")
            }
        }
        let known = hasSuperclass ? nil : names(members)
        return properties + macros("Index", of: name, members, known) + macros("Unique", of: name, members, known)
    }

    /// The names of all variables.
    private static func names(_ members: [ConditionalMember]) -> Set<String> {
        Set(
            members.flatMap { member in
                (member.declaration.as(VariableDeclSyntax.self)?.bindings).map(Array.init) ?? []
            }.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName })
    }

    /// The names in key paths of a macro that aren't known.
    private static func missing(
        in macro: MacroExpansionDeclSyntax, of model: String, _ known: Set<String>
    ) -> [TokenSyntax] {
        let visitor = KeyPathNames(model: model)
        visitor.walk(macro.arguments)
        return visitor.names.filter { !known.contains($0.plainName) }
    }

    private final class KeyPathNames: SyntaxVisitor {
        private let model: String
        private(set) var names: [TokenSyntax] = []

        init(model: String) {
            self.model = model
            super.init(viewMode: .sourceAccurate)
        }

        override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
            guard node.root.map({ $0.as(IdentifierTypeSyntax.self)?.name.plainName == model }) ?? true,
                case .property(let property)? = node.components.first?.component
            else { return .visitChildren }
            names.append(property.declName.baseName)
            return .visitChildren
        }
    }

    private static func macros(
        _ kind: String, of name: String, _ members: [ConditionalMember], _ known: Set<String>?
    ) -> [Entry] {
        members.compactMap { member in
            guard let macro = member.declaration.as(MacroExpansionDeclSyntax.self), macro.macroName.text == kind,
                known.map({ missing(in: macro, of: TokenSyntax.identifier(name).plainName, $0).isEmpty }) ?? true
            else { return nil }
            let generics = macro.genericArgumentClause?.trimmedDescription ?? "<\(name)>"
            return Entry(
                conditions: member.conditions,
                text: """
                    SwiftData.Schema.PropertyMetadata(name: "SwiftData.Schema.\(kind)", \
                    keypath: \\SwiftData.Schema.encodingVersion, defaultValue: nil, \
                    metadata: SwiftData.Schema.\(kind)\(generics)(\(macro.arguments.trimmedDescription)))
                    """)
        }
    }

    private static func schemaBody(_ entries: [Entry]) -> String {
        let plain = entries.prefix { $0.conditions.isEmpty }.map(\.text).joined(separator: ",\n")
        let rest = entries.drop { $0.conditions.isEmpty }
        guard !rest.isEmpty else { return "return [\n\(plain)\n]" }
        let appended = rest.map { $0.conditions.wrap("properties.append(\($0.text))") }.joined(separator: "\n")
        return """
            var properties: [SwiftData.Schema.PropertyMetadata] = [
            \(plain)
            ]
            \(appended)
            return properties
            """
    }

    // MARK: Errors

    /// False for a type that can't be a model.
    private static func report(
        _ declaration: some DeclGroupSyntax, hasSuperclass: Bool = false, in context: some MacroExpansionContext
    ) -> Bool {
        let kind: String? =
            declaration.is(StructDeclSyntax.self)
            ? "struct"
            : declaration.is(ActorDeclSyntax.self)
                ? "actor"
                : declaration.is(EnumDeclSyntax.self)
                    ? "enumeration" : declaration.is(ProtocolDeclSyntax.self) ? "protocol" : nil
        let name = declaration.asProtocol(NamedDeclSyntax.self)?.name.plainName ?? ""
        if let kind {
            context.report("'@Model' cannot be applied to \(kind) type '\(name)'", at: declaration)
            return false
        }
        let members = ConditionalMember.all(in: declaration.memberBlock.members)
        if !members.contains(where: { $0.declaration.is(InitializerDeclSyntax.self) }) {
            context.report("@Model requires an initializer be provided for '\(name)'", at: declaration)
        }
        let variables = members.compactMap { $0.declaration.as(VariableDeclSyntax.self) }
        for variable in variables where variable.attributes.macro("Transient") != nil {
            reportTransient(variable, in: context)
        }
        for property in variables.flatMap(StoredProperty.all) {
            if property.hasImplicitMember, let value = property.value {
                context.report("A default value requires a fully qualified domain named value", at: value)
            }
            if let kind = property.unsupportedKind, let type = property.type {
                let text = type.tokens(viewMode: .sourceAccurate).enumerated().map { index, token in
                    (index > 0 && followsSpace(token) ? " " : "") + token.text
                }.joined()
                context.report(
                    "@Model cannot persist property '\(property.name)' of \(kind) '\(text)': mark it as @Transient",
                    at: property.binding.pattern)
            }
            if property.binding.accessorBlock != nil {
                context.report(
                    "@Model replaces the accessors of '\(property.name)': its willSet and didSet aren't called",
                    at: property.binding.pattern, severity: .note)
            }
        }
        guard !hasSuperclass else { return true }
        let known = names(members)
        for kind in ["Index", "Unique"] {
            for macro in members.compactMap({ $0.declaration.as(MacroExpansionDeclSyntax.self) })
            where macro.macroName.text == kind {
                for token in missing(in: macro, of: name, known) {
                    context.report("#\(kind) names '\(token.plainName)', which is no property of '\(name)'", at: token)
                }
            }
        }
        return true
    }

    private static func followsSpace(_ token: TokenSyntax) -> Bool {
        !token.leadingTrivia.isEmpty
            || !(token.previousToken(viewMode: .sourceAccurate)?.trailingTrivia.isEmpty ?? true)
    }

    private static func reportTransient(_ variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
        guard variable.bindingSpecifier.tokenKind == .keyword(.var), !variable.modifiers.has(.static, .class) else {
            return
        }
        for binding in variable.bindings {
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self), binding.initializer == nil,
                !isComputed(binding), !(binding.typeAnnotation.map { StoredProperty.isOptional($0.type) } ?? false)
            else { continue }
            context.report(
                "@Transient requires non-optional property '\(pattern.identifier.plainName)' to have a default value",
                at: variable)
        }
    }

    static func isComputed(_ binding: PatternBindingSyntax) -> Bool {
        guard let accessors = binding.accessorBlock?.accessors else { return false }
        guard case .accessors(let list) = accessors else { return true }
        return list.contains { ![.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
    }

    // MARK: Attributes and extensions

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> [AttributeSyntax] {
        guard declaration.is(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self),
            !StoredProperty.all(in: variable).isEmpty,
            ["_PersistedProperty", "_TransformablePersistedProperty"].allSatisfy({
                variable.attributes.macro($0) == nil
            })
        else { return [] }
        let options = variable.attributes.macro("Attribute")?.arguments?.tokens(viewMode: .sourceAccurate)
        let isTransformable = options?.contains { token in
            token.text == "transformable" && token.previousToken(viewMode: .sourceAccurate)?.tokenKind == .period
        }
        return [isTransformable ?? false ? "@_TransformablePersistedProperty" : "@_PersistedProperty"]
    }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self) else {
            if declaration.is(EnumDeclSyntax.self) { _ = report(declaration, in: context) }
            return []
        }
        let names = protocols.map(lastName)
        let message = """
            PersistentModels are not Sendable, consider utilizing a ModelActor or use \(type.trimmedDescription)'s \
            persistentModelID instead
            """
        var extensions: [ExtensionDeclSyntax] = []
        if names.contains("PersistentModel") {
            extensions.append(
                try ExtensionDeclSyntax("extension \(type.trimmed): nonisolated SwiftData.PersistentModel {}"))
        }
        if names.contains("Observable") {
            extensions.append(
                try ExtensionDeclSyntax("extension \(type.trimmed): nonisolated Observation.Observable {}"))
        }
        if names.contains("Sendable") {
            extensions.append(
                try ExtensionDeclSyntax(
                    """
                    @available(swift, deprecated: 5.9, message: "\(raw: message)")
                    @available(*, unavailable, message: "\(raw: message)")
                    extension \(type.trimmed): Sendable {}
                    """))
        }
        return extensions
    }
}
