extension DeclarationScanner {
    // MARK: Properties

    /// Reads a property. Of several properties in one declaration without `@NSManaged`, only the first one is read.
    mutating func variable(_ marks: [DeclarationMark], _ scope: DeclarationScope) {
        let keyword = source.tokens[index]
        index += 1
        let managed = marks.filter { $0.name == "@NSManaged" }
        guard !managed.isEmpty else { return plainVariable(marks, scope, keyword) }
        guard !scope.path.isEmpty else {
            return diagnose(
                at: managed[0].range.lowerBound, "@NSManaged is for members of subclasses of NSManagedObject")
        }
        guard !scope.isGeneric else {
            return diagnose(
                at: keyword.start,
                "a generic class can't have @NSManaged properties: move them to a class that is not generic")
        }
        let variables = bindings(marks, scope)
        guard !variables.isEmpty else { return }
        let modifiers = marks.filter { $0.name != "@NSManaged" && !$0.name.hasPrefix("@objc") }
        add(
            ManagedVariableDeclaration(
                variables: variables, managedMarks: managed,
                modifierText: modifiers.map { source.text($0.range) + " " }.joined(),
                keywordOffset: keyword.start))
        for variable in variables {
            add(
                DeclaredMember(
                    kind: .property(
                        .init(typeText: variable.typeText, isComputed: true, isSettable: true, isUnusual: false)),
                    name: variable.name, scope: scope, marks: marks, source: source, keywordOffset: keyword.start,
                    nameRange: variable.offset..<variable.offset + variable.spelling.utf8.count,
                    signatureEnd: variable.typeRange.upperBound, access: variable.access,
                    objectiveCName: variable.objectiveCName))
        }
    }

    private mutating func plainVariable(
        _ marks: [DeclarationMark], _ scope: DeclarationScope, _ keyword: SwiftToken
    ) {
        guard let nameToken = token, isName(at: index) else { return }
        index += 1
        var typeText: String?
        if isAt(":") {
            var parser = TypeParser(source: source, at: index + 1)
            guard parser.type() != nil else { return }
            typeText = source.text(ofTokens: index + 1..<parser.index)
            index = parser.index
        }
        let accessors = isAt("{") ? accessors() : nil
        let isConstant = source.isWritten(keyword, "let")
        add(
            DeclaredMember(
                kind: .property(
                    .init(
                        typeText: typeText, isComputed: accessors?.contains("get") ?? false,
                        isSettable: accessors.map { !$0.contains("get") || $0.contains("set") } ?? !isConstant,
                        isUnusual: accessors.map { !$0.isSubset(of: ["get", "set"]) } ?? false)),
                name: source.name(nameToken), scope: scope, marks: marks, source: source,
                keywordOffset: keyword.start, nameRange: nameToken.start..<nameToken.end,
                signatureEnd: source.tokens[index - 1].end, access: access(marks, default: scope.memberAccess),
                objectiveCName: objectiveCName(marks)))
    }

    /// The names of the accessors in the braces at the index, with their effects; `get` for a getter without a name.
    private func accessors() -> Set<String> {
        let close = source.endOfBalanced(from: index) - 1
        let names: Set<String> = ["get", "set", "willSet", "didSet", "_read", "_modify"]
        var found: Set<String> = []
        var position = index + 1
        while position < close {
            let token = source.tokens[position]
            if source.isWritten(token, "@"), isName(at: position + 1) {
                position += 2
                continue
            }
            let word = source.text(token)
            if ["mutating", "nonmutating"].contains(word) {
                position += 1
                continue
            }
            guard token.kind == .identifier, names.contains(word) else { break }
            found.insert(word)
            position += 1
            if position < close, source.isWritten(source.tokens[position], "(") {
                position = source.endOfBalanced(from: position)
            }
            while position < close, case let effect = source.text(source.tokens[position]),
                ["async", "throws"].contains(effect)
            {
                found.insert(effect)
                position += 1
            }
            guard position < close, source.isWritten(source.tokens[position], "{") else {
                // The accessors of a protocol have no bodies.
                continue
            }
            position = source.endOfBalanced(from: position)
        }
        return found.isEmpty ? ["get"] : found
    }

