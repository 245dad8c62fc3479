// SPDX-License-Identifier: Apache-2.0

import SwiftDeclarations

/// A class with `@Model`, or another declaration with it, which is an error.
struct ModelDeclaration {
    let type: DeclaredType
    let source: LexedSource
    /// The properties that the store keeps, in their order.
    let properties: [PersistedProperty]
    /// The stored properties with `@Transient`.
    let transientProperties: [TransientProperty]
    /// The names of all variables of the class.
    let names: Set<String>
    /// `#Index` and `#Unique`.
    let indexes: [DeclaredMacro]
    let constraints: [DeclaredMacro]
    let hasInitializer: Bool

    /// Nil if the text declares no type.
    init?(_ text: String) {
        source = LexedSource(SwiftSource(path: "", text: text))
        let file = DeclarationScanner.declarations(of: source)
        guard let type = file.types.first else { return nil }
        self.type = type
        let path = type.path
        let variables = file.variables.filter { $0.scope.path == path }
        properties = variables.flatMap { PersistedProperty.properties(of: $0) }
        transientProperties = variables.filter { Marks.isTransient($0.marks) }.flatMap(TransientProperty.properties)
        names = Set(variables.flatMap { $0.bindings.compactMap(\.name) })
        let macros = file.macros.filter { $0.scope.path == path }
        indexes = macros.filter { $0.name == "Index" }
        constraints = macros.filter { $0.name == "Unique" }
        hasInitializer = file.initializers.contains { $0.scope.path == path }
    }

    /// The name as it is written, in backticks if it has them.
    var name: String { source.bytes[type.offset] == UInt8(ascii: "`") ? "`\(type.name)`" : type.name }

    var isFinal: Bool { hasModifier("final") }

    func hasModifier(_ name: String) -> Bool { type.marks.contains { $0.name == name && $0.argument == nil } }

    /// The position of the first attribute, modifier or keyword.
    var start: Int { min(type.marks.first?.range.lowerBound ?? .max, type.keywordOffset) }

    /// The first type that the class inherits from or conforms to, as it is written.
    var firstInherited: String? {
        guard case .named = type.inherited.first else { return nil }
        return type.firstInheritedRange.map { source.text($0) }
    }

    var inheritsPersistentModel: Bool { type.inherited.contains { $0.path?.last == "PersistentModel" } }

    /// Whether a value begins with a dot, such as `.now`. The schema gets it as `Any`, without the type that has the
    /// member.
    func isImplicitMember(_ value: Range<Int>) -> Bool {
        let dot = UInt8(ascii: ".")
        // Two dots are an operator.
        return source.bytes[value.lowerBound] == dot && value.count > 1 && source.bytes[value.lowerBound + 1] != dot
    }

    /// The names of properties that `#Index` or `#Unique` has and the class hasn't, with their positions. An extension
    /// declares no stored property; a superclass that is a model may.
    func missingNames(in macro: DeclaredMacro) -> [(name: String, offset: Int)] {
        guard let range = macro.argumentRange else { return [] }
        let tokens = source.tokens
        return tokens.indices.dropLast(2).compactMap { index in
            // `\.name`, or `\Model.name`.
            guard range.contains(tokens[index].start), source.isWritten(tokens[index], "\\") else { return nil }
            let isNamed = source.name(tokens[index + 1]) == type.name && index + 3 < tokens.count
            let dot = isNamed ? index + 2 : index + 1
            guard source.isWritten(tokens[dot], ".") else { return nil }
            let name = source.name(tokens[dot + 1])
            return names.contains(name) ? nil : (name, tokens[dot + 1].start)
        }
    }

    func text(_ range: Range<Int>) -> String { source.text(range) }
}

/// A property that the store keeps.
struct PersistedProperty {
    let name: String
    /// The name as it is written, in backticks if it has them.
    let spelling: String
    let declaration: VariableDeclaration
    let binding: VariableDeclaration.Binding

    /// The properties of a `var` or `let` that a store keeps: stored ones without `@Transient`. Accessors replace
    /// observers.
    static func properties(of declaration: VariableDeclaration) -> [PersistedProperty] {
        guard !declaration.isTypeMember, !Marks.isTransient(declaration.marks) else { return [] }
        return declaration.bindings.compactMap { binding in
            guard let name = binding.name, !binding.isComputed else { return nil }
            let isQuoted = binding.nameRange.count > name.utf8.count
            return PersistedProperty(
                name: name, spelling: isQuoted ? "`\(name)`" : name, declaration: declaration, binding: binding)
        }
    }

    var isOptional: Bool { if case .optional = binding.type { true } else { false } }
    var conditions: [String] { declaration.scope.conditions }
}

/// A stored property with `@Transient`.
struct TransientProperty {
    let name: String
    let offset: Int
    /// Whether it has a value before an initializer runs.
    let hasValue: Bool

    static func properties(of declaration: VariableDeclaration) -> [TransientProperty] {
        guard !declaration.isTypeMember, !declaration.isConstant else { return [] }
        let offset = declaration.marks.first?.range.lowerBound ?? declaration.keywordOffset
        return declaration.bindings.compactMap { binding in
            guard let name = binding.name, !binding.isComputed else { return nil }
            let isOptional = if case .optional = binding.type { true } else { false }
            return TransientProperty(name: name, offset: offset, hasValue: binding.valueRange != nil || isOptional)
        }
    }
}

/// The attributes that the macros know.
enum Marks {
    static func isTransient(_ marks: [DeclarationMark]) -> Bool {
        contains("Transient", in: marks)
    }

    static func contains(_ name: String, in marks: [DeclarationMark]) -> Bool { find(name, in: marks) != nil }

    static func find(_ name: String, in marks: [DeclarationMark]) -> DeclarationMark? {
        marks.first { ($0.name == "@\(name)" || $0.name == "@SwiftData.\(name)") && !$0.isConditional }
    }
}
