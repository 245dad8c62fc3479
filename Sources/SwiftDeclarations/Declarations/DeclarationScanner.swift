// SPDX-License-Identifier: Apache-2.0

/// Finds the declarations of a source. It skips function bodies and expressions.
package struct DeclarationScanner {
    /// The deepest nesting. Deeper types are skipped, and deeper conditions are an error.
    static let depthLimit = 32

    var result: FileDeclarations
    let source: LexedSource
    var index = 0
    private var depth = 0
    var conditionals: [ConditionalBlock] = []

    package static func declarations(of source: LexedSource) -> FileDeclarations {
        var scanner = DeclarationScanner(source: source)
        scanner.scan(DeclarationScope())
        return scanner.result
    }

    private init(source: LexedSource) {
        self.source = source
        result = FileDeclarations(source: source)
    }

    // MARK: Tokens

    var token: SwiftToken? { index < source.tokens.count ? source.tokens[index] : nil }

    func isAt(_ text: StaticString, offset: Int = 0) -> Bool {
        let position = index + offset
        return position < source.tokens.count && source.isWritten(source.tokens[position], text)
    }

    func isName(at position: Int) -> Bool {
        guard position < source.tokens.count else { return false }
        let kind = source.tokens[position].kind
        return kind == .identifier || kind == .quotedIdentifier
    }

    // MARK: Members

    /// Reads declarations up to the closing brace of the scope, or to the end of the text.
    private mutating func scan(_ scope: DeclarationScope) {
        let outerConditionals = conditionals.count
        while let token {
            if token.kind == .punctuation && isAt("}") && depth > 0 { break }
            if token.kind == .pound, directive(token) { continue }
            if token.kind == .pound, freestandingMacro(in: scope) { continue }
            let start = index
            let marks = declarationMarks()
            if !declaration(marks, in: scope) && index == start { pass() }
        }
        // An unbalanced #if ends with the scope.
        conditionals.removeLast(max(0, conditionals.count - outerConditionals))
    }

    /// Skips one token, or a bracket with its contents.
    mutating func pass() {
        guard let token else { return }
        if isAt(".") {
            index += 2
        } else if token.kind == .punctuation, isAt("{") || isAt("(") || isAt("[") {
            let end = source.endOfBalanced(from: index)
            result.skipped.append(index..<end)
            index = end
        } else {
            index += 1
        }
    }

    // MARK: Attributes and modifiers

    private static let modifiers: Set<String> = [
        "public", "private", "fileprivate", "internal", "package", "open", "final", "static", "class", "override",
        "required", "convenience",
        "dynamic", "lazy", "weak", "unowned", "nonisolated", "mutating", "nonmutating", "indirect", "prefix", "postfix",
        "infix", "optional",
        "isolated", "distributed", "borrowing", "consuming",
    ]

    /// All attributes and modifiers at the index, also attributes that an `#if` block encloses.
    private mutating func declarationMarks() -> [DeclarationMark] {
        var marks: [DeclarationMark] = []
        while let token {
            if isAt("@"), let mark = attribute() {
                marks.append(mark)
            } else if token.kind == .pound, isAt("#if"), let conditional = conditionalMarks(at: index) {
                marks += conditional.marks
                index = conditional.end
            } else if token.kind == .identifier, case let name = source.text(token), Self.modifiers.contains(name),
                !isTypeKeyword()
            {
                index += 1
                marks.append(mark(name, from: token))
            } else {
                break
            }
        }
        return marks
    }

    /// Whether `class` declares a type, and isn't the modifier of a member.
    private func isTypeKeyword() -> Bool {
        guard isAt("class"), index + 1 < source.tokens.count else { return false }
        let next = source.text(source.tokens[index + 1])
        return !(Self.modifiers.contains(next) || ["func", "var", "let", "subscript"].contains(next))
    }

    mutating func attribute() -> DeclarationMark? {
        guard let at = token, isName(at: index + 1) else { return nil }
        var name = "@" + source.name(source.tokens[index + 1])
        index += 2
        while isAt("."), isName(at: index + 1) {
            name += "." + source.name(source.tokens[index + 1])
            index += 2
        }
        _ = genericArguments()
        return mark(name, from: at)
    }

    /// The attribute or modifier that ends at the index, with the parentheses directly after it.
    private mutating func mark(_ name: String, from start: SwiftToken) -> DeclarationMark {
        var argument: String?
        var argumentRange: Range<Int>?
        if isAt("("), let open = token, !open.followsSpace {
            let begin = index + 1
            index = source.endOfBalanced(from: index)
            argument = source.text(ofTokens: begin..<max(begin, index - 1))
            argumentRange = source.range(ofTokens: begin..<max(begin, index - 1)) ?? open.end..<open.end
        }
        return DeclarationMark(
            name: name, argument: argument, range: start.start..<source.tokens[index - 1].end,
            argumentRange: argumentRange)
    }

    // MARK: Declarations

    private static let keywords: Set<String> = [
        "class", "struct", "enum", "protocol", "actor", "extension", "typealias", "import", "var", "let", "func",
        "init",
    ]

    /// Reads the declaration at the index. False if there is none.
    private mutating func declaration(_ marks: [DeclarationMark], in outer: DeclarationScope) -> Bool {
        guard let token, token.kind == .identifier, case let keyword = source.text(token),
            Self.keywords.contains(keyword)
        else { return false }
        var scope = outer
        scope.conditions = conditionals.map(\.condition)
        switch keyword {
        case "class": return nominalType(.class, marks, scope)
        case "struct": return nominalType(.structure, marks, scope)
        case "enum": return nominalType(.enumeration, marks, scope)
        case "protocol": return nominalType(.protocol, marks, scope)
        case "actor": return isName(at: index + 1) && nominalType(.actor, marks, scope)
        case "extension": return extensionDeclaration(marks, scope)
        case "typealias": return alias(marks, scope)
        case "import": importDeclaration(marks, scope)
        case "var", "let": variable(marks, scope)
        case "func": function(marks, scope)
        case "init": initializer(marks, scope)
        default: return false
        }
        return true
    }

    private mutating func nominalType(_ kind: DeclaredType.Kind, _ marks: [DeclarationMark], _ scope: DeclarationScope)
        -> Bool
    {
        guard isName(at: index + 1) else { return false }
        let keyword = source.tokens[index]
        let nameToken = source.tokens[index + 1]
        index += 2
        let isGeneric = genericParameters()
        let (inherited, firstRange) = inheritance()
        let type = DeclaredType(
            kind: kind, name: source.name(nameToken), scope: scope, source: source, offset: nameToken.start,
            keywordOffset: keyword.start, access: DeclaredAccess(marks, default: scope.memberAccess),
            isGeneric: isGeneric || scope.isGeneric,
            inherited: inherited, firstInheritedRange: firstRange, aliased: nil,
            objectiveCName: marks.objectiveCName, marks: marks)
        let position = result.types.count
        result.types.append(type)
        var inner = DeclarationScope()
        inner.path = type.path
        inner.isClass = kind == .class
        inner.isProtocol = kind == .protocol
        inner.isGeneric = type.isGeneric
        inner.isInPrivateType = type.isHidden
        inner.exposesMembers = marks.contains { $0.name == "@objcMembers" } || kind == .protocol && isObjectiveC(marks)
        inner.isOnMainActor = marks.contains { $0.name == "@MainActor" }
        result.types[position].bodyEnd = body(inner)
        return true
    }

    private mutating func extensionDeclaration(_ marks: [DeclarationMark], _ scope: DeclarationScope) -> Bool {
        index += 1
        var parser = TypeParser(source: source, at: index)
        guard let path = parser.type()?.path else { return true }
        index = parser.index
        _ = inheritance()
        var inner = DeclarationScope()
        inner.path = path
        inner.isExtension = true
        let access = DeclaredAccess(marks, default: .internal)
        inner.memberAccess = access == .private ? .fileprivate : access
        inner.exposesMembers = isObjectiveC(marks)
        inner.isOnMainActor = marks.contains { $0.name == "@MainActor" }
        _ = body(inner)
        return true
    }

    private func isObjectiveC(_ marks: [DeclarationMark]) -> Bool { marks.contains { $0.name == "@objc" } }

    /// Reads the members in the braces at the index.
    ///
    /// - Returns: the position of the closing brace; nil if there is none.
    private mutating func body(_ scope: DeclarationScope) -> Int? {
        guard isAt("{") else { return nil }
        guard depth < Self.depthLimit else {
            pass()
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        let position = result.bodies.count
        let start = source.tokens[index].start
        result.bodies.append(DeclaredBody(range: start..<source.bytes.count, scope: scope))
        index += 1
        scan(scope)
        guard let token, isAt("}") else { return nil }
        index += 1
        result.bodies[position].range = start..<token.end
        return token.start
    }

    /// Skips `<…>`. False if there is none.
    mutating func genericParameters() -> Bool {
        guard isAt("<") else { return false }
        var open = 0
        while let token {
            if token.kind == .operatorCharacter {
                if isAt("<") { open += 1 }
                // The > of an arrow closes no bracket.
                if isAt(">"), !(source.isWritten(source.tokens[index - 1], "-") && !token.followsSpace) { open -= 1 }
            }
            index += 1
            if open == 0 { break }
        }
        return true
    }

    /// Skips `<…>` of an expression or attribute, directly after a name. False if the text is an operator.
    mutating func genericArguments() -> Bool {
        guard isAt("<"), let token, !token.followsSpace else { return false }
        var parser = TypeParser(source: source, at: index)
        guard parser.genericArguments() else { return false }
        index = parser.index
        return true
    }

    /// Reads `: A, B where …` up to the opening brace.
    private mutating func inheritance() -> (types: [TypeSyntax], firstRange: Range<Int>?) {
        var types: [TypeSyntax] = []
        var firstRange: Range<Int>?
        if isAt(":") {
            repeat {
                index += 1
                if isAt("~") { index += 1 }
                var parser = TypeParser(source: source, at: index)
                guard let type = parser.type() else { break }
                types.append(type)
                if firstRange == nil { firstRange = source.range(ofTokens: index..<parser.index) }
                index = parser.index
            } while isAt(",")
        }
        if isAt("where") {
            while token != nil, !isAt("{"), !isAt("}") { index += 1 }
        }
        return (types, firstRange)
    }

    private mutating func alias(_ marks: [DeclarationMark], _ scope: DeclarationScope) -> Bool {
        guard isName(at: index + 1) else { return false }
        let keyword = source.tokens[index]
        let nameToken = source.tokens[index + 1]
        index += 2
        let isGeneric = genericParameters()
        guard isAt("=") else { return true }
        var parser = TypeParser(source: source, at: index + 1)
        let aliased = parser.type()
        index = parser.index
        result.types.append(
            DeclaredType(
                kind: .alias, name: source.name(nameToken), scope: scope, source: source, offset: nameToken.start,
                keywordOffset: keyword.start, access: DeclaredAccess(marks, default: scope.memberAccess),
                isGeneric: isGeneric, inherited: [], firstInheritedRange: nil,
                aliased: aliased, objectiveCName: nil, marks: marks))
        return true
    }

    mutating func diagnose(at offset: Int, _ message: String) {
        result.diagnostics.append(source.diagnostic(at: offset, message))
    }
}
