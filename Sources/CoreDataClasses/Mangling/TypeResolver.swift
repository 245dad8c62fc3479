// SPDX-License-Identifier: Apache-2.0

/// A resolved type: its form in symbol names and in generated files.
struct ResolvedType {
    let symbol: SymbolType
    /// The name in a generated file.
    let spelling: String
    /// The modules of the types in it, except the module itself and the modules that CoreData re-exports.
    var modules: Set<String> = []
    /// Whether the type is a subclass of `NSManagedObject`.
    var isManagedObject = false
    var isClass = false
    /// Whether no other file can name the type.
    var isHidden = false
}

/// The error of a type that can't be resolved.
struct UnresolvedType: Error {
    let reason: String
}

/// Resolves the names of types in sources.
final class TypeResolver {
    private static let depthLimit = 50

    let own: ModuleIndex
    private let dependencies: [DependencySources]
    private var dependencyIndexes: [String: ModuleIndex] = [:]
    private var superclasses: [TypeKey: (index: ModuleIndex, type: DeclaredType)?] = [:]
    private var dependencyTypes: [String: [(index: ModuleIndex, type: DeclaredType)]] = [:]

    init(own: ModuleIndex, dependencies: [DependencySources]) {
        self.own = own
        self.dependencies = dependencies
    }

    /// The context in which names are resolved.
    struct Viewpoint {
        let index: ModuleIndex
        let source: LexedSource?
        let scope: [String]
        var depth = 0

        func inside(_ scope: [String]) -> Viewpoint {
            Viewpoint(index: index, source: source, scope: scope, depth: depth)
        }
    }

    func viewpoint(of scope: DeclarationScope, in source: LexedSource) -> Viewpoint {
        Viewpoint(index: own, source: source, scope: scope.path)
    }

    // MARK: Types

    func resolve(_ type: TypeSyntax, from viewpoint: Viewpoint) throws -> ResolvedType {
        guard viewpoint.depth < Self.depthLimit else {
            throw UnresolvedType(reason: "its declaration refers to itself")
        }
        switch type {
        case .void: return ResolvedType(symbol: .void, spelling: "Void")
        case .optional(let wrapped): return optional(try resolve(wrapped, from: viewpoint))
        case .array(let element): return array(try resolve(element, from: viewpoint))
        case .dictionary(let key, let value):
            return dictionary(try resolve(key, from: viewpoint), try resolve(value, from: viewpoint))
        case .existential(let inner) where inner.simpleName == "AnyObject": return try resolve(inner, from: viewpoint)
        case .existential: throw UnresolvedType(reason: "a protocol is no type of a managed property")
        case .other:
            throw UnresolvedType(reason: "functions, tuples and compositions are no types of a managed property")
        case .named(let components): return try resolve(components, from: viewpoint)
        }
    }

    private func optional(_ wrapped: ResolvedType) -> ResolvedType {
        combined(
            .optional(wrapped.symbol), "\(wrapped.spelling)?", [wrapped], isManagedObject: wrapped.isManagedObject,
            isClass: wrapped.isClass)
    }

    private func array(_ element: ResolvedType) -> ResolvedType {
        combined(.array(element.symbol), "[\(element.spelling)]", [element])
    }

    private func set(_ element: ResolvedType) -> ResolvedType {
        combined(.set(element.symbol), "Set<\(element.spelling)>", [element])
    }

    private func dictionary(_ key: ResolvedType, _ value: ResolvedType) -> ResolvedType {
        combined(.dictionary(key.symbol, value.symbol), "[\(key.spelling): \(value.spelling)]", [key, value])
    }

    private func combined(
        _ symbol: SymbolType, _ spelling: String, _ parts: [ResolvedType], isManagedObject: Bool = false,
        isClass: Bool = false
    ) -> ResolvedType {
        ResolvedType(
            symbol: symbol, spelling: spelling, modules: parts.reduce(into: []) { $0.formUnion($1.modules) },
            isManagedObject: isManagedObject,
            isClass: isClass, isHidden: parts.contains(where: \.isHidden))
    }

    // MARK: Names

