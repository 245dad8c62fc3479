// SPDX-License-Identifier: Apache-2.0

extension TextNotationParser {
    /// Parses `user-info { key: "value" }`.
    mutating func userInfo(in siblings: [SourceElement]) throws(TextNotationError) -> SourceElement {
        let token = try consume()
        if siblings.contains(where: { $0.name == "userInfo" }) { throw problem("a second user info", at: token) }
        var statement = TextNotationStatement("userInfo", at: token)
        guard try hasBlock() else { throw problem("expected '{' and the entries of the user info", at: try peek()) }
        statement.children = try entries(depth: 0)
        return statement.element
    }

    private mutating func entries(depth: Int) throws(TextNotationError) -> [SourceElement] {
        var entries: [SourceElement] = []
        var keys: Set<String> = []
        try block(of: "the entries of a dictionary") { (parser) throws(TextNotationError) in
            var entry = TextNotationStatement("entry", at: try parser.peek())
            let key = try parser.name("a key")
            guard keys.insert(key).inserted else {
                throw parser.problem("the key '\(TextNotationText.short(key))' is there twice", at: entry.token)
            }
            guard try parser.consumeColon() else {
                throw parser.problem(
                    "expected ':' and a value, found \(try parser.peek().description)", at: try parser.peek())
            }
            entry.attributes["key"] = key
            try parser.value(into: &entry, depth: depth)
            entries.append(entry.element)
            if try !parser.consume(",") { try parser.endStatement() }
        }
        return entries
    }

    /// Whether the next value has an explicit type: `integer 3`, a list, a dictionary.
    mutating func isTypedValue() throws(TextNotationError) -> Bool {
        let token = try peek()
        if token.isMark("[") || token.isMark("{") { return true }
        guard let word = token.word, let kind = SourceValue.Kind(rawValue: word) else { return false }
        let second = try peekSecond()
        return kind == .null || (second.name != nil && !second.startsLine)
    }

    /// Parses a value: a text or word, a value with its type, a list, or a dictionary.
    mutating func value(into statement: inout TextNotationStatement, depth: Int) throws(TextNotationError) {
        let token = try peek()
        guard depth < SourceValue.depthLimit else {
            throw problem("lists and dictionaries are nested more than \(SourceValue.depthLimit) deep", at: token)
        }
        guard try isTypedValue() else {
            statement.attributes["value"] = try name("a value")
            return
        }
        if token.isMark("{") {
            statement.attributes["type"] = SourceValue.Kind.dictionary.rawValue
            statement.children = try entries(depth: depth + 1)
        } else if token.isMark("[") {
            statement.attributes["type"] = SourceValue.Kind.list.rawValue
            statement.children = try items(depth: depth + 1)
        } else {
            try scalar(into: &statement)
        }
    }

    /// Parses a predicate, with the values for its `%@` if it has any.
    mutating func predicate(_ attribute: String, into statement: inout TextNotationStatement) throws(TextNotationError)
        -> String
    {
        let text = try name("a predicate")
        guard try !peek().startsLine, try consume(word: "with") else { return text }
        statement.children += try items("argument", of: attribute, depth: 1)
        return text
    }

    private mutating func items(
        _ name: String = "item", of attribute: String? = nil, depth: Int
    ) throws(TextNotationError) -> [SourceElement] {
        try expect("[", "before a list")
        var items: [SourceElement] = []
        while !(try consume("]")) {
            var item = TextNotationStatement(name, at: try peek())
            item.attributes["of"] = attribute
            try value(into: &item, depth: depth)
            items.append(item.element)
            if try !consume(","), try !peek().isMark("]") {
                throw problem("expected ',' or ']' in a list, found \(try peek().description)", at: try peek())
            }
        }
        return items
    }

    private mutating func scalar(into statement: inout TextNotationStatement) throws(TextNotationError) {
        let word = try consume().word ?? ""
        statement.attributes["type"] = word
        let token = try peek()
        guard word != SourceValue.Kind.null.rawValue else { return }
        let text = try name("a value after '\(TextNotationText.short(word))'")
        statement.attributes["value"] = text
        if word == SourceValue.Kind.date.rawValue {
            statement.attributes["value"] = try checked(text, token, .dateAttributeType)
        }
        if word == SourceValue.Kind.boolean.rawValue, let flag = Self.flag(token) {
            statement.attributes["value"] = flag ? "yes" : "no"
        }
        guard SourceValue.read(statement.element) != nil else {
            throw problem("\(token.description) is not a valid value of type \(word)", at: token)
        }
    }
}
