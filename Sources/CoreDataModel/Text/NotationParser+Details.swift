extension NotationParser {
    /// Reads one detail: a word of the table, with its value if it has one.
    mutating func detail(
        of what: String, _ table: [NotationDetail], into statement: inout NotationStatement
    ) throws(NotationProblem) {
        let token = try peek()
        guard let word = token.word else {
            throw problem("expected a detail of \(what), found \(token.description)", at: token)
        }
        guard let detail = NotationDetail.named(word, in: table) else {
            throw problem(
                "'\(NotationText.short(word))' is no detail of \(what)\(suggestion(word, table.map(\.word)))", at: token
            )
        }
        try take()
        let hasValue = try takeColon()
        if !hasValue, !detail.mayStandAlone {
            throw problem(
                "expected ':' and a value after '\(NotationText.short(word))', found \(try peek().description)",
                at: try peek())
        }
        let (attribute, value) = try self.value(of: detail, hasValue, &statement)
        guard statement.said.insert(detail.word).inserted else {
            throw problem("'\(NotationText.short(word))' is said twice", at: token)
        }
        guard statement.attributes.updateValue(value, forKey: attribute) == nil else {
            throw problem("'\(NotationText.short(word))' says again, or against it, what was said before", at: token)
        }
    }

    private mutating func value(
        of detail: NotationDetail, _ hasValue: Bool, _ statement: inout NotationStatement
    ) throws(NotationProblem) -> (attribute: String, value: String) {
        let token = try peek()
        let attribute = detail.attribute
        switch detail.kind {
        case .flag: return (attribute, try isOn(hasValue) ? "YES" : "NO")
        case .opposite: return (attribute, try isOn(hasValue) ? "NO" : "YES")
        case .off: return (attribute, try isOn(hasValue) ? "YES" : "NO")
        case .state: return (attribute, hasValue ? try state() : "YES")
        case .name: return (attribute, try name("a name after '\(detail.word)'"))
        case .text: return (attribute, try name("a text after '\(detail.word)'"))
        case .predicate: return (attribute, try predicate(attribute, into: &statement))
        case .shownText:
            guard statement.attributes["attributeType"] == "Date" else {
                throw problem("only a date has '\(detail.word)'", at: token)
            }
            return (attribute, try name("a text after '\(detail.word)'"))
        case .count:
            let text = try name("a number after '\(detail.word)'")
            guard SourceNumber.count(text) != nil else {
                throw problem("expected a whole number, found \(token.description)", at: token)
            }
            return (attribute, text)
        case .choice(let choices): return (attribute, try choice(choices, after: detail.word))
        case .derivation:
            statement.attributes["derived"] = "YES"
            return (attribute, hasValue ? try name("an expression after '\(detail.word)'") : "")
        case .defaultValue: return try defaultValue(&statement)
        case .limit: return try limit(detail, statement)
        case .lengthLimit:
            guard statement.attributes["attributeType"] == "String" else {
                throw problem(
                    "only strings have a length; write '\(detail.word.prefix(3))' for a number or a date", at: token)
            }
            let text = try name("a number after '\(detail.word)'")
            guard Int64(text) != nil else {
                throw problem("expected a whole number, found \(token.description)", at: token)
            }
            return (attribute, text)
        }
    }

    private mutating func isOn(_ hasValue: Bool) throws(NotationProblem) -> Bool { hasValue ? try yesOrNo() : true }

    private mutating func yesOrNo() throws(NotationProblem) -> Bool {
        let token = try take()
        if let flag = Self.flag(token) { return flag }
        throw problem("expected yes or no, found \(token.description)", at: token)
    }

    static func flag(_ token: NotationToken) -> Bool? {
        switch token.word?.lowercased() {
        case "yes", "true": return true
        case "no", "false": return false
        default: return nil
        }
    }

    /// Yes, no, unset; any other word or text as it is.
    private mutating func state() throws(NotationProblem) -> String {
        let token = try peek()
        let text = try name("yes, no, unset or a text")
        if let flag = Self.flag(token) { return flag ? "YES" : "NO" }
        return token.word == "unset" ? NotationDefaults.unset : text
    }

    private mutating func choice(_ choices: [(word: String, value: String)], after word: String) throws(NotationProblem)
        -> String
    {
        let token = try peek()
        let written = try name("a word after '\(NotationText.short(word))'")
        if let choice = choices.first(where: { NotationText.plain($0.word) == NotationText.plain(written) }) {
            return choice.value
        }
        // What no word stands for is written as a number.
        if let number = SourceNumber.count(written), choices.contains(where: { SourceNumber.count($0.value) != nil }) {
            return String(number)
        }
        let remedy = suggestion(written, choices.map(\.word))
        throw problem("'\(NotationText.short(written))' can't follow '\(word)'\(remedy)", at: token)
    }

    // MARK: Values of attributes

    private mutating func defaultValue(_ statement: inout NotationStatement) throws(NotationProblem) -> (String, String)
    {
        let token = try peek()
        let type = statement.attributes["attributeType"] ?? ""
        if try isTypedValue() {
            var value = NotationStatement("defaultValue", at: token)
            try self.value(into: &value, depth: 0)
            statement.children.append(value.element)
            return ("defaultValue", "typed")
        }
        let text = try name("a default value")
        let isBare = token.word != nil
        switch type {
        case "Integer 16", "Integer 32", "Integer 64":
            guard !isBare || Self.isWhole(text) else {
                throw problem("expected a whole number, found \(token.description)", at: token)
            }
        case "Decimal", "Double", "Float":
            guard !isBare || Self.isNumber(text) else {
                throw problem("expected a number, found \(token.description)", at: token)
            }
        case "Boolean":
            if let flag = Self.flag(token) { return ("defaultValueString", flag ? "YES" : "NO") }
            guard !isBare || Self.isNumber(text) else {
                throw problem("expected yes or no, found \(token.description)", at: token)
            }
        case "Date": return ("defaultDateTimeInterval", try interval(text, token))
        case "UUID":
            guard UUID(uuidString: text) != nil else {
                throw problem("expected a UUID, found \(token.description)", at: token)
            }
        case "URI":
            guard URL(string: text) != nil else {
                throw problem("expected a URI, found \(token.description)", at: token)
            }
        case "String": break
        default:
            throw problem(
                "a default of type \(NotationWriter.typeWord(type)) names its own type, as in 'default: data \"AQI=\"'",
                at: token)
        }
        return ("defaultValueString", text)
    }

    private mutating func limit(
        _ detail: NotationDetail, _ statement: NotationStatement
    ) throws(NotationProblem) -> (String, String) {
        let token = try peek()
        let text = try name("a value after '\(detail.word)'")
        switch statement.attributes["attributeType"] ?? "" {
        case "Integer 16", "Integer 32", "Integer 64":
            guard Self.isWhole(text) else {
                throw problem("expected a whole number, found \(token.description)", at: token)
            }
        case "Decimal", "Double", "Float":
            guard Self.isNumber(text) else { throw problem("expected a number, found \(token.description)", at: token) }
        case "Date":
            return (detail.word == "min" ? "minDateTimeInterval" : "maxDateTimeInterval", try interval(text, token))
        case "String": throw problem("a string has no '\(detail.word)'; write '\(detail.word)-length'", at: token)
        default: throw problem("only numbers and dates have a '\(detail.word)'", at: token)
        }
        return (detail.attribute, text)
    }

    /// The interval of a date, or of a number of seconds since 2001.
    func interval(_ text: String, _ token: NotationToken) throws(NotationProblem) -> String {
        if let interval = NotationDate.interval(text) { return SourceText.real(interval) }
        guard Self.isNumber(text) else {
            throw problem(
                "expected a date such as \"2001-12-31T23:59:59Z\", or seconds since 2001, found \(token.description)",
                at: token)
        }
        return text
    }

    static func isNumber(_ text: String) -> Bool {
        guard let value = Double(text), value.isFinite else { return false }
        return text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    }

    static func isWhole(_ text: String) -> Bool {
        isNumber(text) && (Int64(text) != nil || Double(text).map { $0 == $0.rounded() && abs($0) < 0x1p63 } ?? false)
    }
}

extension NotationDetail {
    /// Whether the word alone says something.
    var mayStandAlone: Bool {
        switch kind {
        case .flag, .opposite, .state, .off, .derivation: return true
        default: return false
        }
    }
}