    /// Reads `a: Int16, b, c: String?`. A name without a type has the type of the next name with one.
    private mutating func bindings(_ marks: [DeclarationMark], _ scope: DeclarationScope) -> [ManagedVariable] {
        let access = access(marks, default: scope.memberAccess)
        let setter =
            marks.lazy.filter { $0.argument == "set" }.compactMap { DeclaredAccess(modifier: $0.name) }.first ?? access
        var variables: [ManagedVariable] = []
        repeat {
            if isAt(",") { index += 1 }
            guard let token, isName(at: index) else { break }
            index += 1
            guard isAt(":") else {
                diagnose(
                    at: token.start,
                    "the @NSManaged property '\(source.name(token))' needs a type annotation of its own")
                continue
            }
            index += 1
            var parser = TypeParser(source: source, at: index)
            guard let type = parser.type() else {
                diagnose(at: token.start, "the type of '\(source.name(token))' can't be read")
                break
            }
            let range = index..<parser.index
            index = parser.index
            variables.append(
                ManagedVariable(
                    name: source.name(token), spelling: source.text(token), type: type,
                    typeText: source.text(ofTokens: range),
                    typeRange: source.tokens[range.lowerBound].start..<source.tokens[range.upperBound - 1].end,
                    offset: token.start, access: access,
                    setterAccess: setter, objectiveCName: objectiveCName(marks), scope: scope))
        } while isAt(",")
        return variables
    }

    // MARK: Methods

    mutating func function(_ marks: [DeclarationMark], _ scope: DeclarationScope) {
        guard let keyword = token else { return }
        index += 1
        guard let nameToken = token else { return }
        index += 1
        // The name of an operator has several tokens.
        while let token, token.kind == .operatorCharacter, !isAt("<") { index += 1 }
        var isUnusual = genericParameters() || marks.contains { $0.name == "static" || $0.name == "class" }
        guard isAt("(") else { return }
        let parameters = parameters()
        let effects = effects()
        if !effects.isEmpty { isUnusual = true }
        var end = source.tokens[index - 1].end
        var result = TypeSyntax.void
        var resultText = "Void"
        if isAt("-"), isAt(">", offset: 1) {
            var parser = TypeParser(source: source, at: index + 2)
            if let type = parser.type() {
                result = type
                resultText = source.text(ofTokens: index + 2..<parser.index)
                index = parser.index
                end = source.tokens[index - 1].end
            }
        }
        let name = source.name(nameToken)
        let objectiveCName = objectiveCName(marks)
        if let parameters {
            var signatureEnd = index
            if isAt("where") {
                while signatureEnd < source.tokens.count, !source.isWritten(source.tokens[signatureEnd], "{"),
                    !source.isWritten(source.tokens[signatureEnd], "}")
                { signatureEnd += 1 }
            }
            add(
                DeclaredMember(
                    kind: .method(
                        .init(
                            parameters: parameters.map {
                                .init(
                                    label: $0.label, name: $0.name, typeText: $0.typeText, isVariadic: $0.isVariadic)
                            },
                            isAsync: effects.contains("async"),
                            canThrow: effects.contains("throws") || effects.contains("rethrows"),
                            returnsValue: result != .void && result.simpleName != "Void")),
                    name: name, scope: scope, marks: marks, source: source, keywordOffset: keyword.start,
                    nameRange: nameToken.start..<nameToken.end, signatureEnd: source.tokens[signatureEnd - 1].end,
                    access: access(marks, default: scope.memberAccess), objectiveCName: objectiveCName))
        }
        let managed = marks.filter { $0.name == "@NSManaged" }
        guard !managed.isEmpty else { return }
        guard let parameters else { return diagnose(at: nameToken.start, "the parameters of '\(name)' can't be read") }
        add(
            ManagedFunction(
                name: name, parameters: parameters, result: result, resultText: resultText, offset: nameToken.start,
                end: end,
                access: access(marks, default: scope.memberAccess), objectiveCName: objectiveCName,
                managedMarks: managed, scope: scope,
                isUnusual: isUnusual || scope.isGeneric || scope.path.isEmpty))
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
    private mutating func parameters() -> [ManagedFunction.Parameter]? {
        let close = source.endOfBalanced(from: index)
        index += 1
        defer { index = close }
        var parameters: [ManagedFunction.Parameter] = []
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
                ManagedFunction.Parameter(
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
        guard !genericParameters(), isAt("("), scope.isClass, let parameters = parameters() else { return }
        add(
            DeclaredInitializer(
                marks: marks, labels: parameters.map { $0.label ?? "_" }, typeTexts: parameters.map(\.typeText),
                keywordOffset: keyword.start))
    }
}