    private func resolve(_ components: [TypeSyntax.Component], from viewpoint: Viewpoint) throws -> ResolvedType {
        var components = components[...]
        guard let first = components.first else { throw UnresolvedType(reason: "it has no name") }
        if let found = declared(first.name, from: viewpoint) {
            return try resolve(components.dropFirst(), of: found, arguments: first.arguments, from: viewpoint)
        }
        // The name of a module may qualify the name of a type.
        if components.count > 1 {
            if let index = index(of: first.name, from: viewpoint) {
                let next = components[components.startIndex + 1]
                guard let found = index.type(at: [next.name], from: viewpoint.source) else {
                    throw UnresolvedType(reason: "module \(first.name) declares no type \(next.name)")
                }
                return try resolve(
                    components.dropFirst(2), of: (index, found), arguments: next.arguments, from: viewpoint)
            }
            if StandardTypes.modules.contains(first.name) { components = components.dropFirst() }
        }
        guard components.count == 1, let component = components.first else {
            throw UnresolvedType(reason: "no source declares \(first.name)")
        }
        return try standard(component, from: viewpoint)
    }

    /// The type of an unqualified name, except types of Swift and Foundation.
    private func declared(_ name: String, from viewpoint: Viewpoint) -> (index: ModuleIndex, type: DeclaredType)? {
        for count in stride(from: viewpoint.scope.count, to: 0, by: -1) {
            if let found = member(name, ofTypeAt: Array(viewpoint.scope.prefix(count)), from: viewpoint) {
                return found
            }
        }
        if let found = viewpoint.index.type(at: [name], from: viewpoint.source) { return (viewpoint.index, found) }
        guard viewpoint.index.module == own.module else { return nil }
        let candidates = dependencyTypes(name, from: viewpoint)
        guard candidates.count > 1 else { return candidates.first }
        let imported = Set(own.files.first { $0.source === viewpoint.source }?.imports.map(\.module) ?? [])
        return candidates.first { imported.contains($0.index.module) } ?? candidates.first
    }

    /// Whether a source of the module or of its dependencies declares a type at the top level.
    func declaresType(named name: String) -> Bool {
        let viewpoint = Viewpoint(index: own, source: nil, scope: [])
        return own.type(at: [name], from: nil) != nil || !dependencyTypes(name, from: viewpoint).isEmpty
    }

    /// The types with a name in all dependencies.
    private func dependencyTypes(_ name: String, from viewpoint: Viewpoint) -> [(
        index: ModuleIndex, type: DeclaredType
    )] {
        if let known = dependencyTypes[name] { return known }
        var found: [(index: ModuleIndex, type: DeclaredType)] = []
        for dependency in dependencies where dependency.sources.contains(where: { $0.text.contains(name) }) {
            if let index = index(of: dependency.module, from: viewpoint), let type = index.type(at: [name], from: nil) {
                found.append((index, type))
            }
        }
        dependencyTypes[name] = found
        return found
    }

    /// A type nested in another type or in one of its superclasses.
    private func member(_ name: String, ofTypeAt path: [String], from viewpoint: Viewpoint) -> (
        index: ModuleIndex, type: DeclaredType
    )? {
        if let found = viewpoint.index.type(at: path + [name], from: viewpoint.source) {
            return (viewpoint.index, found)
        }
        guard viewpoint.depth < Self.depthLimit, let type = viewpoint.index.type(at: path, from: viewpoint.source),
            type.kind == .class,
            let above = superclass(of: type, from: viewpoint)
        else { return nil }
        let source = above.index.module == viewpoint.index.module ? viewpoint.source : nil
        return member(
            name, ofTypeAt: above.type.path,
            from: Viewpoint(index: above.index, source: source, scope: [], depth: viewpoint.depth + 1))
    }

    /// The superclass of a class, if a source declares it. The result is cached: without the cache, nested classes
    /// would be searched many times.
    private func superclass(of type: DeclaredType, from viewpoint: Viewpoint) -> (
        index: ModuleIndex, type: DeclaredType
    )? {
        let key = TypeKey(source: ObjectIdentifier(type.source), offset: type.offset)
        if let known = superclasses[key] { return known }
        // A lookup of the superclass that leads to the class itself finds none.
        superclasses.updateValue(nil, forKey: key)
        var outside = viewpoint.inside(type.scope.path)
        outside.depth += 1
        guard let path = type.inherited.first?.path, path.count == 1, path != type.path,
            let above = declared(path[0], from: outside),
            above.type.kind == .class
        else { return nil }
        superclasses[key] = above
        return above
    }

