import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// Expands all macros of a file twice, by swift-syntax and by the plugin, and compares the tokens and the errors.
final class Comparison: SyntaxVisitor {
    private(set) var declarations = 0
    private(set) var expansions = 0
    private(set) var differences: [String] = []

    private let plugin: PluginClient
    private let path: String
    private var models: Set<String> = []
    /// The types around a declaration, outermost first.
    private var enclosing: [DeclSyntax] = []

    init(plugin: PluginClient, path: String) {
        self.plugin = plugin
        self.path = path
        super.init(viewMode: .sourceAccurate)
    }

    func compare(_ text: String) {
        let file = Parser.parse(source: text)
        let names = ModelNames(viewMode: .sourceAccurate)
        names.walk(file)
        models = names.names
        walk(file)
    }

    // MARK: Types

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enclosing.append(DeclSyntax(node))
        return .visitChildren
    }
    override func visitPost(_ node: ClassDeclSyntax) { enclosing.removeLast() }
    override func visitPost(_ node: StructDeclSyntax) { enclosing.removeLast() }
    override func visitPost(_ node: ActorDeclSyntax) { enclosing.removeLast() }
    override func visitPost(_ node: EnumDeclSyntax) { enclosing.removeLast() }
    override func visitPost(_ node: ExtensionDeclSyntax) { enclosing.removeLast() }

    private func enter(_ node: some DeclGroupSyntax & NamedDeclSyntax) -> SyntaxVisitorContinueKind {
        if let attribute = node.attributes.macro("Model") { compareModel(node, attribute) }
        if let attribute = node.attributes.macro("ModelActor") { compareActor(node, attribute) }
        enclosing.append(DeclSyntax(node))
        return .visitChildren
    }

    private func qualifiedName(_ node: some NamedDeclSyntax) -> String {
        let outer = enclosing.map { declaration in
            declaration.asProtocol(NamedDeclSyntax.self)?.name.text
                ?? declaration.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription ?? ""
        }
        return (outer + [node.name.text]).joined(separator: ".")
    }

    private func compareModel(_ node: some DeclGroupSyntax & NamedDeclSyntax, _ attribute: AttributeSyntax) {
        declarations += 1
        let first = node.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription.prefix { $0 != "<" }
        let isSubclass = first.map { models.contains(String($0.split(separator: ".").last ?? "")) } ?? false
        let missing: [TypeSyntax] = isSubclass ? [] : ["Observable", "PersistentModel", "Sendable"]
        let name = qualifiedName(node)
        expand("PersistentModelMacro", "member", attribute, node, missing: missing) { context in
            ModelMacro.expansion(of: attribute, providingMembersOf: node, conformingTo: missing, in: context)
                .map(\.description).joined(separator: "\n")
        }
        expand("PersistentModelMacro", "extension", attribute, node, missing: missing, type: name) { context in
            try ModelMacro.expansion(
                of: attribute, attachedTo: node, providingExtensionsOf: TypeSyntax("\(raw: name)"),
                conformingTo: missing, in: context
            ).map(\.description).joined(separator: "\n")
        }
        enclosing.append(DeclSyntax(node))
        defer { enclosing.removeLast() }
        for member in ConditionalMember.all(in: node.memberBlock.members) {
            compareMember(member.declaration, of: node, attribute)
        }
    }

    private func compareMember(
        _ member: DeclSyntax, of type: some DeclGroupSyntax & NamedDeclSyntax, _ attribute: AttributeSyntax
    ) {
        var added: AttributeSyntax?
        expand("PersistentModelMacro", "memberAttribute", attribute, member, parent: DeclSyntax(type)) { context in
            added =
                ModelMacro.expansion(
                    of: attribute, attachedTo: type, providingAttributesFor: member, in: context
                ).first
            return added?.description ?? ""
        }
        guard let variable = member.as(VariableDeclSyntax.self) else { return }
        let isInGenericType = enclosing.contains {
            $0.as(ClassDeclSyntax.self)?.genericParameterClause != nil
                || $0.as(StructDeclSyntax.self)?.genericParameterClause != nil
                || $0.as(EnumDeclSyntax.self)?.genericParameterClause != nil
        }
        if let added {
            let isTransformable = added.attributeName.trimmedDescription == "_TransformablePersistedProperty"
            let macro = isTransformable ? "TransformablePersistedPropertyMacro" : "PersistedPropertyMacro"
            expand(macro, "accessor", added, member) { _ in
                PersistedPropertyMacro.accessors(of: variable, isTransformable: isTransformable)
            }
            expand(macro, "peer", added, member) { _ in
                PersistedPropertyMacro.peers(of: variable, isInGenericType: isInGenericType)
            }
        }
        for name in ["Attribute", "Relationship"] {
            guard let attribute = variable.attributes.macro(name) else { continue }
            expand("\(name)PropertyMacro", "peer", attribute, member) { context in
                PropertyAttributeMacro.check(name, on: variable, in: context)
                return ""
            }
        }
    }

    private func compareActor(_ node: some DeclGroupSyntax & NamedDeclSyntax, _ attribute: AttributeSyntax) {
        declarations += 1
        let name = qualifiedName(node)
        let declaration = DeclSyntax(node)
        expand("PersistentModelActorMacro", "member", attribute, node, missing: ["ModelActor"]) { context in
            ModelActorMacro.members(of: declaration, in: context)
        }
        expand("PersistentModelActorMacro", "extension", attribute, node, missing: ["ModelActor"], type: name) { _ in
            ModelActorMacro.extensionText(of: declaration, named: name)
        }
    }

    // MARK: Expansions

    private func expand(
        _ macro: String, _ role: String, _ attribute: AttributeSyntax, _ node: some DeclSyntaxProtocol,
        parent: DeclSyntax? = nil, missing: [TypeSyntax] = [], type: String? = nil,
        by oracle: (BasicMacroExpansionContext) throws -> String
    ) {
        expansions += 1
        var call: [String: Any] = [
            "macro": ["moduleName": "SwiftDataMacros", "typeName": macro, "name": macro], "macroRole": role,
            "discriminator": "$s", "attributeSyntax": fragment(attribute, "attribute"),
            "declSyntax": fragment(node, "declaration"),
            "lexicalContext": enclosing.reversed().map { fragment(withoutMembers($0), "declaration") },
        ]
        if let parent { call["parentDeclSyntax"] = fragment(parent, "declaration") }
        if let type { call["extendedTypeSyntax"] = ["kind": "type", "source": type] }
        if !missing.isEmpty {
            let list = missing.map(\.trimmedDescription).joined(separator: ", ")
            call["conformanceListSyntax"] = ["kind": "declaration", "source": "struct Placeholder: \(list) {}"]
        }
        do {
            let context = BasicMacroExpansionContext()
            let expected = tokens(try oracle(context), role)
            let answer = try plugin.expand(call)
            let found = tokens(answer.source ?? "", role)
            if expected != found { note(macro, role, node, "oracle: \(expected)\nplugin: \(found)") }
            let errors = context.diagnostics.map { "\($0.position.utf8Offset): \($0.message)" }.sorted()
            if errors != answer.diagnostics.sorted() {
                note(macro, role, node, "oracle: \(errors)\nplugin: \(answer.diagnostics)")
            }
        } catch {
            note(macro, role, node, "\(error)")
        }
    }

    private func note(_ macro: String, _ role: String, _ node: some DeclSyntaxProtocol, _ text: String) {
        differences.append(
            "\(path): \(macro), \(role), at \(node.position.utf8Offset)\n\(node.trimmedDescription)\n\(text)\n")
    }

    private func fragment(_ node: some SyntaxProtocol, _ kind: String) -> [String: Any] {
        let offset = node.position.utf8Offset
        return [
            "kind": kind, "source": node.description,
            "location": ["fileID": "App/\(path)", "fileName": path, "offset": offset, "line": 1, "column": 1],
        ]
    }

    /// A declaration as the compiler sends it for the context.
    private func withoutMembers(_ declaration: DeclSyntax) -> DeclSyntax {
        guard var group = declaration.asProtocol(DeclGroupSyntax.self) else { return declaration }
        group.memberBlock = MemberBlockSyntax(members: [])
        return DeclSyntax(fromProtocol: group)
    }

    /// The tokens of an expansion, without white space and comments.
    private func tokens(_ text: String, _ role: String) -> String {
        let prefix = role == "accessor" ? "var accessors: Int " : ""
        let suffix = role == "memberAttribute" ? " var attribute: Int" : ""
        return Parser.parse(source: prefix + text + suffix).tokens(viewMode: .sourceAccurate).map(\.text)
            .filter { !$0.isEmpty }.joined(separator: " ").replacing(", ]", with: " ]")
    }
}

/// The names of the classes with `@Model` in a file.
private final class ModelNames: SyntaxVisitor {
    private(set) var names: Set<String> = []

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.attributes.macro("Model") != nil { names.insert(node.name.text) }
        return .visitChildren
    }
}
