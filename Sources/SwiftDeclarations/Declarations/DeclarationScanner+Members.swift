// SPDX-License-Identifier: Apache-2.0

extension DeclarationScanner {
    // MARK: Methods

    mutating func function(_ marks: [DeclarationMark], _ scope: DeclarationScope) {
        guard let keyword = token else { return }
        index += 1
        guard let nameToken = token else { return }
        index += 1
        // The name of an operator has several tokens.
        while let token, token.kind == .operatorCharacter, !isAt("<") { index += 1 }
        let isGeneric = genericParameters()
        guard isAt("(") else { return }
        let name = source.name(nameToken)
        guard let parameters = parameters() else {
            result.unreadableFunctions.append(
                UnreadableDeclaration(name: name, offset: nameToken.start, marks: marks))
            _ = effects()
            _ = resultType()
            return
        }
        let effects = effects()
        let type = resultType()
        let end = source.tokens[index - 1].end
        var signatureEnd = index
        if isAt("where") {
            while signatureEnd < source.tokens.count, !source.isWritten(source.tokens[signatureEnd], "{"),
                !source.isWritten(source.tokens[signatureEnd], "}")
            { signatureEnd += 1 }
        }
        result.members.append(
            DeclaredMember(
                kind: .method(
                    .init(
                        parameters: parameters, result: type, end: end, isGeneric: isGeneric,
                        isAsync: effects.contains("async"),
                        canThrow: effects.contains("throws") || effects.contains("rethrows"))),
                name: name, scope: scope, marks: marks, source: source, keywordOffset: keyword.start,
                nameRange: nameToken.start..<nameToken.end, signatureEnd: source.tokens[signatureEnd - 1].end,
                access: DeclaredAccess(marks, default: scope.memberAccess), objectiveCName: marks.objectiveCName))
    }

    /// Reads the arrow and the type after it; `Void` without them.
    private mutating func resultType() -> TypeSyntax {
        guard isAt("-"), isAt(">", offset: 1) else { return .void }
        var parser = TypeParser(source: source, at: index + 2)
        guard let type = parser.type() else { return .void }
        index = parser.index
        return type
    }

    /// Reads `async` and `throws`, and moves the index after them.
    private mutating func effects() -> Set<String> {
        var found: Set<String> = []
        while let token, case let word = source.text(token), ["async", "throws", "rethrows"].contains(word) {
            found.insert(word)
            index += 1
            // The type of a typed throw.
            if word == "throws", isAt("(") { index = source.endOfBalanced(from: index) }
        }
        return found
    }

    /// Reads a list of parameters, and moves the index after it. Nil if the list can't be read.
    private mutating func parameters() -> [DeclaredMember.Method.Parameter]? {
        let close = source.endOfBalanced(from: index)
        index += 1
        defer { index = close }
        var parameters: [DeclaredMember.Method.Parameter] = []
        while index < close - 1 {
            while isAt("@"), isName(at: index + 1) { index += 2 }
            guard let first = token, isName(at: index) else { return nil }
            index += 1
            var name = first
            if let second = token, isName(at: index) {
                name = second
                index += 1
            }
            guard isAt(":") else { return nil }
            var parser = TypeParser(source: source, at: index + 1)
            let start = index + 1
            guard let type = parser.type() else { return nil }
            index = parser.index
            let label = source.name(first)
            parameters.append(
                DeclaredMember.Method.Parameter(
                    label: label == "_" ? nil : label, name: source.text(name), nameEnd: name.end, type: type,
                    typeText: source.text(ofTokens: start..<index), isVariadic: isAt(".")))
            // A default value, or an ellipsis.
            while index < close - 1, !isAt(",") {
                index = isAt("(") || isAt("[") || isAt("{") ? source.endOfBalanced(from: index) : index + 1
            }
            if isAt(",") { index += 1 }
        }
        return parameters
    }

    // MARK: Initializers

    mutating func initializer(_ marks: [DeclarationMark], _ scope: DeclarationScope) {
        let keyword = source.tokens[index]
        index += 1
        if isAt("?") || isAt("!") { index += 1 }
        let isGeneric = genericParameters()
        guard isAt("(") else { return }
        let parameters = parameters() ?? []
        result.initializers.append(
            DeclaredInitializer(
                marks: marks, scope: scope, isGeneric: isGeneric, labels: parameters.map { $0.label ?? "_" },
                typeTexts: parameters.map(\.typeText), keywordOffset: keyword.start))
    }

    // MARK: Macros

    /// Reads `#Name<…>(…)` among declarations. False for another name after `#`.
    mutating func freestandingMacro(in outer: DeclarationScope) -> Bool {
        guard let pound = token, !source.isWritten(pound, "#if") else { return false }
        index += 1
        var scope = outer
        scope.conditions = conditionals.map(\.condition)
        let generics = index
        let hasGenerics = genericArguments()
        let arguments = index
        if isAt("("), let token, !token.startsLine { pass() }
        result.macros.append(
            DeclaredMacro(
                name: String(source.text(pound).dropFirst()), scope: scope, offset: pound.start,
                genericArgumentRange: hasGenerics ? source.range(ofTokens: generics..<arguments) : nil,
                argumentRange: index > arguments + 1 ? source.range(ofTokens: arguments + 1..<index - 1) : nil))
        return true
    }
}