    private struct TypeKey: Hashable {
        let source: ObjectIdentifier
        let offset: Int
    }

    private func index(of module: String, from viewpoint: Viewpoint) -> ModuleIndex? {
        if module == viewpoint.index.module { return viewpoint.index }
        if module == own.module { return own }
        if let known = dependencyIndexes[module] { return known }
        guard let dependency = dependencies.first(where: { $0.module == module }) else { return nil }
        let index = ModuleIndex(
            module: module, files: dependency.sources.map { DeclarationScanner.declarations(of: LexedSource($0)) })
        dependencyIndexes[module] = index
        return index
    }

    // MARK: Declared types

    /// The type of a dotted name whose first component is resolved.
    private func resolve(
        _ rest: ArraySlice<TypeSyntax.Component>, of found: (index: ModuleIndex, type: DeclaredType),
        arguments: [TypeSyntax], from viewpoint: Viewpoint
    ) throws -> ResolvedType {
        var found = found
        var arguments = arguments
        for component in rest {
            guard
                let inner = member(
                    component.name, ofTypeAt: found.type.path,
                    from: Viewpoint(
                        index: found.index, source: viewpoint.source, scope: [], depth: viewpoint.depth + 1))
            else {
                throw UnresolvedType(
                    reason: "\(found.type.path.joined(separator: ".")) declares no type \(component.name)")
            }
            found = inner
            arguments = component.arguments
        }
        if found.type.kind == .alias {
            guard let aliased = found.type.aliased, !found.type.isGeneric else {
                throw UnresolvedType(reason: "the type alias \(found.type.name) is generic")
            }
            return try resolve(
                aliased,
                from: Viewpoint(
                    index: found.index, source: found.type.source, scope: found.type.scope.path,
                    depth: viewpoint.depth + 1)
            )
        }
        var resolved = try nominal(found.type, in: found.index)
        if !arguments.isEmpty {
            let arguments = try arguments.map { try resolve($0, from: viewpoint) }
            guard found.type.scope.path.isEmpty else {
                throw UnresolvedType(reason: "it is generic and nested in another type")
            }
            resolved = combined(
                .bound(resolved.symbol, arguments.map(\.symbol)),
                "\(resolved.spelling)<\(arguments.map(\.spelling).joined(separator: ", "))>",
                [resolved] + arguments, isClass: resolved.isClass)
        } else if found.type.isGeneric {
            throw UnresolvedType(reason: "\(found.type.name) is generic")
        }
        return resolved
    }

    /// A declared class, structure or enumeration.
    func nominal(_ type: DeclaredType, in index: ModuleIndex) throws -> ResolvedType {
        let kind: Character
        switch type.kind {
        case .class, .actor: kind = "C"
        case .structure: kind = "V"
        case .enumeration: kind = "O"
        case .protocol: throw UnresolvedType(reason: "the protocol \(type.name) is no type of a managed property")
        case .alias: throw UnresolvedType(reason: "\(type.name) is a type alias")
        }
        var parent: SymbolType?
        if !type.scope.path.isEmpty {
            guard let outer = index.type(at: type.scope.path, from: type.source), outer.kind != .alias else {
                throw UnresolvedType(
                    reason: """
                        it is nested in \(type.scope.path.joined(separator: ".")), which module \(index.module) \
                        doesn't declare itself
                        """
                )
            }
            parent = try nominal(outer, in: index).symbol
        }
        let isOutermostPrivate = type.access.isPrivate && !type.scope.isInPrivateType
        let symbol = SymbolType.nominal(
            parent: parent, module: index.module, name: type.name, kind: kind,
            discriminator: isOutermostPrivate
                ? FileDiscriminator.text(module: index.module, fileName: type.source.source.fileName) : nil)
        return ResolvedType(
            symbol: symbol, spelling: spelling(of: type, in: index),
            modules: index.module == own.module ? [] : [index.module],
            isManagedObject: type.kind == .class && inheritsFromManagedObject(type, in: index), isClass: kind == "C",
            isHidden: type.isHidden)
    }

    private func spelling(of type: DeclaredType, in index: ModuleIndex) -> String {
        let path = type.path.map(SwiftName.spelled).joined(separator: ".")
        // The module declares a type of the same name, so the name must be qualified.
        let isOutside = index.module != own.module
        return isOutside && own.type(at: [type.path[0]], from: nil) != nil ? "\(index.module).\(path)" : path
    }

