/// Writes the bodies that `@NSManaged` leaves out, under the names by which the compiler calls them.
struct AccessorSupply {
    private let resolver: TypeResolver
    private let files: [FileDeclarations]
    private var usedNames: Set<String> = []
    private var modules: Set<String> = []
    private var hasPublicMembers = false
    private(set) var diagnostics: [SourceDiagnostic] = []

    /// - Parameter files: those of the module that are compiled as they are.
    init(resolver: TypeResolver, files: [FileDeclarations]) {
        self.resolver = resolver
        self.files = files
    }

    private var module: String { resolver.own.module }

    /// The text of the file; nil if no declaration needs one.
    mutating func text() -> String? {
        var sections: [String] = []
        for file in files {
            var members = ""
            for declaration in file.variables {
                for variable in declaration.variables { members += supplied(variable, in: file.source) }
            }
            for function in file.functions { members += supplied(function, in: file.source) }
            if !members.isEmpty {
                sections.append("\n// \(file.source.source.fileName.replacing("\n", with: " "))\n\(members)")
            }
        }
        guard !sections.isEmpty else { return nil }
        let head =
            """
            // The bodies of the @NSManaged declarations of \(module), made by momc. Changes are lost at the next \
            build.\n
            """
        return head + imports() + sections.joined()
    }

    private mutating func supplied(_ variable: ManagedVariable, in source: LexedSource) -> String {
        guard let owner = owner(variable.scope, at: variable.offset, in: source),
            var type = resolved(
                variable.type, named: variable.typeText, of: variable.name, variable.scope, at: variable.offset,
                in: source)
        else { return "" }
        if type.isHidden {
            guard let stand = Self.visible(type) else {
                diagnostics.append(
                    source.diagnostic(
                        at: variable.offset,
                        """
                        the type '\(variable.typeText)' of '\(variable.name)' is private, so the file with its \
                        accessor can't name it: make the type internal, or \(Self.remedy)
                        """
                    ))
                return ""
            }
            type = stand
        }
        modules.formUnion(type.modules)
        let member = member(variable.name, variable.access, variable.scope, owner, source)
        let name = unique(variable.scope.path + [variable.name])
        let isPrimitive = PrimitiveName.isPrimitive(variable.name)
        let assignment = "self[\(name)] = value"
        let body = """
            private nonisolated let \(name) = ManagedProperty<\(type.spelling)>(\(SwiftName.literal(variable.name)))
            extension \(owner.receiver) {
                @_silgen_name(\(SwiftName.literal(member.accessor(.getter, type: type.symbol))))
                \(access(variable.access, owner))final nonisolated func _get_\(name)() -> \(type.spelling) { self[\(name)] }
                @_silgen_name(\(SwiftName.literal(member.accessor(.setter, type: type.symbol))))
                \(access(variable.setterAccess, owner))final nonisolated func _set_\(name)(_ value: __owned \(type.spelling)) { \(isPrimitive ? "withPrimitiveAccess(to: \(name)) { \(assignment) }" : assignment) }
            }

            """
        return conditional(body, variable.scope.conditions)
    }

    /// A type that another file can name in place of a private class of managed objects: a reference is passed alike.
    private static func visible(_ type: ResolvedType) -> ResolvedType? {
        guard type.isManagedObject else { return nil }
        switch type.symbol {
        case .nominal:
            return ResolvedType(symbol: type.symbol, spelling: "NSManagedObject", isManagedObject: true, isClass: true)
        case .optional(.nominal):
            return ResolvedType(symbol: type.symbol, spelling: "NSManagedObject?", isManagedObject: true, isClass: true)
        default: return nil
        }
    }

    // MARK: Methods

    private mutating func supplied(_ function: ManagedFunction, in source: LexedSource) -> String {
        guard let owner = owner(function.scope, at: function.offset, in: source) else { return "" }
        guard
            let method = RelationshipMethod(
                name: function.name, labels: function.parameters.map(\.label), selector: function.objectiveCName),
            !function.isUnusual, function.result == .void || function.result.simpleName == "Void"
        else {
            diagnostics.append(
                source.diagnostic(
                    at: function.offset,
                    """
                    the @NSManaged method '\(function.fullName)' is none that managed objects have: \
                    \(RelationshipMethod.knownForms)
                    """
                ))
            return ""
        }
        var types: [ResolvedType] = []
        for parameter in function.parameters {
            guard
                let type = resolved(
                    parameter.type, named: parameter.typeText, of: function.fullName, function.scope,
                    at: function.offset, in: source)
            else { return "" }
            types.append(type)
        }
        let visible = types.map { $0.isHidden ? Self.visible($0) : $0 }
        guard method.accepts(types), visible.allSatisfy({ $0 != nil }) else {
            diagnostics.append(
                source.diagnostic(
                    at: function.offset,
                    """
                    the parameters (\(function.parameters.map(\.typeText).joined(separator: ", "))) of the \
                    @NSManaged method '\(function.fullName)' don't fit its name: it takes an object or a \
                    collection of objects that other files can name, and an Int or a set of indexes where it has a \
                    place
                    """
                ))
            return ""
        }
        for type in types { modules.formUnion(type.modules) }
        let symbol = member(function.name, function.access, function.scope, owner, source)
            .method(zip(function.parameters, types).map { ($0.label, $1.symbol) })
        let name = unique(function.scope.path + [function.name])
        let parameters = visible.enumerated().map { "_ p\($0): \($1!.spelling)" }.joined(separator: ", ")
        let statement = method.statement(arguments: visible.indices.map { "p\($0)" }, property: name)
        let body = """
            private nonisolated let \(name) = ManagedRelationship(\(SwiftName.literal(method.key)))
            extension \(owner.receiver) {
                @_silgen_name(\(SwiftName.literal(symbol)))
                \(access(function.access, owner))final nonisolated func _do_\(name)(\(parameters)) { \(statement) }
            }

            """
        return conditional(body, function.scope.conditions)
    }

