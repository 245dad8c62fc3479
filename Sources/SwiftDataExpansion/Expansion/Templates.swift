// SPDX-License-Identifier: Apache-2.0

import SwiftDeclarations

// The text of all expansions. Names are Apple's; the bodies call `SwiftData.ManagedBackingData`.

extension DeclaredAccess {
    /// The modifier of members that must be as accessible as their type, with a space behind it.
    var memberPrefix: String {
        switch self {
        case .public, .open: "public "
        case .package: "package "
        default: ""
        }
    }
}

/// Wraps a line in the `#if` blocks around a declaration.
private func conditional(_ line: String, _ conditions: [String]) -> String {
    conditions.map { "#if \($0)\n" }.joined() + line + conditions.map { _ in "\n#endif" }.joined()
}

/// The members and extensions of `@Model`.
struct ModelTemplates {
    let model: ModelDeclaration
    /// The superclass, if it is a model.
    let superclass: String?

    private var name: String { model.name }
    private var access: String { model.type.access.memberPrefix }
    /// The access of members that a subclass in another module overrides.
    private var overridableAccess: String { model.type.access == .open ? "open " : access }

    var members: String {
        [
            backingData, persistentBackingData, schemaMetadata, initializer, registrar, accessMethod, mutationMethod,
            noType,
        ]
        .compactMap { $0 }.joined(separator: "\n\n")
    }

    private var backingData: String {
        """
        @Transient @exclusivity(unchecked) nonisolated(unsafe) private var _$backingData = \
        SwiftData.ManagedBackingData<\(name)>()
        """
    }

    private var persistentBackingData: String {
        guard let superclass else {
            return """
                \(overridableAccess)var persistentBackingData: any SwiftData.BackingData<\(name)> {
                    get {
                        _$backingData.backingData(of: self)
                    }
                    set {
                        _$backingData = SwiftData.ManagedBackingData(newValue)
                    }
                }
                """
        }
        return """
            \(overridableAccess)override var persistentBackingData: any SwiftData.BackingData<\(superclass).Root> {
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
            """
    }

    // MARK: Schema

    private var schemaMetadata: String {
        let modifiers =
            superclass != nil
            ? "\(overridableAccess)override class" : model.isFinal ? "\(access)static" : "\(overridableAccess)class"
        let entries =
            model.properties.map { ($0.conditions, entry(of: $0)) }
            + complete(model.indexes).map { ($0.scope.conditions, entry(of: $0, kind: "Index")) }
            + complete(model.constraints).map { ($0.scope.conditions, entry(of: $0, kind: "Unique")) }
        return """
            \(modifiers) var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
            \(Self.body(entries))
            }
            """
    }

    /// The macros whose properties exist. A macro with a missing property gets an error that says more than the
    /// compiler's.
    private func complete(_ macros: [DeclaredMacro]) -> [DeclaredMacro] {
        superclass != nil ? macros : macros.filter { model.missingNames(in: $0).isEmpty }
    }

    /// An array literal. It can't have `#if` blocks: elements from the first conditional one on are appended.
    private static func body(_ entries: [(conditions: [String], text: String)]) -> String {
        let plain = entries.prefix { $0.conditions.isEmpty }.map { "        \($0.text)" }.joined(separator: ",\n")
        let literal = plain.isEmpty ? "[]" : "[\n\(plain)\n    ]"
        let rest = entries.drop { $0.conditions.isEmpty }
        guard !rest.isEmpty else { return "    return \(literal)" }
        return "    var properties: [SwiftData.Schema.PropertyMetadata] = \(literal)\n"
            + rest.map { conditional("    properties.append(\($0.text))", $0.conditions) + "\n" }.joined()
            + "    return properties"
    }

    private func entry(of property: PersistedProperty) -> String {
        let range = property.binding.valueRange.flatMap { model.isImplicitMember($0) ? nil : $0 }
        let value = range.map(model.text) ?? "nil"
        return """
            SwiftData.Schema.PropertyMetadata(name: "\(property.name)", keypath: \\\(name).\(property.spelling), \
            defaultValue: \(value), metadata: \(metadata(of: property)))
            """
    }

    private func metadata(of property: PersistedProperty) -> String {
        for mark in property.declaration.marks where !mark.isConditional {
            for kind in ["Attribute", "Relationship"] where mark.name == "@\(kind)" || mark.name == "@SwiftData.\(kind)"
            {
                return "SwiftData.Schema.\(kind)(\(mark.argumentRange.map(model.text) ?? ""))"
            }
        }
        return "nil"
    }

    private func entry(of macro: DeclaredMacro, kind: String) -> String {
        let generics = macro.genericArgumentRange.map(model.text) ?? "<\(name)>"
        return """
            SwiftData.Schema.PropertyMetadata(name: "SwiftData.Schema.\(kind)", \
            keypath: \\SwiftData.Schema.encodingVersion, defaultValue: nil, \
            metadata: SwiftData.Schema.\(kind)\(generics)(\(macro.argumentRange.map(model.text) ?? "")))
            """
    }

    // MARK: Initializer

