// SPDX-License-Identifier: Apache-2.0

/// A property declared with `@NSManaged`.
struct ManagedVariable {
    let name: String
    let type: TypeSyntax
    let typeText: String
    /// The bytes of the declared type.
    let typeRange: Range<Int>
    /// The position of the name.
    let offset: Int
    let access: DeclaredAccess
    let setterAccess: DeclaredAccess
    let objectiveCName: String?
    let scope: DeclarationScope
}

/// A `var` with `@NSManaged`: one property, or several.
struct ManagedVariableDeclaration {
    let variables: [ManagedVariable]
    /// The `@NSManaged` attributes before it.
    let managedMarks: [DeclarationMark]
    /// The attributes and modifiers without `@NSManaged` and `@objc`, as text. They apply to each variable.
    let modifierText: String
}

/// A method declared with `@NSManaged`.
struct ManagedFunction {
    let member: DeclaredMember
    let method: DeclaredMember.Method
    let managedMarks: [DeclarationMark]

    var name: String { member.name }
    var parameters: [DeclaredMember.Method.Parameter] { method.parameters }
    var scope: DeclarationScope { member.scope }
    var access: DeclaredAccess { member.access }
    var objectiveCName: String? { member.objectiveCName }
    /// The position of the name.
    var offset: Int { member.nameRange.lowerBound }

    /// Whether the method is generic, throws, or is a class method. Methods of a model are never so.
    var isUnusual: Bool {
        method.isGeneric || method.isAsync || method.canThrow || member.isTypeMember || scope.isGeneric
            || scope.path.isEmpty
    }
}

/// The declarations with `@NSManaged` of one file.
struct ManagedDeclarations {
    private(set) var variables: [ManagedVariableDeclaration] = []
    private(set) var functions: [ManagedFunction] = []
    /// The errors of the scanner, and the declarations that can't be supplied.
    private(set) var diagnostics: [SourceDiagnostic]
    private let source: LexedSource

    init(_ file: FileDeclarations) {
        source = file.source
        diagnostics = file.diagnostics
        for declaration in file.variables { add(declaration) }
        for member in file.members {
            guard let method = member.method, case let marks = Self.managedMarks(member.marks), !marks.isEmpty else {
                continue
            }
            functions.append(ManagedFunction(member: member, method: method, managedMarks: marks))
        }
        for function in file.unreadableFunctions where !Self.managedMarks(function.marks).isEmpty {
            diagnose(at: function.offset, "the parameters of '\(function.name)' can't be read")
        }
        for range in file.skipped { refuseManaged(in: range) }
    }

    /// The attributes that count. An `@NSManaged` attribute in an `#if` block is ignored.
    private static func managedMarks(_ marks: [DeclarationMark]) -> [DeclarationMark] {
        marks.filter { $0.name == "@NSManaged" && !$0.isConditional }
    }

    private mutating func add(_ declaration: VariableDeclaration) {
        let managed = Self.managedMarks(declaration.marks)
        guard let first = managed.first else { return }
        let scope = declaration.scope
        guard !scope.path.isEmpty else {
            return diagnose(at: first.range.lowerBound, "@NSManaged is for members of subclasses of NSManagedObject")
        }
        guard !scope.isGeneric else {
            return diagnose(
                at: declaration.keywordOffset,
                "a generic class can't have @NSManaged properties: move them to a class that is not generic")
        }
        let variables = declaration.bindings.compactMap { variable($0, of: declaration) }
        guard !variables.isEmpty else { return }
        let modifiers = declaration.marks.filter { $0.name != "@NSManaged" && !$0.name.hasPrefix("@objc") }
        self.variables.append(
            ManagedVariableDeclaration(
                variables: variables, managedMarks: managed,
                modifierText: modifiers.map { source.text($0.range) + " " }.joined()))
    }

    private mutating func variable(
        _ binding: VariableDeclaration.Binding, of declaration: VariableDeclaration
    ) -> ManagedVariable? {
        guard let name = binding.name else { return nil }
        let offset = binding.nameRange.lowerBound
        guard let typeRange = binding.typeRange, let typeText = binding.typeText else {
            diagnose(at: offset, "the @NSManaged property '\(name)' needs a type annotation")
            return nil
        }
        guard let type = binding.type else {
            diagnose(at: offset, "the type of '\(name)' can't be read")
            return nil
        }
        let access = declaration.access
        return ManagedVariable(
            name: name, type: type, typeText: typeText, typeRange: typeRange, offset: offset, access: access,
            setterAccess: declaration.setterAccess ?? access, objectiveCName: declaration.objectiveCName,
            scope: declaration.scope)
    }

    /// Reports an `@NSManaged` declaration inside of a function, which no other file can access.
    private mutating func refuseManaged(in range: Range<Int>) {
        for position in range
        where source.tokens[position].kind == .punctuation && position + 1 < source.tokens.count
            && source.isWritten(source.tokens[position], "@")
            && source.isWritten(source.tokens[position + 1], "NSManaged")
        {
            diagnose(
                at: source.tokens[position].start,
                "@NSManaged inside of a function or closure can't be supplied: declare the class outside of it")
        }
    }

    private mutating func diagnose(at offset: Int, _ message: String) {
        diagnostics.append(source.diagnostic(at: offset, message))
    }
}