    // MARK: Parts

    private struct Owner {
        let symbol: SymbolType
        let extensionModule: String?
        /// What the generated extension extends: of a private class its superclass, since `self` is passed alike.
        let receiver: String
        let isHidden: Bool
    }

    private mutating func owner(_ scope: DeclarationScope, at offset: Int, in source: LexedSource) -> Owner? {
        do {
            let type = try resolver.resolve(
                .named(scope.path.map { TypeSyntax.Component(name: $0, arguments: []) }),
                from: TypeResolver.Viewpoint(index: resolver.own, source: source, scope: []))
            guard type.isClass else { throw UnresolvedType(reason: "it is no class") }
            let ownerModule = type.symbol.module ?? module
            modules.formUnion(type.modules)
            return Owner(
                symbol: type.symbol, extensionModule: scope.isExtension && ownerModule != module ? module : nil,
                receiver: type.isHidden ? "NSManagedObject" : type.spelling, isHidden: type.isHidden)
        } catch {
            refuse(
                error, "the class '\(scope.path.joined(separator: "."))' of the @NSManaged declaration", at: offset,
                in: source)
            return nil
        }
    }

    private mutating func resolved(
        _ type: TypeSyntax, named text: String, of member: String, _ scope: DeclarationScope, at offset: Int,
        in source: LexedSource
    ) -> ResolvedType? {
        do {
            return try resolver.resolve(type, from: resolver.viewpoint(of: scope, in: source))
        } catch {
            refuse(error, "the type '\(text)' of '\(member)'", at: offset, in: source)
            return nil
        }
    }

    private mutating func refuse(_ error: any Error, _ what: String, at offset: Int, in source: LexedSource) {
        let reason = (error as? UnresolvedType)?.reason ?? "\(error)"
        diagnostics.append(
            source.diagnostic(
                at: offset,
                "\(what) can't be found, so no accessor can be supplied: \(reason). Mend it, or \(Self.remedy)"))
    }

    private static let remedy =
        """
        list the file under 'exclude:' of its target in Package.swift, so that a copy with accessors in place is \
        compiled, or write the accessor by hand with ManagedProperty
        """

    private func member(
        _ name: String, _ access: DeclaredAccess, _ scope: DeclarationScope, _ owner: Owner, _ source: LexedSource
    ) -> SymbolMember {
        // Only the outermost private declaration is marked.
        let isMarked = access.isPrivate && !owner.isHidden
        return SymbolMember(
            owner: owner.symbol, extensionModule: owner.extensionModule, name: name,
            discriminator: isMarked ? FileDiscriminator.text(module: module, fileName: source.source.fileName) : nil)
    }

    /// The modifiers that give a supplied function the linkage of what it stands for.
    ///
    /// `@NSManaged` declarations are dynamic. Where other modules see them, the optimizer compares that with the body,
    /// and stops if it differs; within the module nothing does, so that the shorter call is kept.
    private mutating func access(_ access: DeclaredAccess, _ owner: Owner) -> String {
        guard !owner.isHidden else { return "" }
        switch access {
        case .open, .public:
            hasPublicMembers = true
            return "public dynamic "
        case .package: return "package dynamic "
        default: return ""
        }
    }

    private mutating func unique(_ path: [String]) -> String {
        let base = ([module] + path).map(SwiftName.part).joined(separator: "_")
        var name = base
        var number = 2
        while !usedNames.insert(name).inserted {
            name = "\(base)_\(number)"
            number += 1
        }
        return name
    }

    private func conditional(_ body: String, _ conditions: [String]) -> String {
        conditions.map { "#if \($0)\n" }.joined() + body + conditions.map { _ in "#endif\n" }.joined()
    }

    // MARK: Imports

    private func imports() -> String {
        ImportList(files: files, isPublic: hasPublicMembers).text(modules.union([ImportList.framework(files)]))
    }
}