    /// Whether a class is `NSManagedObject` or inherits from it according to the sources.
    func inheritsFromManagedObject(_ type: DeclaredType, in index: ModuleIndex, depth: Int = 0) -> Bool {
        guard depth < Self.depthLimit, type.kind == .class, case .named(let superclass)? = type.inherited.first else {
            return false
        }
        let viewpoint = Viewpoint(index: index, source: type.source, scope: type.scope.path, depth: depth)
        if let found = superclass.first.flatMap({ declared($0.name, from: viewpoint) }) {
            var found = found
            for component in superclass.dropFirst() {
                guard
                    let inner = member(
                        component.name, ofTypeAt: found.type.path,
                        from: Viewpoint(
                            index: found.index, source: type.source, scope: [], depth: depth))
                else { return false }
                found = inner
            }
            if found.type.kind == .alias {
                return ((try? resolve(.named(superclass), from: viewpoint))?.isManagedObject) ?? false
            }
            return inheritsFromManagedObject(found.type, in: found.index, depth: depth + 1)
        }
        return ((try? resolve(.named(superclass), from: viewpoint))?.isManagedObject) ?? false
    }

    /// The class, among some classes of other modules, from which a class inherits according to the sources.
    func superclass(of type: DeclaredType, among names: [String]) -> String? {
        var (current, index) = (type, own)
        for _ in 0..<Self.depthLimit {
            guard current.kind == .class, let path = current.inherited.first?.path else { return nil }
            let viewpoint = Viewpoint(index: index, source: current.source, scope: current.scope.path)
            guard let above = superclass(of: current, from: viewpoint) else {
                return path.last.flatMap { names.contains($0) ? $0 : nil }
            }
            (current, index) = (above.type, above.index)
        }
        return nil
    }

    // MARK: Types of Swift and Foundation

    private func standard(_ component: TypeSyntax.Component, from viewpoint: Viewpoint) throws -> ResolvedType {
        let arguments = try component.arguments.map { try resolve($0, from: viewpoint) }
        switch (component.name, arguments.count) {
        case ("Any", 0): return ResolvedType(symbol: .any, spelling: "Any")
        case ("AnyObject", 0): return ResolvedType(symbol: .anyObject, spelling: "AnyObject")
        case ("Void", 0): return ResolvedType(symbol: .void, spelling: "Void")
        case ("Optional", 1): return optional(arguments[0])
        case ("Array", 1): return array(arguments[0])
        case ("Set", 1): return set(arguments[0])
        case ("Dictionary", 2): return dictionary(arguments[0], arguments[1])
        default: break
        }
        guard let known = StandardTypes.type(named: component.name), arguments.isEmpty else {
            throw UnresolvedType(
                reason: """
                    no source of the module or of its dependencies declares \(component.name), and it is no type \
                    of Swift, Foundation or Core Data that this tool knows
                    """
            )
        }
        var isClass = false
        if case .nominal(_, _, _, "C", _) = known.symbol { isClass = true }
        let isShadowed = own.type(at: [component.name], from: nil) != nil
        let module =
            known.symbol.module.map {
                ["OpenCoreData", "CoreDataModel", "CoreDataPredicates"].contains($0) ? "CoreData" : $0
            } ?? "Swift"
        return ResolvedType(
            symbol: known.symbol, spelling: isShadowed ? "\(module).\(component.name)" : component.name,
            isManagedObject: known.isManagedObject,
            isClass: isClass)
    }
}

/// The declared types of a module, by path.
struct ModuleIndex {
    let module: String
    let files: [FileDeclarations]
    private let types: [String: [DeclaredType]]

    init(module: String, files: [FileDeclarations]) {
        self.module = module
        self.files = files
        types = Dictionary(grouping: files.lazy.flatMap(\.types), by: { $0.path.joined(separator: ".") })
    }

    /// The type at a path that is visible in a source file. A private type is visible only in the file that declares
    /// it.
    func type(at path: [String], from source: LexedSource?) -> DeclaredType? {
        guard let candidates = types[path.joined(separator: ".")] else { return nil }
        return candidates.first { $0.source === source } ?? candidates.first { !$0.isHidden }
    }
}
