// SPDX-License-Identifier: Apache-2.0

extension TextNotationParser {
    /// Parses one option: a keyword of the table, and its value if there is one.
    mutating func option(
        of subject: String, _ table: [TextNotationOption], into statement: inout TextNotationStatement
    ) throws(TextNotationError) {
        let token = try peek()
        guard let word = token.word else {
            throw problem("expected an option of \(subject), found \(token.description)", at: token)
        }
        guard let option = TextNotationOption.named(word, in: table) else {
            throw problem(
                """
                '\(TextNotationText.short(word))' is not an option of \
                \(subject)\(suggestion(word, table.map(\.word)))
                """,
                at: token
            )
        }
        try consume()
        let hasValue = try consumeColon()
        if !hasValue, !option.isAllowedWithoutValue {
            throw problem(
                "expected ':' and a value after '\(TextNotationText.short(word))', found \(try peek().description)",
                at: try peek())
        }
        let (attribute, value) = try self.value(of: option, hasValue, &statement)
        guard statement.specifiedOptions.insert(option.word).inserted else {
            throw problem("'\(TextNotationText.short(word))' is specified twice", at: token)
        }
        guard statement.attributes.updateValue(value, forKey: attribute) == nil else {
            throw problem("'\(TextNotationText.short(word))' repeats or contradicts an earlier option", at: token)
        }
    }

    private mutating func value(
        of option: TextNotationOption, _ hasValue: Bool, _ statement: inout TextNotationStatement
    ) throws(TextNotationError) -> (attribute: String, value: String) {
        let token = try peek()
        let attribute = option.attribute
        switch option.kind {
        case .flag: return (attribute, try isOn(hasValue) ? "YES" : "NO")
        case .opposite: return (attribute, try isOn(hasValue) ? "NO" : "YES")
        case .off: return (attribute, try isOn(hasValue) ? "YES" : "NO")
        case .state: return (attribute, hasValue ? try state() : "YES")
        case .name: return (attribute, try name("a name after '\(option.word)'"))
        case .text: return (attribute, try name("a text after '\(option.word)'"))
        case .predicate: return (attribute, try predicate(attribute, into: &statement))
        case .displayedText:
            guard statement.attributes["attributeType"] == "Date" else {
                throw problem("only a date has '\(option.word)'", at: token)
            }
            return (attribute, try name("a text after '\(option.word)'"))
        case .count:
            let text = try name("a number after '\(option.word)'")
            guard SourceText.count(text) != nil else {
                throw problem("expected a whole number, found \(token.description)", at: token)
            }
            return (attribute, text)
        case .choice(let choices): return (attribute, try choice(choices, after: option.word))
        case .derivation:
            statement.attributes["derived"] = "YES"
            return (attribute, hasValue ? try name("an expression after '\(option.word)'") : "")
        case .defaultValue: return try defaultValue(&statement)
        case .limit: return try limit(option, statement)
        case .lengthLimit:
            guard statement.attributes["attributeType"] == "String" else {
                throw problem(
                    "only strings have a length; write '\(option.word.prefix(3))' for a number or a date", at: token)
            }
            let text = try name("a number after '\(option.word)'")
            guard Int64(text) != nil else {
                throw problem("expected a whole number, found \(token.description)", at: token)
            }
            return (attribute, text)
        }
    }

    private mutating func isOn(_ hasValue: Bool) throws(TextNotationError) -> Bool { hasValue ? try yesOrNo() : true }

    private mutating func yesOrNo() throws(TextNotationError) -> Bool {
        let token = try consume()
        if let flag = Self.flag(token) { return flag }
        throw problem("expected yes or no, found \(token.description)", at: token)
    }

    static func flag(_ token: TextNotationToken) -> Bool? {
        switch token.word?.lowercased() {
        case "yes", "true": return true
        case "no", "false": return false
        default: return nil
        }
    }

    /// Parses yes, no, unset, or another text.
    private mutating func state() throws(TextNotationError) -> String {
        let token = try peek()
        let text = try name("yes, no, unset or a text")
        if let flag = Self.flag(token) { return flag ? "YES" : "NO" }
        return token.word == "unset" ? TextNotationDefaults.unset : text
    }

    private mutating func choice(_ choices: [(word: String, value: String)], after word: String)
        throws(TextNotationError)
        -> String
    {
        let token = try peek()
        let written = try name("a word after '\(TextNotationText.short(word))'")
        if let choice = choices.first(where: {
            TextNotationText.normalized($0.word) == TextNotationText.normalized(written)
        }) {
            return choice.value
        }
        // A value without a keyword is written as a number.
        if let number = SourceText.count(written), choices.contains(where: { SourceText.count($0.value) != nil }) {
            return String(number)
        }
        let remedy = suggestion(written, choices.map(\.word))
        throw problem("'\(TextNotationText.short(written))' can't follow '\(word)'\(remedy)", at: token)
    }

    // MARK: Values of attributes

    private mutating func defaultValue(_ statement: inout TextNotationStatement) throws(TextNotationError) -> (
        String, String
    ) {
        let token = try peek()
        let type = statement.attributes["attributeType"] ?? ""
        if try isTypedValue() {
            var value = TextNotationStatement("defaultValue", at: token)
            try self.value(into: &value, depth: 0)
            statement.children.append(value.element)
            return ("defaultValue", "typed")
        }
        let text = try name("a default value")
        guard let known = SourceSpelling.attributeType(named: type), AttributeText.isWritten(known) else {
            throw problem(
                """
                a default of type \(TextNotationWriter.typeWord(type)) must name its type, as in 'default: data \
                "AQI="'
                """,
                at: token)
        }
        if known == .dateAttributeType { return ("defaultDateTimeInterval", try checked(text, token, known)) }
        // A text in quotation marks may be any that Xcode reads as a value.
        let isXcodes = token.word == nil && SourceText.value(of: text, type: known) != nil
        return ("defaultValueString", isXcodes ? text : try checked(text, token, known))
    }

    private mutating func limit(
        _ option: TextNotationOption, _ statement: TextNotationStatement
    ) throws(TextNotationError) -> (String, String) {
        let token = try peek()
        let text = try name("a value after '\(option.word)'")
        switch SourceSpelling.attributeType(named: statement.attributes["attributeType"] ?? "") {
        case .dateAttributeType:
            let attribute = option.word == "min" ? "minDateTimeInterval" : "maxDateTimeInterval"
            return (attribute, try checked(text, token, .dateAttributeType))
        case .stringAttributeType:
            throw problem("a string has no '\(option.word)'; write '\(option.word)-length'", at: token)
        // Xcode's models have limits that no value of the type reaches.
        case let type? where type.isInteger:
            return (option.attribute, try checked(text, token, .integer64AttributeType))
        case .floatAttributeType?: return (option.attribute, try checked(text, token, .doubleAttributeType))
        case let type? where type.isNumber: return (option.attribute, try checked(text, token, type))
        default: throw problem("only numbers and dates have a '\(option.word)'", at: token)
        }
    }

    /// The form of a value in Xcode's models.
    func checked(
        _ text: String, _ token: TextNotationToken, _ type: NSAttributeType
    ) throws(TextNotationError) -> String {
        do { return try SourceText.checked(text, type: type) } catch {
            throw problem("\(token.description) \(error.text)", at: token)
        }
    }
}

extension TextNotationOption {
    /// Whether the keyword is complete without a value.
    var isAllowedWithoutValue: Bool {
        switch kind {
        case .flag, .opposite, .state, .off, .derivation: return true
        default: return false
        }
    }
}
