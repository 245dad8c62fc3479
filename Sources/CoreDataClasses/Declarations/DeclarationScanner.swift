/// Finds the declarations of a source. It skips function bodies and expressions.
struct DeclarationScanner {
    /// The deepest nesting. Deeper types are skipped, and deeper conditions are an error.
    private static let depthLimit = 32

    private(set) var result: FileDeclarations
    let source: LexedSource
    var index = 0
    private var depth = 0
    private var conditionals: [ConditionalBlock] = []

    static func declarations(of source: LexedSource) -> FileDeclarations {
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
            let start = index
            let marks = declarationMarks()
            if !declaration(marks, in: scope) && index == start { pass() }
        }
        // An unbalanced #if ends with the scope.
        conditionals.removeLast(max(0, conditionals.count - outerConditionals))
    }

    /// Skips one token, or a bracket with its contents.
    private mutating func pass() {
        guard let token else { return }
        if isAt(".") {
            index += 2
        } else if token.kind == .punctuation, isAt("{") || isAt("(") || isAt("[") {
            let end = source.endOfBalanced(from: index)
            refuseManaged(in: index..<end)
            index = end
        } else {
            index += 1
        }
    }

    /// Reports an `@NSManaged` declaration inside of a function, which no other file can access.
    private mutating func refuseManaged(in range: Range<Int>) {
        for position in range
        where source.tokens[position].kind == .punctuation && position + 1 < source.tokens.count
            && source.isWritten(source.tokens[position], "@")
            && source.isWritten(source.tokens[position + 1], "NSManaged")
        {
            result.diagnostics.append(
                source.diagnostic(
                    at: source.tokens[position].start,
                    "@NSManaged inside of a function or closure can't be supplied: declare the class outside of it"))
        }
    }

    // MARK: Conditions

    private struct ConditionalBlock {
        var earlier: [String]
        var current: String
        var condition: String {
            (earlier.map { "!(\($0))" } + (current.isEmpty ? [] : ["(\(current))"])).joined(separator: " && ")
        }
    }

    /// Reads `#if`, `#elseif`, `#else` or `#endif`. False for another name after `#`.
    private mutating func directive(_ token: SwiftToken) -> Bool {
        if source.isWritten(token, "#if") {
            if conditionalMarks(at: index) != nil { return false }
            index += 1
            guard conditionals.count < Self.depthLimit else {
                diagnose(
                    at: token.start,
                    "#if is nested more than \(Self.depthLimit) times: the rest of the file is not read")
                index = source.tokens.count
                return true
            }
            conditionals.append(ConditionalBlock(earlier: [], current: condition()))
        } else if source.isWritten(token, "#elseif") {
            index += 1
            let next = condition()
            guard var block = conditionals.popLast() else { return true }
            block.earlier.append(block.current)
            block.current = next
            conditionals.append(block)
        } else if source.isWritten(token, "#else") {
            index += 1
            guard var block = conditionals.popLast() else { return true }
            block.earlier.append(block.current)
            block.current = ""
            conditionals.append(block)
        } else if source.isWritten(token, "#endif") {
            index += 1
            _ = conditionals.popLast()
        } else {
            return false
        }
        return true
    }

    /// The condition at the index: to the end of the line, or of a line that an operator continues.
    private mutating func condition() -> String {
        let start = index
        var open = 0
        while let token {
            let isContinued =
                open > 0 || index == start || isAt("&") || isAt("|") || source.isWritten(source.tokens[index - 1], "&")
                || source.isWritten(source.tokens[index - 1], "|")
            if token.startsLine && !(isContinued && index > start) { break }
            if isAt("(") { open += 1 }
            if isAt(")") { open -= 1 }
            index += 1
        }
        return source.text(ofTokens: start..<index)
    }

    /// The attributes of an `#if` block that contains attributes only, and the index after its `#endif`.
    private func conditionalMarks(at start: Int) -> (marks: [DeclarationMark], end: Int)? {
        var reader = self
        reader.index = start
        var marks: [DeclarationMark] = []
        while let token = reader.token {
            if token.kind == .pound {
                if source.isWritten(token, "#endif") { return marks.isEmpty ? nil : (marks, reader.index + 1) }
                guard
                    source.isWritten(token, "#if") && reader.index == start || source.isWritten(token, "#else")
                        || source.isWritten(token, "#elseif")
                else { return nil }
                reader.index += 1
                if !source.isWritten(token, "#else") { _ = reader.condition() }
            } else if reader.isAt("@"), let mark = reader.attribute() {
                marks.append(mark)
            } else {
                return nil
            }
        }
        return nil
    }

    // MARK: Attributes and modifiers

    private static let modifiers: Set<String> = [
        "public", "private", "fileprivate", "internal", "package", "open", "final", "static", "class", "override",
        "required", "convenience",
        "dynamic", "lazy", "weak", "unowned", "nonisolated", "mutating", "nonmutating", "indirect", "prefix", "postfix",
        "infix", "optional",
        "isolated", "distributed", "borrowing", "consuming",
    ]

    /// All attributes and modifiers at the index. An `@NSManaged` attribute in an `#if` block is ignored.
    private mutating func declarationMarks() -> [DeclarationMark] {
        var marks: [DeclarationMark] = []
        while let token {
            if isAt("@"), let mark = attribute() {
                marks.append(mark)
            } else if token.kind == .pound, isAt("#if"), let conditional = conditionalMarks(at: index) {
                marks += conditional.marks.filter { $0.name != "@NSManaged" }
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

    fileprivate mutating func attribute() -> DeclarationMark? {
        guard let at = token, isName(at: index + 1) else { return nil }
        var name = "@" + source.name(source.tokens[index + 1])
        index += 2
        while isAt("."), isName(at: index + 1) {
            name += "." + source.name(source.tokens[index + 1])
            index += 2
        }
        return mark(name, from: at)
    }

    /// The attribute or modifier that ends at the index, with the parentheses directly after it.
    private mutating func mark(_ name: String, from start: SwiftToken) -> DeclarationMark {
        var argument: String?
        if isAt("("), let open = token, !open.followsSpace {
            let begin = index + 1
            index = source.endOfBalanced(from: index)
            argument = source.text(ofTokens: begin..<max(begin, index - 1))
        }
        return DeclarationMark(name: name, argument: argument, range: start.start..<source.tokens[index - 1].end)
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

    func access(_ marks: [DeclarationMark], default standard: DeclaredAccess) -> DeclaredAccess {
        marks.lazy.filter { $0.argument == nil }.compactMap { DeclaredAccess(modifier: $0.name) }.first ?? standard
    }

    func objectiveCName(_ marks: [DeclarationMark]) -> String? {
        marks.first { $0.name == "@objc" }?.argument.map { $0.replacing(" ", with: "") }
    }

    private mutating func nominalType(_ kind: DeclaredType.Kind, _ marks: [DeclarationMark], _ scope: DeclarationScope)
        -> Bool
    {
        guard isName(at: index + 1) else { return false }
        let nameToken = source.tokens[index + 1]
        index += 2
        let isGeneric = genericParameters()
        let type = DeclaredType(
            kind: kind, name: source.name(nameToken), scope: scope, source: source, offset: nameToken.start,
            access: access(marks, default: scope.memberAccess), isGeneric: isGeneric || scope.isGeneric,
            inherited: inheritance(), aliased: nil,
            objectiveCName: objectiveCName(marks), marks: marks)
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
        let access = access(marks, default: .internal)
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

    /// Reads `: A, B where …` up to the opening brace.
    private mutating func inheritance() -> [TypeSyntax] {
        var types: [TypeSyntax] = []
        if isAt(":") {
            repeat {
                index += 1
                if isAt("~") { index += 1 }
                var parser = TypeParser(source: source, at: index)
                guard let type = parser.type() else { break }
                types.append(type)
                index = parser.index
            } while isAt(",")
        }
        if isAt("where") {
            while token != nil, !isAt("{"), !isAt("}") { index += 1 }
        }
        return types
    }

    private mutating func alias(_ marks: [DeclarationMark], _ scope: DeclarationScope) -> Bool {
        guard isName(at: index + 1) else { return false }
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
                access: access(marks, default: scope.memberAccess), isGeneric: isGeneric, inherited: [],
                aliased: aliased, objectiveCName: nil, marks: marks))
        return true
    }
}

extension DeclarationScanner {
    mutating func add(_ variable: ManagedVariableDeclaration) { result.variables.append(variable) }
    mutating func add(_ function: ManagedFunction) { result.functions.append(function) }
    mutating func add(_ initializer: DeclaredInitializer) { result.initializers.append(initializer) }
    mutating func add(_ declaration: DeclaredImport) { result.imports.append(declaration) }
    mutating func add(_ member: DeclaredMember) { result.members.append(member) }
    mutating func diagnose(at offset: Int, _ message: String) {
        result.diagnostics.append(source.diagnostic(at: offset, message))
    }
}