    private var initializer: String {
        let root = superclass.map { "\($0).Root" } ?? name
        let required = model.isFinal && superclass == nil ? "" : "required "
        let assignments = model.properties.map {
            conditional("    _\($0.name) = _SwiftDataNoType()", $0.conditions) + "\n"
        }.joined()
        return """
            \(required)\(access)init(backingData: any SwiftData.BackingData<\(root)>) {
            \(assignments)    _$backingData = SwiftData.ManagedBackingData(backingData)\
            \(superclass == nil ? "" : "\n    super.init(backingData: backingData)")
            }
            """
    }

    // MARK: Observation

    /// The registrar is made when an observer asks for it.
    private var registrar: String? {
        guard superclass == nil else { return nil }
        return """
            @Transient internal nonisolated var _$observationRegistrar: Observation.ObservationRegistrar {
                _$backingData.observationRegistrar(of: self)
            }
            """
    }

    private var accessMethod: String {
        """
        internal nonisolated func access<_M>(
            keyPath: KeyPath<\(name), _M>
        ) {
            _$backingData.access(self, keyPath: keyPath)
        }
        """
    }

    private var mutationMethod: String {
        """
        internal nonisolated func withMutation<_M, _MR>(
            keyPath: KeyPath<\(name), _M>,
            _ mutation: () throws -> _MR
        ) rethrows -> _MR {
            try _$backingData.withMutation(of: self, keyPath: keyPath, mutation)
        }
        """
    }

    private var noType: String {
        """
        struct _SwiftDataNoType {
        }
        """
    }

    // MARK: Extensions

    static func extensions(of type: String, conformances: [String]) -> String {
        var declarations: [String] = []
        if conformances.contains("PersistentModel") {
            declarations.append("extension \(type): nonisolated SwiftData.PersistentModel {\n}")
        }
        if conformances.contains("Observable") {
            declarations.append("extension \(type): nonisolated Observation.Observable {\n}")
        }
        if conformances.contains("Sendable") {
            let message = """
                PersistentModels are not Sendable, consider utilizing a ModelActor or use \(type)'s persistentModelID \
                instead
                """
            declarations.append(
                """
                @available(swift, deprecated: 5.9, message: "\(message)")
                @available(*, unavailable, message: "\(message)")
                extension \(type): Sendable {
                }
                """)
        }
        return declarations.joined(separator: "\n\n")
    }
}

/// The accessors and peers of a persisted property.
struct PropertyTemplates {
    let property: PersistedProperty

    private var name: String { property.name }
    /// The handle of the property, which the library asks for the slot of its value.
    private var handle: String { "_$\(name)" }

    /// Whether `@Model` adds a member with the name of the handle.
    private var hasTakenHandle: Bool { ["backingData", "observationRegistrar"].contains(name) }

    private var handleValue: String {
        hasTakenHandle ? "SwiftData.PersistentProperty(\"\(name)\", in: Self.self)" : "Self.\(handle).property"
    }

    func accessors(_ kind: PersistedPropertyMacro.Kind) -> String {
        let initialize = kind == .plain ? "initialize" : "initializeTransformable"
        let value = kind == .plain ? "value" : "transformableValue"
        let setValue = kind == .plain ? "setValue" : "setTransformableValue"
        let keyPath = "\\.\(property.spelling)"
        let setter = """

            set {
                _$backingData.\(setValue)(newValue, of: \(handleValue), in: self, keyPath: \(keyPath))
            }
            """
        return """
            {
            @storageRestrictions(accesses: _$backingData, initializes: _\(name))
            init(initialValue) {
                _$backingData.\(initialize)(\(handleValue), to: initialValue)
                _\(name) = _SwiftDataNoType()
            }
            get {
                _$backingData.\(value)(of: \(handleValue), in: self, keyPath: \(keyPath))
            }\(property.declaration.isConstant ? "" : setter)
            }
            """
    }

    func peers(isInGenericType: Bool) -> String {
        let type = property.isOptional ? "_SwiftDataNoType?" : "_SwiftDataNoType"
        let peer = "@Transient private var _\(name): \(type)"
        if hasTakenHandle { return peer }
        // A generic type can't have stored type properties.
        let declaration =
            isInGenericType
            ? "var \(handle): SwiftData.PersistentProperty { SwiftData.PersistentProperty(\"\(name)\", in: Self.self) }"
            : "let \(handle) = SwiftData.PersistentPropertyDeclaration(\"\(name)\")"
        return """
            \(peer)

            @Transient private nonisolated static \(declaration)
            """
    }
}

/// The members and the extension of `@ModelActor`.
enum ModelActorTemplates {
    static func members(access: String) -> String {
        """
        \(access)nonisolated let modelExecutor: any SwiftData.ModelExecutor

        \(access)nonisolated let modelContainer: SwiftData.ModelContainer

        \(access)init(modelContainer: SwiftData.ModelContainer) {
            let modelContext = SwiftData.ModelContext(modelContainer)
            self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext)
            self.modelContainer = modelContainer
        }
        """
    }

    static func extensionDeclaration(of type: String) -> String { "extension \(type): SwiftData.ModelActor {\n}" }
}
